import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import type {RunResult} from '../../../src/agent/thread.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {loadSettings, withModel, type SettingsRequest} from '../../../src/sdk/settings/load-settings.ts';
import {type OpenedThread, openThread} from '../../../src/sdk/thread/open-thread.ts';
import type {OpenThreadOptions} from '../../../src/sdk/thread/thread-options.ts';
import {startModelServer, type ModelScript} from '../../../src/testing/index.ts';
import {scratch} from '../../support/scratch.ts';

export interface HookedRun {
  readonly cwd: string;
  readonly result: RunResult;
  readonly events: readonly ThreadEvent[];
  /** The texts that stand for the results of calls, in the last request. */
  readonly results: readonly string[];
  /** What users said, in the last request. */
  readonly said: readonly string[];
  /** What a hook wrote as `log.jsonl`: its stdin, each time. */
  log(): Promise<Record<string, unknown>[]>;
}

export interface HookedOptions extends Partial<Omit<OpenThreadOptions, 'session'>> {
  readonly script: ModelScript;
  /** config.toml of the person. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Files beside config.toml. */
  readonly own?: Readonly<Record<string, string>>;
  readonly trust?: SettingsRequest['trust'];
  readonly flags?: SettingsRequest['flags'];
  readonly prompt?: string;
  /** Called when a call is about to run. */
  readonly act?: (thread: OpenedThread) => void;
}

/** A thread in a scratch folder with real hooks, a scripted model and everything allowed, from its start to its end. */
export async function runHooked(options: HookedOptions): Promise<HookedRun> {
  const {
    script,
    config = '',
    files = {},
    own = {},
    trust,
    flags = {'--mode': 'full-auto', '--sandbox': 'off'},
    prompt = 'go',
    act,
    ...rest
  } = options;
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const cwd = await scratch({'a.txt': 'one\n', ...files});
  const home = await scratch({'config.toml': config, ...own});
  const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: server.url};
  const session = withModel(await loadSettings({cwd, env, home, flags, trust}));
  const signal = new AbortController().signal;
  const events: ThreadEvent[] = [];
  const onEvent = (event: ThreadEvent): void => {
    events.push(event);
    if (event.type === 'item.started' && event.item.type === 'tool_invocation') act?.(thread);
  };
  const thread: OpenedThread = await openThread({session, onEvent, ...rest}, signal);
  const result = await thread.run(prompt, signal);
  await thread.close(result);
  expect(server.violations).toEqual([]);
  const messages = (server.requests.at(-1)?.body['messages'] ?? []) as {role: string; content: string}[];
  const of = (role: string): string[] => messages.filter((message) => message.role === role).map(({content}) => content);
  return {
    cwd,
    result,
    events,
    results: of('tool'),
    said: of('user'),
    async log() {
      const text = await readFile(join(cwd, 'log.jsonl'), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
    },
  };
}

/** What the harness told people. */
export function told({events}: HookedRun): string[] {
  return events.flatMap((event) => (event.type === 'item.completed' && event.item.type === 'harness' ? (event.item.message ?? []) : []));
}

export const call = (name: string, args: object) => ({toolCalls: [{name, arguments: {...args}}]});
export const DONE = {text: 'Done.'};

/** A hook as JSON of Claude Code. */
export function theirs(event: string, command: string, matcher = ''): string {
  return JSON.stringify({hooks: {[event]: [{matcher, hooks: [{type: 'command', command}]}]}});
}
