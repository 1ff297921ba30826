import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');

interface Manifest {
  readonly exports: Readonly<Record<string, string | {readonly types: string; readonly default: string}>>;
  readonly dependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(join(DIST, 'package.json'), 'utf8')) as Manifest;

/** A folder in which the built package is installed, with what its manifest names as dependencies and nothing else. */
async function consumer(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratch({'package.json': '{"type": "module"}', ...files});
  const modules = join(folder, 'node_modules');
  cpSync(DIST, join(modules, 'fettle'), {recursive: true});
  for (const name of ['@types/node', 'undici-types', ...Object.keys(manifest.dependencies)]) {
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
  return folder;
}

function run(folder: string, args: readonly string[]): {status: number | null; output: string} {
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: folder, encoding: 'utf8'});
  return {status, output: stdout + stderr};
}

const EMBEDDER = `
import {loadSettings, openThread, withModel, type RunResult, type ThreadEvent} from 'fettle';
import {EXIT, exitCodeOfOutcome, parseEvent} from 'fettle/protocol';
import {startModelServer, type ModelScript} from 'fettle/testing';
import {defineTool, loadToolsetByName} from 'fettle/tools';
import {runScreen, type AgentSession, type HostAdapter} from 'fettle/tui';

const script: ModelScript = [{text: 'Hello.'}];
const server = await startModelServer(script);
const env = {FETTLE_HOME: import.meta.dirname, FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: server.url};
const session = withModel(await loadSettings({cwd: import.meta.dirname, env, home: import.meta.dirname}));
const seen: ThreadEvent['type'][] = [];
const signal = new AbortController().signal;
const thread = await openThread({session, onEvent: (event) => void seen.push(event.type)}, signal);
const result: RunResult = await thread.run('Hi.', signal);
await thread.close(result);
await server.close();
// @ts-expect-error an event is not a number: the types are not \`any\`
const wrong: number = {} as ThreadEvent;
const known = parseEvent('{"type": "turn.started", "thread_id": "t", "turn_id": "u"}');
const tools = (await loadToolsetByName('fettle')).tools.map(({name}) => name);
// @ts-expect-error a session has more than that
const unfinished: AgentSession = {info: {model: 'mine'}};
const host: Pick<HostAdapter, 'appName'> = {appName: 'Mine'};
console.log(JSON.stringify([result.text, exitCodeOfOutcome(result.outcome) === EXIT.done, seen.at(-1), tools.includes('read'), typeof runScreen]));
export {defineTool, host, known, unfinished, wrong};
`;

/** A file beside a minified module, also where it is loaded later. */
const IMPORTED = /(?:\bfrom|\bimport\(?)\s*"(\.[^"\s]+)"/g;

const COMPILER = {strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: ['node']};

describe('the published package', () => {
  it('has types and code for each entry point, with only its own dependencies', {timeout: 60_000}, async () => {
    const folder = await consumer({
      'embed.ts': EMBEDDER,
      'tsconfig.json': JSON.stringify({compilerOptions: COMPILER, files: ['embed.ts']}),
    });
    expect(run(folder, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toEqual({status: 0, output: ''});
    expect(run(folder, ['embed.ts'])).toEqual({status: 0, output: '["Hello.",true,"thread.completed",true,"function"]\n'});
  });

  it('exports what its manifest says, each in one file', () => {
    expect(Object.keys(manifest.exports)).toEqual(['.', './protocol', './tools', './testing', './tui', './package.json']);
  });

  it('fettle/protocol runs anywhere: nothing of Node in it (design 2)', () => {
    const text = readFileSync(join(DIST, 'lib/protocol.js'), 'utf8');
    expect(text.match(/node:|createRequire|\bprocess\.|from\s*["']\.\//g)).toBeNull();
  });

  it('fettle/tui loads nothing of the agent: its files import each other alone (vtcode architecture › TUI Architecture)', () => {
    const lib = join(DIST, 'lib');
    const own = readdirSync(join(lib, 'tui')).map((name) => join(lib, 'tui', name));
    const imported = [join(lib, 'tui.js'), ...own].flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(IMPORTED), ([, path = '']) => join(dirname(file), path)),
    );
    expect([imported.length > 0, imported.filter((file) => file !== join(lib, 'tui.js') && !own.includes(file))]).toEqual([true, []]);
  });

  it.each([
    [{}, '.cache/fettle/compile'],
    [{XDG_CACHE_HOME: 'cache'}, 'cache/fettle/compile'],
  ])('keeps compiled code below the home of its user, never in a folder that others could write to: %o', async (more, folder) => {
    const home = await scratch();
    const env = {
      HOME: home,
      FETTLE_HOME: home,
      ...Object.fromEntries(Object.entries(more).map(([name, path]) => [name, join(home, path)])),
    };
    const {status} = spawnSync(process.execPath, [join(DIST, 'bin/fettle.cjs'), 'tools', 'list'], {cwd: home, env});
    expect([status, statSync(join(home, folder)).isDirectory()]).toEqual([0, true]);
  });
});
