import {spawn} from 'node:child_process';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import {killedWithTest} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

/** Runs the official suite, and returns its exit code with its last words, which name what failed. */
export async function runSuite(args: readonly string[]): Promise<{code: number | null; failures: string[]}> {
  const {code, said} = await suiteSays(args);
  return {code, failures: code === 0 ? [] : said.split('\n').filter((line) => line.trimStart().startsWith('✗'))};
}

/** Runs the official suite, and returns its exit code with all that it says. */
export async function suiteSays(args: readonly string[]): Promise<{code: number | null; said: string}> {
  const child = spawn(process.execPath, [SUITE, ...args, '-o', await scratch()], {
    env: {PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? ''},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killedWithTest(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return {code, said: `${out}\n${err}`};
}
