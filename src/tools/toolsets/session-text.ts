import {counted} from '../../base/counted.ts';
import {endLine} from '../output/bound-output.ts';
import type {SeenSession} from '../operations/exec/session-output.ts';
import type {UseSessionResult} from '../operations/exec/use-session.ts';
import type {ToolReply} from '../toolset.ts';
import {exitText, failed} from './exit-text.ts';

type Reply = Pick<ToolReply, 'text' | 'summary'> & Partial<ToolReply>;

/** The reply to a start: a command that has already ended is reported like one that was run. */
export function startReply(seen: SeenSession, howToLook: string): Reply {
  const {session, command, ended} = seen;
  const text = seenText(seen, howToLook);
  if (ended === null) return {text, summary: `session ${session}`};
  return {text, summary: `exit code ${exitText(ended)}`, isError: failed(ended), command: {line: command, exitCode: ended.exitCode}};
}

/** The reply to a look, and the list. */
export function sessionReply(result: UseSessionResult, howToLook: string): Reply {
  const {seen, sessions} = result;
  if (seen === null) return {text: sessionList(result), summary: counted(sessions.length, 'session')};
  const summary = seen.ended === null ? `${seen.session} runs` : `${seen.session}: exit code ${exitText(seen.ended)}`;
  return {text: seenText(seen, howToLook), summary};
}

/** Shows the output since the last look, or the screen and its cursor; then what to do next. */
function seenText(seen: SeenSession, howToLook: string): string {
  const {session: id, screen, ageMs, ended, kept} = seen;
  const seconds = (ageMs / 1000).toFixed(1);
  const shown = `${screen === null ? outputText(seen) : screenText(screen)}${personText(seen)}`;
  if (ended !== null) return `${shown}[session ${id} ended after ${seconds} s; exit code ${exitText(ended)}]`;
  const stays = kept ? ' and goes on after the session' : '';
  if (screen === null) return `${shown}[session ${id} runs for ${seconds} s${stays}; ${howToLook}]`;
  const place = `cursor at line ${screen.cursor.line}, column ${screen.cursor.column}`;
  const title = screen.title === '' ? '' : `; title ${JSON.stringify(screen.title)}`;
  return `${shown}[session ${id} runs for ${seconds} s; ${place}${title}; ${howToLook}, or write]`;
}

/** Makes clear that a person acted, not the harness or the model. */
function personText({person = []}: SeenSession): string {
  return person.length === 0 ? '' : `[${person.join('; ')}]\n`;
}

function outputText({output, dropped}: SeenSession): string {
  const lost = dropped === 0 ? '' : `[${dropped} characters came before this and were dropped]\n`;
  return `${lost}${endLine(output)}`;
}

function screenText({lines, above}: NonNullable<SeenSession['screen']>): string {
  const before = above === 0 ? '' : `[${above} lines above]\n`;
  return `${before}${endLine(lines.join('\n'))}`;
}

/** Lists the commands of a thread, one per line. */
function sessionList({sessions}: UseSessionResult): string {
  const lines = sessions.map(({session, command, ageMs, isRunning, kept}) => {
    const state = isRunning ? (kept ? 'kept, runs for' : 'runs for') : 'ended after';
    return `${session}  ${state} ${(ageMs / 1000).toFixed(1)} s  ${command.split('\n', 1)[0]}`;
  });
  return lines.join('\n') || '(no sessions)';
}
