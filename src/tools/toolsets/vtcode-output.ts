import {endLine} from '../bound-output.ts';
import type {CommandSessionResult, SeenCommand} from '../operations/command-session.ts';
import type {ListEntriesResult} from '../operations/list-entries.ts';
import type {SeenTerminal} from '../operations/terminal-session.ts';
import type {ToolReply} from '../toolset.ts';
import {exitText} from './exit-text.ts';

export type Running = Pick<SeenCommand, 'output' | 'dropped' | 'ageMs' | 'ended'> & {readonly id: string};

/** What a started command has written since the last look, and what to do next. */
export function sessionText({id, output, dropped, ageMs, ended}: Running, howToLook: string): string {
  const lost = dropped === 0 ? '' : `[${dropped} characters came before this and were dropped]\n`;
  const seconds = (ageMs / 1000).toFixed(1);
  if (ended !== null) return `${lost}${endLine(output)}[session ${id} ended after ${seconds} s; exit code ${exitText(ended)}]`;
  return `${lost}${endLine(output)}[session ${id} runs for ${seconds} s; ${howToLook}]`;
}

/** A screen, where its cursor stands, and what to do next. */
export function terminalReply(seen: SeenTerminal, howToLook: string): {text: string; summary: string} {
  const {session: id, lines, above, cursor, ageMs, ended} = seen;
  const before = above === 0 ? '' : `[${above} lines above]\n`;
  const seconds = (ageMs / 1000).toFixed(1);
  const screen = `${before}${endLine(lines.join('\n'))}`;
  if (ended !== null) {
    const how = ended.signal === 0 ? `exit code ${ended.exitCode}` : `killed by signal ${ended.signal}`;
    return {text: `${screen}[session ${id} ended after ${seconds} s; ${how}]`, summary: `${id}: ${how}`};
  }
  const place = `cursor at line ${cursor.line}, column ${cursor.column}`;
  return {text: `${screen}[session ${id} runs for ${seconds} s; ${place}; ${howToLook}, or write]`, summary: `${id} runs`};
}

/** The reply to a start: one that has ended already counts as a command that was run. */
export function startedTerminal(seen: SeenTerminal, howToLook: string): Pick<ToolReply, 'text' | 'summary'> & Partial<ToolReply> {
  const reply = terminalReply(seen, howToLook);
  if (seen.ended === null) return reply;
  const exitCode = seen.ended.signal === 0 ? seen.ended.exitCode : null;
  return {...reply, isError: exitCode !== 0, command: {line: seen.command, exitCode}};
}

/** The commands of a thread, one a line. */
export function sessionList({sessions}: Pick<CommandSessionResult, 'sessions'>): string {
  const lines = sessions.map(
    ({session, command, ageMs, isRunning}) =>
      `${session}  ${isRunning ? 'runs for' : 'ended after'} ${(ageMs / 1000).toFixed(1)} s  ${command.split('\n', 1)[0]}`,
  );
  return lines.join('\n') || '(no sessions)';
}

/** One entry a line: its path, or with `detailed` also size and time; a tree shows names under their folders. */
export function entryLines({entries}: ListEntriesResult, form: 'concise' | 'detailed' | 'tree'): string {
  const lines = entries.map(({path, level, kind, size, modified}) => {
    const end = kind === 'directory' ? '/' : kind === 'link' ? '@' : '';
    if (form === 'tree') return `${'  '.repeat(level)}${path.split('/').at(-1)}${end}`;
    return form === 'concise' ? path + end : `${size ?? '?'}\t${modified ?? '?'}\t${path}${end}`;
  });
  return lines.join('\n') || '(no entries)';
}
