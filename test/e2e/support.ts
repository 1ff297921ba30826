import {spawn, type ChildProcess} from 'node:child_process';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {startModelServer, type ModelScript, type ModelServer} from '../../src/testing/index.ts';
import {endProcessesOf, ended} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';

export const LAUNCHER = join(import.meta.dirname, '../../dist/bin/fettle.cjs');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  /** The folder that is worked in. */
  readonly work: string;
  /** FETTLE_HOME. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Shared by all tests: a home of its own for each would have everything compiled anew. */
const compiled = process.env['NODE_COMPILE_CACHE'] ?? '';

/** A folder to work in and a home of its own, with `files` in the folder and `config` as the configuration. */
export async function place(files: Readonly<Record<string, string | Uint8Array>> = {}, config = ''): Promise<Place> {
  const work = await scratch(files);
  const home = await scratch({'config.toml': config});
  return {work, home, env: {PATH: process.env['PATH'] ?? '', HOME: home, FETTLE_HOME: home, NODE_COMPILE_CACHE: compiled}};
}

/** The built command, as it is installed. */
export async function fettle(at: Place, args: readonly string[], input = ''): Promise<Finished> {
  return await finished(start(at, args), input);
}

/** The built command, which a test may kill: what it leaves behind ends with the test. */
export function start(at: Place, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {cwd: at.work, env: at.env, stdio: ['pipe', 'pipe', 'pipe']});
  onTestFinished(async () => {
    await ended(child, 'SIGKILL');
    // The supervisors of a daemon outlive it; the processes of a killed command end a moment after it.
    if (child.signalCode !== null || args.includes('daemon')) await endProcessesOf(at.home);
  });
  return child;
}

export async function finished(child: ChildProcess, input = ''): Promise<Finished> {
  const {stdin, stdout, stderr} = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('The child has no pipes.');
  stdin.on('error', () => undefined); // a command that does not read stdin may be gone before it is written
  stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(stdout), text(stderr), closed]);
  return {code, stdout: out, stderr: err};
}

export const FORMATS = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  anthropic: '',
  gemini: '/v1beta',
} as const;
export type Format = keyof typeof FORMATS;

/** A scripted model server, and the configuration that names it `test` in a wire format. */
export async function modelServer(script: ModelScript, format: Format = 'openai-chat'): Promise<ModelServer & {readonly config: string}> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const config = `model = "test/model-1"
[provider_limits]
retries = 1
[[custom_providers]]
name = "test"
format = "${format}"
base_url = "${server.url}${FORMATS[format]}"
`;
  return {
    config,
    url: server.url,
    requests: server.requests,
    violations: server.violations,
    release: () => server.release(),
    close: () => server.close(),
  };
}

/** The events of `--json`. */
export function eventsOf({stdout}: Finished): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
