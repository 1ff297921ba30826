import {toFettleError} from '../../../base/errors.ts';
import type {Mode} from '../../../policy/decision.ts';
import type {SessionSettings} from '../../../sdk/load-settings.ts';
import {sandboxProfile} from '../../../sdk/open-command-sandbox.ts';
import type {OpenThreadOptions} from '../../../sdk/open-thread.ts';
import {turnChanges} from '../../../sdk/turn-changes.ts';
import type {AgentSession, ScreenPort, SessionInfo, TurnEnding} from '../host-adapter.ts';
import {openConversation, type Conversation, type Ended} from './conversation.ts';
import {gitBranch} from './git-branch.ts';
import {turnEnding} from './turn-ending.ts';

export interface FettleSessionOptions {
  /** With a model, and with the trust of the project settled. */
  readonly settings: SessionSettings;
  /** A session to go on with. */
  readonly resume?: OpenThreadOptions['resume'];
  readonly port: ScreenPort;
}

/** A conversation with Fettle for the screen. Throws what `openThread` does. */
export async function openFettleSession({settings, resume, port}: FettleSessionOptions, signal: AbortSignal): Promise<AgentSession> {
  const conversation = await openConversation({settings, resume, port, reservedCommands: []}, signal);
  const {thread} = conversation;
  const waiting = thread.waiting();
  return {
    get info() {
      return infoOf(conversation);
    },
    earlier: conversation.earlier,
    notes: [
      ...settings.notices,
      ...thread.notes,
      ...(waiting === 0 ? [] : [`${waiting} typed before wait: they go to the model with the next task.`]),
    ],
    submit: (text, stop) => submitted(conversation, text, stop),
    steer(text) {
      try {
        conversation.thread.steer(text);
      } catch (thrown) {
        port.note(errorText(thrown));
      }
    },
    commands: async () => [],
    command: async () => undefined,
    files: async () => [],
    shell: async (line, stop) => await conversation.thread.shell(line, stop),
    nextMode: () => nextMode(conversation),
    close: async () => endLines(conversation, await conversation.close()),
  };
}

/** Never rejects for what was typed, a model or a tool: that is an ending. */
async function submitted(conversation: Conversation, text: string, signal: AbortSignal): Promise<TurnEnding> {
  const {facts} = conversation;
  facts.takeCheckpoints();
  try {
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

/** Full-auto is a choice only where the session was started with it. */
function nextMode({thread, settings}: Conversation): Mode {
  const modes: readonly Mode[] = [
    'plan',
    'ask',
    'accept-edits',
    ...(settings.settings.mode === 'full-auto' ? (['full-auto'] as const) : []),
  ];
  const next = modes[(modes.indexOf(thread.mode()) + 1) % modes.length] ?? 'ask';
  thread.setMode(next);
  return next;
}

function endLines({thread, facts}: Conversation, {kept, late}: Ended): readonly string[] {
  return [
    ...kept.flatMap(({pid, command, outputFile}) => [
      `Kept running: pid ${pid}: ${command.replaceAll('\n', ' ⏎ ')}`,
      `  its output: ${outputFile}; to end it: kill -- -${pid}`,
    ]),
    ...late,
    ...(facts.isUsed ? [`Go on with this session: fettle --resume ${thread.id}`] : []),
  ];
}
