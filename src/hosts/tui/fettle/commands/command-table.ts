import {toFettleError} from '../../../../base/errors.ts';
import type {OpenedThread} from '../../../../sdk/thread/open-thread.ts';
import type {CommandResult, SessionCommand} from '../../host-adapter.ts';
import {LINE_COMMANDS} from './line-commands.ts';
import {MODEL_COMMANDS} from './model-commands.ts';
import {SCHEDULE_COMMANDS} from './schedule-commands.ts';
import {SESSION_COMMANDS} from './session-commands.ts';
import {text, type CommandTalk, type OwnCommand} from './session-command.ts';
import {STATE_COMMANDS} from './state-commands.ts';
import {UNDO_COMMANDS} from './undo-commands.ts';

const COMMANDS: readonly OwnCommand[] = [
  ...MODEL_COMMANDS,
  ...SESSION_COMMANDS,
  ...UNDO_COMMANDS,
  ...STATE_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...LINE_COMMANDS,
];

/** Names that no skill and no custom command takes the place of; the screen has some of its own. */
export const RESERVED_COMMANDS: readonly string[] = ['agents', 'help', 'ps', 'theme', ...COMMANDS.map(({name}) => name)];

/** Every command that can be typed: those of the session, then custom ones and skills. */
export async function listCommands({commands}: Pick<OpenedThread, 'commands'>): Promise<readonly SessionCommand[]> {
  const {entries} = await commands.list();
  return [
    ...COMMANDS.map(({name, hint, description, whileWorking}) => ({name, hint, description, group: 'session', whileWorking}) as const),
    ...entries.map(({name, argumentHint, description, kind}): SessionCommand => {
      const hint = argumentHint === '' ? undefined : argumentHint;
      return {name, hint, description, group: kind === 'skill' ? 'skill' : 'custom'};
    }),
  ];
}

/** Runs a command of the session. undefined: unknown name. Never rejects: an error becomes a text. */
export async function runScreenCommand(
  talk: CommandTalk,
  {name, typed}: {readonly name: string; readonly typed: string},
  signal: AbortSignal,
): Promise<CommandResult | undefined> {
  const command = COMMANDS.find((one) => one.name === name);
  try {
    if (command !== undefined) return await command.run(talk, typed.trim(), signal);
    const {thread} = talk.conversation;
    const {entries} = await thread.commands.list();
    if (!name.startsWith('mcp__') && !entries.some((entry) => entry.name === name)) return undefined;
    return {type: 'task', text: await thread.commands.task(`/${name} ${typed}`.trim(), signal)};
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    return text([message, hint].filter((part) => part !== undefined).join(' '));
  }
}
