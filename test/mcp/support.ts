import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import type {McpServer} from '../../src/config/settings.ts';
import {openServers, type OpenedServers} from '../../src/mcp/open-servers.ts';
import type {DispatchResult} from '../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import type {DispatcherOptions} from '../../src/tools/dispatch/dispatch.ts';
import type {AskUser} from '../../src/tools/ports/user-questions.ts';
import {scratch} from '../support/scratch.ts';
import {fakeOptions} from '../tools/support/fake-toolset.ts';

export interface Served extends OpenedServers {
  call(name: string, args?: object, signal?: AbortSignal): Promise<DispatchResult>;
}

export type ServedOptions = Partial<Omit<DispatcherOptions, 'context'>> & {
  readonly context?: Partial<DispatcherOptions['context']>;
  /** The folder that is worked in; without it an empty one. */
  readonly folder?: string;
  /** Of an earlier session; without it nothing was ever accepted. */
  readonly stateDir?: string;
  /** The person whom servers are put to that have changed. */
  readonly askUser?: AskUser;
  readonly onWait?: (line: string) => void;
};

/** Servers started as in a thread, their tools behind the real dispatcher. */
export async function served(servers: readonly McpServer[], options: ServedOptions = {}): Promise<Served> {
  const place = {
    env: {PATH: process.env['PATH'], SECRET_TOKEN: 'not for servers'},
    cwd: options.folder ?? (await scratch()),
    stateDir: options.stateDir ?? (await scratch()),
    version: '1.0.0',
    askUser: options.askUser,
    onWait: options.onWait,
  };
  const opened = await openServers(servers, place, new AbortController().signal);
  onTestFinished(() => opened.close());
  const base = fakeOptions(opened.resources === undefined ? opened.tools : [...opened.tools, opened.resources]);
  const {context, folder: _folder, stateDir: _stateDir, askUser: _askUser, onWait: _onWait, ...rest} = options;
  const spoolDir = join(place.cwd, 'spool');
  const dispatcher = createDispatcher({...base, spoolDir, ...rest, context: {...base.context, ...context}});
  let calls = 0;
  return {
    ...opened,
    call(name, args = {}, signal = new AbortController().signal) {
      calls += 1;
      return dispatcher.dispatch({id: `call_${calls}`, name, arguments: JSON.stringify(args)}, signal);
    },
  };
}

/** What a server said in a result, without the frame that it must stand in. */
export function saidIn({text}: {readonly text: string}): string {
  const [, said] = /^<mcp_result server="[a-z]+">\n(.*)\n<\/mcp_result>$/s.exec(text) ?? [];
  return said ?? `not framed: ${text}`;
}

/** Options for a Node that gets no variables of the tests: it starts in half of the time. */
export const COMPILED: readonly string[] = ['--import', join(import.meta.dirname, 'servers/compiled.mjs')];

/** The server of `servers/hostile.ts` that misbehaves in one way. */
export function hostile(way: string, settings: Partial<McpServer> & {detail?: string} = {}): McpServer {
  const {detail, ...rest} = settings;
  const args = [...COMPILED, join(import.meta.dirname, 'servers/hostile.ts'), way, ...(detail === undefined ? [] : [detail])];
  return {name: 'bad', transport: 'stdio', command: process.execPath, args, ...rest};
}

/** A server that lists these tools, and answers as it is written. */
export async function written(answers: {
  tools?: readonly object[];
  instructions?: string;
  results?: object;
  errors?: object;
}): Promise<McpServer> {
  const detail = join(await scratch(), 'written.json');
  await writeFile(detail, JSON.stringify(answers));
  return hostile('file', {detail});
}

/** The reference server of the protocol's authors. */
export const EVERYTHING: McpServer = {
  name: 'every',
  transport: 'stdio',
  command: process.execPath,
  args: [...COMPILED, fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))],
};
