import type {AgentSession, BackgroundCommands} from '../host-adapter.ts';
import {listCommands, RESERVED_COMMANDS, runScreenCommand} from './commands/command-table.ts';
import type {CommandTalk, RunCommandLine} from './commands/session-command.ts';
import {openConversation, type Conversation, type ConversationOptions} from './conversation.ts';
import {keepLine} from './add-instruction-line.ts';
import {subagentAccess} from './subagent-access.ts';
import {createMentionReader} from './mentions/read-mentioned.ts';
import {sessionMentions} from './mentions/session-mentions.ts';
import {sessionPictures} from './pictures/session-pictures.ts';
import {errorText, runTurn} from './run-turn.ts';
import {infoOf, nextMode} from './session-info.ts';
import {dueTurn, scheduledLine} from './scheduled-turns.ts';
import {endLines, keptLines, notesOf} from './session-notes.ts';
import {needsTerminal} from './needs-terminal.ts';

export interface FettleSessionOptions extends Omit<ConversationOptions, 'reservedCommands'> {
  /** For the commands that the command line has, too; without it they say so. */
  readonly runCommandLine?: RunCommandLine | undefined;
}

/** Opens a conversation with Fettle for the screen. Throws the errors of `openThread`. */
export async function openFettleSession(options: FettleSessionOptions, signal: AbortSignal): Promise<AgentSession> {
  return sessionOf(options, await openConversation({...options, reservedCommands: RESERVED_COMMANDS}, signal));
}

function sessionOf(options: FettleSessionOptions, conversation: Conversation): AgentSession {
  const {settings, port, runCommandLine} = options;
  const talk: CommandTalk = {
    conversation,
    runCommandLine,
    switchTo: (to, stop) => switchedTo({...options, resume: to}, conversation, stop),
  };
  const mentions = (): Conversation['thread']['mentions'] => conversation.thread.mentions;
  const mentioned = createMentionReader({mentions, note: port.note});
  return {
    get info() {
      return infoOf(conversation);
    },
    earlier: conversation.earlier,
    notes: notesOf(conversation),
    submit: async (text, stop, origin) =>
      (origin === 'scheduled' ? undefined : await scheduledLine(conversation.schedule, text)) ??
      (await runTurn(conversation, {text, mentioned}, stop)),
    takeDue: () => dueTurn(conversation.schedule),
    steer(text) {
      try {
        conversation.thread.steer(text);
      } catch (thrown) {
        port.note(errorText(thrown));
      }
    },
    commands: async () => await listCommands(conversation.thread),
    async command(name, typed, stop) {
      const result = await runScreenCommand(talk, {name, typed}, stop);
      await mentioned.ofCommand(result, typed, stop);
      return result;
    },
    files: sessionMentions(settings.cwd, mentions),
    ...sessionPictures(settings, () => conversation.thread.id),
    shell: async (line, stop, onOutput) =>
      needsTerminal(line) ?? (await conversation.thread.shell(line, stop, (_, piece) => onOutput?.(piece))),
    keep: async (line, stop) => await keepLine({conversation, port}, line, stop),
    subagents: subagentAccess(conversation),
    retryRequest: (agentId) => conversation.thread.retryRequest(agentId),
    background: backgroundOf(conversation),
    nextMode: () => nextMode(conversation),
    close: async () => endLines(conversation, await conversation.close()),
  };
}

/** The commands of the thread that is open at the moment of each call. */
function backgroundOf(conversation: Conversation): BackgroundCommands {
  return {
    watch: (id, listener) => conversation.thread.live.watch(id, listener),
    type: (id, bytes) => conversation.thread.live.type(id, bytes),
    end: async (id) => await conversation.thread.live.end(id),
  };
}

/** Opens the other session first: if that fails, this one goes on. A new one begins in the mode of this one. */
async function switchedTo(options: FettleSessionOptions, from: Conversation, signal: AbortSignal): Promise<AgentSession> {
  const {settings} = from;
  const next = await openConversation({...options, settings, reservedCommands: RESERVED_COMMANDS}, signal);
  if (options.resume === undefined) next.thread.setMode(from.thread.mode());
  for (const line of keptLines(await from.close())) options.port.note(line);
  if (from.facts.isUsed) options.port.note('The previous session is saved: /resume lists it.');
  return {...sessionOf({...options, settings}, next), notes: notesOf(next).filter((note) => !settings.notices.includes(note))};
}
