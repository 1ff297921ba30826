import {toFettleError} from '../../../base/errors.ts';
import type {Mode} from '../../../policy/decision.ts';
import type {Mentions} from '../../../sdk/mentions/open-mentions.ts';
import {createSearchEngine} from '../../../search/create-engine.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import type {OpenThreadOptions} from '../../../sdk/thread/thread-options.ts';
import {sandboxProfile} from '../../../sdk/tools/open-command-sandbox.ts';
import {turnChanges} from '../../../sdk/undo/turn-changes.ts';
import type {AgentSession, BackgroundCommands, ScreenPort, SessionInfo, TurnEnding} from '../host-adapter.ts';
import {listCommands, RESERVED_COMMANDS, runCommand} from './commands/command-table.ts';
import type {CommandTalk, RunCommandLine} from './commands/session-command.ts';
import {openConversation, type Conversation, type Ended} from './conversation.ts';
import {gitBranch} from './git-branch.ts';
import {keepLine} from './keep-line.ts';
import {subagentAccess} from './subagent-access.ts';
import {createFindFiles} from './mentions/find-files.ts';
import {createFindMentions} from './mentions/find-mentions.ts';
import {createMentionReader, type MentionReader} from './mentions/read-mentioned.ts';
import {modesOf} from './modes.ts';
import {sessionPictures} from './pictures/session-pictures.ts';
import {turnEnding} from './turn-ending.ts';

export interface FettleSessionOptions {
  /** With a model, and with the trust of the project settled. */
  readonly settings: SessionSettings;
  /** A session to go on with. */
  readonly resume?: OpenThreadOptions['resume'];
  readonly port: ScreenPort;
  /** For the commands that the command line has, too; without it they say so. */
  readonly runCommandLine?: RunCommandLine | undefined;
}

/** A conversation with Fettle for the screen. Throws what `openThread` does. */
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
  const mentions = (): Mentions => conversation.thread.mentions;
  const mentioned = createMentionReader({mentions, note: port.note});
  return {
    get info() {
      return infoOf(conversation);
    },
    earlier: conversation.earlier,
    notes: notesOf(conversation),
    submit: (text, stop) => submitted(conversation, {text, mentioned}, stop),
    steer(text) {
      try {
        conversation.thread.steer(text);
      } catch (thrown) {
        port.note(errorText(thrown));
      }
    },
    commands: async () => await listCommands(conversation.thread),
    async command(name, typed, stop) {
      const result = await runCommand(talk, {name, typed}, stop);
      await mentioned.ofCommand(result, typed, stop);
      return result;
    },
    files: createFindMentions({
      files: createFindFiles(settings.cwd),
      mentions,
      engine: createSearchEngine(),
      root: settings.cwd,
    }),
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

/** Programs that draw on a terminal would wait for ever for keys that do not come. */
function needsTerminal(line: string): {readonly output: string; readonly exitCode: number} | undefined {
  const [, program] = /^\s*(vim?|nvim|nano|emacs|htop|top|less|more|man|tmux|screen)(?:\s[^|<>;&]*)?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  return {output: `${program} needs a terminal, and behind ! there is none. Ctrl-Z goes to the shell, fg comes back.`, exitCode: 126};
}

function notesOf({settings, thread}: Conversation): readonly string[] {
  const waiting = thread.waiting();
  const left =
    waiting === 0 ? [] : [`${waiting} typed before ${waiting === 1 ? 'waits: it goes' : 'wait: they go'} to the model with the next task.`];
  return [...settings.notices, ...thread.notes, ...left];
}

/** The other session is opened first: where that fails, this one goes on. A new one begins in the mode of this one. */
async function switchedTo(options: FettleSessionOptions, from: Conversation, signal: AbortSignal): Promise<AgentSession> {
  const {settings} = from;
  const next = await openConversation({...options, settings, reservedCommands: RESERVED_COMMANDS}, signal);
  if (options.resume === undefined) next.thread.setMode(from.thread.mode());
  for (const line of keptLines(await from.close())) options.port.note(line);
  if (from.facts.isUsed) options.port.note('The session before is kept: /resume lists it.');
  return {...sessionOf({...options, settings}, next), notes: notesOf(next).filter((note) => !settings.notices.includes(note))};
}

/** Never rejects for what was typed, a model or a tool: that is an ending. */
async function submitted(
  conversation: Conversation,
  {text, mentioned}: {readonly text: string; readonly mentioned: Pick<MentionReader, 'ofMessage'>},
  signal: AbortSignal,
): Promise<TurnEnding> {
  const {facts} = conversation;
  facts.takeCheckpoints();
  try {
    await mentioned.ofMessage(text, signal);
    const task = text.startsWith('/') ? await conversation.thread.commands.task(text, signal) : text;
    const result = await conversation.run(task, signal);
    return turnEnding(result, await turnChanges(conversation.settings, facts.takeCheckpoints()));
  } catch (thrown) {
    return {outcome: signal.aborted ? 'cancelled' : 'failed', lines: [errorText(thrown)]};
  }
}

function errorText(thrown: unknown): string {
  const {message, hint} = toFettleError(thrown);
  return [message, hint].filter((part) => part !== undefined).join(' ');
}

function infoOf({thread, settings, facts}: Conversation): SessionInfo {
  return {
    model: settings.settings.model,
    mode: thread.mode(),
    sandbox: sandboxProfile(settings),
    branch: gitBranch(settings.cwd),
    title: facts.title,
    contextTokens: facts.contextTokens,
    contextWindow: thread.window.tokens,
    costUsd: facts.costUsd,
    sessionId: thread.id,
  };
}

function nextMode({thread, settings}: Conversation): Mode {
  const modes = modesOf(settings);
  const next = modes[(modes.indexOf(thread.mode()) + 1) % modes.length] ?? 'ask';
  thread.setMode(next);
  return next;
}

function endLines({thread, facts}: Conversation, ended: Ended): readonly string[] {
  return [...keptLines(ended), ...(facts.isUsed ? [`Resume this session: fettle --resume ${thread.id}`] : [])];
}

function keptLines({kept, late}: Ended): readonly string[] {
  return [
    ...kept.flatMap(({pid, command, outputFile}) => [
      `Kept running: pid ${pid}: ${command.replaceAll('\n', ' ⏎ ')}`,
      `  its output: ${outputFile}; to end it: kill -- -${pid}`,
    ]),
    ...late,
  ];
}
