import {toFettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import type {OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {answerLoop, answerSchedule} from '../../../schedule/session/answer-request.ts';
import type {SessionSchedule} from '../../../schedule/session/session-schedule.ts';
import type {Io} from '../io.ts';
import {undoOrRedo} from './undo-or-redo.ts';

/** Dependencies of the slash commands of a chat. */
export interface SlashTalk {
  readonly io: Io;
  readonly thread: Pick<OpenedThread, 'commands' | 'compact' | 'restore'>;
  readonly schedule: SessionSchedule;
  readonly signal: AbortSignal;
}

interface SlashCommand {
  readonly name: string;
  /** Hint at the arguments. */
  readonly hint?: string;
  readonly description: string;
  /** @param typed The text after the name. */
  run(talk: SlashTalk, typed: string): Promise<void>;
}

const COMMANDS: readonly SlashCommand[] = [
  {name: 'help', description: 'this list', run: help},
  {
    name: 'undo',
    description: 'take back the newest turn that changed something: its files, and the conversation since',
    run: ({io, thread}) => undoOrRedo(io, thread, 'undo'),
  },
  {name: 'redo', description: 'take back the undo', run: ({io, thread}) => undoOrRedo(io, thread, 'redo')},
  {name: 'compact', hint: '[WHAT MATTERS]', description: 'shorten the conversation now; nothing is lost', run: compact},
  {
    name: 'loop',
    hint: '[INTERVAL] PROMPT',
    description: 'run a prompt again and again while the chat is open; every 10 minutes where no interval is given',
    run: async ({io, schedule}, typed) => noteLines(io, await answerLoop(schedule, typed)),
  },
  {
    name: 'schedule',
    hint: '[cancel ID]',
    description: 'list the scheduled tasks of this chat; cancel one',
    run: async ({io, schedule}, typed) => noteLines(io, await answerSchedule(schedule, typed)),
  },
  {name: 'exit', description: 'end the chat (also Ctrl-D)', run: async () => undefined},
];

const ENDS: ReadonlySet<string> = new Set(['exit', 'quit']);

/** Names that skills and custom commands cannot replace. */
export const SLASH_NAMES: readonly string[] = [...COMMANDS.map(({name}) => name), 'quit'];

/** Runs a line that is a command of the chat itself. `end`: the chat is over; `none`: it is something else. Never rejects. */
export async function runSlashCommand(talk: SlashTalk, line: string): Promise<'done' | 'end' | 'none'> {
  const [, name = '', typed = ''] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(line) ?? [];
  if (ENDS.has(name) && typed === '') return 'end';
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined || (typed !== '' && command.hint === undefined)) return 'none';
  try {
    await command.run(talk, typed);
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    talk.io.note(visibleText([message, hint].filter((part) => part !== undefined).join(' ')));
  }
  return 'done';
}

async function help({io, thread}: SlashTalk): Promise<void> {
  const {entries, problems} = await thread.commands.list();
  const own = COMMANDS.map(({name, hint, description}) => usage(name, hint, description));
  const others = entries.map(({name, argumentHint, description}) => usage(name, argumentHint, description));
  const lines = [...own, MCP, ...(others.length === 0 ? [] : ['', ...others]), '', KEYS, ...problems];
  io.note(lines.map(visibleText).join('\n'));
}

function usage(name: string, hint: string | undefined, description: string): string {
  return `/${[name, hint ?? ''].filter((part) => part !== '').join(' ')}   ${description}`;
}

const MCP = '/mcp__SERVER__PROMPT ARGUMENTS   run a prompt of an MCP server; fettle mcp test SERVER lists them';

const KEYS = `Ctrl-C  cancel the running turn, again to end at once; at the prompt: clear the line, twice to end
A line that is typed while a turn runs is the next task.
The session is saved: fettle --last resumes it.`;

function noteLines(io: Io, lines: readonly string[]): void {
  for (const line of lines) io.note(line);
}

async function compact({io, thread, signal}: SlashTalk, typed: string): Promise<void> {
  const {mode, before, after} = await thread.compact(typed === '' ? undefined : typed, signal);
  const size = `about ${before.toLocaleString('en')} tokens before, ${after.toLocaleString('en')} now`;
  io.note(mode === 'none' ? 'There is nothing to shorten yet.' : `${HOW[mode]}: ${size}. The log keeps all of it.`);
}

const HOW = {
  trim: 'Old results were left out',
  local: 'The older part was summarised',
  provider: 'The older part was shortened by the provider',
  mechanical: 'The older part was left out without a summary',
} as const;
