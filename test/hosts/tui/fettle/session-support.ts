import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openFettleSession, type FettleSessionOptions} from '../../../../src/hosts/tui/fettle/open-fettle-session.ts';
import type {AgentSession, ApprovalQuestion, ApprovalReply, ScreenPort, UserQuestion} from '../../../../src/hosts/tui/host-adapter.ts';
import type {ThreadEvent} from '../../../../src/protocol/events.ts';
import type {LiveCommand} from '../../../../src/protocol/live-command.ts';
import {loadSettings, withModel} from '../../../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../../src/sdk/settings/session-settings.ts';
import {startModelServer, type ModelServer, type ModelScript} from '../../../../src/testing/index.ts';
import {scratch} from '../../../support/scratch.ts';

/** Aborts never. */
export const never = new AbortController().signal;

export interface Place {
  readonly work: string;
  readonly server: ModelServer;
  settings(flags?: Record<string, string>): Promise<SessionSettings>;
}

/** A folder with files, a home of its own, and a model that answers as scripted. */
export async function place(script: ModelScript, files: Record<string, string> = {'a.txt': 'one\n'}): Promise<Place> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const [work, home] = [await scratch(files), await scratch({})];
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    FETTLE_HOME: join(home, 'fettle'),
    FETTLE_MODEL: 'ollama/m',
    OLLAMA_BASE_URL: server.url,
  };
  return {work, server, settings: async (flags = {}) => withModel(await loadSettings({cwd: work, env, home, flags}))};
}

export interface FakeScreen extends ScreenPort {
  /** How often the session said that a task is due. */
  dueCalls: number;
  readonly events: ThreadEvent[];
  readonly notes: string[];
  readonly questions: ApprovalQuestion[];
  readonly asked: (readonly UserQuestion[])[];
  /** The newest list of commands that go on. */
  commands: readonly LiveCommand[];
}

export interface Answering {
  readonly approve?: (question: ApprovalQuestion, signal: AbortSignal) => ApprovalReply | Promise<ApprovalReply>;
  readonly ask?: ScreenPort['ask'];
  readonly review?: ScreenPort['review'];
  readonly onEvent?: (event: ThreadEvent) => void;
  readonly onBackground?: ScreenPort['background'];
}

/** A screen that keeps what it is given; a question without an answer is refused. */
export function fakeScreen({approve = () => ({decision: 'deny'}), ask, review, onEvent, onBackground}: Answering = {}): FakeScreen {
  const [events, notes, questions, asked]: [ThreadEvent[], string[], ApprovalQuestion[], (readonly UserQuestion[])[]] = [[], [], [], []];
  return {
    events,
    notes,
    questions,
    asked,
    onEvent(event) {
      events.push(event);
      onEvent?.(event);
    },
    note: (text) => void notes.push(text),
    dueCalls: 0,
    due() {
      this.dueCalls += 1;
    },
    commands: [],
    background(commands) {
      this.commands = commands;
      onBackground?.(commands);
    },
    trust: async () => 'ignore',
    review: async (question, signal) => await review?.(question, signal),
    async approve(question, signal) {
      questions.push(question);
      return await approve(question, signal);
    },
    async ask(given, signal) {
      asked.push(given);
      return await ask?.(given, signal);
    },
  };
}

export async function opened(options: FettleSessionOptions): Promise<AgentSession> {
  const session = await openFettleSession(options, never);
  onTestFinished(async () => void (await session.close()));
  return session;
}

export const call = (name: string, args: object) => ({toolCalls: [{name, arguments: {...args}}]});

/** What the model was sent last, by role. */
export function lastSent({requests}: Pick<ModelServer, 'requests'>): readonly string[] {
  const messages = (requests.at(-1)?.body['messages'] ?? []) as readonly {role: string; content: string}[];
  return messages.filter(({role}) => role !== 'system').map(({role, content}) => `${role}: ${content}`);
}
