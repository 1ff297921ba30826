import {onTestFinished} from 'vitest';
import type {Flags} from '../../src/config/overrides.ts';
import type {RunResult} from '../../src/agent/thread.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {loadSettings, withModel} from '../../src/sdk/settings/load-settings.ts';
import {type OpenedThread, openThread} from '../../src/sdk/thread/open-thread.ts';
import type {OpenThreadOptions} from '../../src/sdk/thread/thread-options.ts';
import {startModelServer, type ReceivedRequest, type ScriptedAnswer} from '../../src/testing/index.ts';
import {scratch} from '../support/scratch.ts';

export type Answer = ScriptedAnswer | ((request: ReceivedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface Script {
  /** The answers of the thread itself, in their order. */
  readonly parent: readonly Answer[];
  /** The answers of a subagent, by a word of its first task. */
  readonly children?: Readonly<Record<string, readonly Answer[]>>;
}

export interface Rig {
  readonly cwd: string;
  readonly home: string;
  /** Of the model server. */
  readonly url: string;
  readonly asked: readonly ReceivedRequest[];
  readonly violations: readonly string[];
  open(over?: Partial<OpenThreadOptions> & {flags?: Flags; trusted?: boolean}): Promise<Opened>;
}

export interface Opened {
  readonly thread: OpenedThread;
  readonly events: ThreadEvent[];
  run(prompt?: string): Promise<RunResult>;
}

/** A thread on real files with a scripted model, which tells the thread and its subagents apart. */
export async function delegationRig(script: Script, files: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Rig> {
  const asked: ReceivedRequest[] = [];
  const taken = new Map<string, number>();
  const answer = async (request: ReceivedRequest): Promise<ScriptedAnswer> => {
    asked.push(request);
    const key = childKey(request, Object.keys(script.children ?? {}));
    const steps = key === undefined ? script.parent : (script.children?.[key] ?? []);
    const count = taken.get(key ?? '') ?? 0;
    taken.set(key ?? '', count + 1);
    const step = steps[count];
    if (step === undefined) throw new Error(`no answer ${count + 1} for ${key ?? 'the thread'}`);
    return typeof step === 'function' ? await step(request) : step;
  };
  const server = await startModelServer(Array.from({length: 200}, () => answer));
  onTestFinished(() => server.close());
  const work = cwd ?? (await scratch(files));
  const home = await scratch({});
  const env = {PATH: process.env['PATH'], FETTLE_HOME: home, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: server.url};
  return {
    cwd: work,
    home,
    url: server.url,
    asked,
    violations: server.violations,
    async open({flags, trusted, ...over} = {}) {
      const request = {cwd: work, env, home, flags: flags ?? {}, ...(trusted === true ? {trust: 'here' as const} : {})};
      const session = withModel(await loadSettings(request));
      const events: ThreadEvent[] = [];
      const {signal} = new AbortController();
      const thread = await openThread({session, onEvent: (event) => void events.push(event), ...over}, signal);
      return {thread, events, run: (prompt) => thread.run(prompt, signal)};
    },
  };
}

/** The word of the first user message that names a subagent's script; undefined: the thread itself asks. */
function childKey(request: ReceivedRequest, keys: readonly string[]): string | undefined {
  const messages = messagesOf(request);
  if (messages.find(({role}) => role === 'system')?.content.includes('End with a report') !== true) return undefined;
  const first = messages.find(({role}) => role === 'user')?.content ?? '';
  return keys.find((key) => first.includes(key)) ?? '?';
}

export const call = (name: string, args: object): ScriptedAnswer => ({toolCalls: [{name, arguments: {...args}}]});
export const agents = (args: object): ScriptedAnswer => call('agents', args);

interface ShownMessage {
  readonly role: string;
  readonly content: string;
}

/** As the server got them. */
export function messagesOf(request: ReceivedRequest | undefined): readonly ShownMessage[] {
  return (request?.body['messages'] ?? []) as readonly unknown[] as readonly ShownMessage[];
}

/** What the model was shown last for its calls. */
export function lastResult(request: ReceivedRequest): string {
  return messagesOf(request).findLast(({role}) => role === 'tool')?.content ?? '';
}

export function userTexts(request: ReceivedRequest): string[] {
  return messagesOf(request)
    .filter(({role}) => role === 'user')
    .map(({content}) => content);
}

export function statuses(events: readonly ThreadEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'agent.status' ? [`${event.agent_id} ${event.status}`] : []));
}
