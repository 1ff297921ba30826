import {spawn, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {startModelServer, type ModelScript} from '../../src/testing/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/guide/sdk.md');
const page = readFileSync(PAGE, 'utf8');

/** The programs of the page, by the heading that they stand below. */
const PROGRAMS = new Map(
  Array.from(page.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```ts\n([^]*?)^```$/gm), ([, heading = '', code = '']) => [heading, code]),
);

const EMBED = readFileSync(join(ROOT, 'examples/embed/embed.ts'), 'utf8');

/** A folder with the built package, as an embedder has it. */
let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-test-')));
  const modules = join(root, 'node_modules');
  cpSync(join(ROOT, 'dist'), join(modules, 'fettle'), {recursive: true});
  for (const name of ['@lydell/node-pty', '@types/node', 'undici-types', 'zod']) {
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
});

afterAll(() => rmSync(root, {recursive: true, force: true}));

/** A folder of their own for programs that use the package. */
function folderOf(programs: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(root, 'program-'));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'work/README.md'), 'One.\nTwo.\n');
  for (const [name, code] of programs) writeFileSync(join(folder, fileOf(name)), code);
  const compilerOptions = {strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: ['node']};
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions, files: [...programs.keys()].map(fileOf)}));
  return folder;
}

function fileOf(name: string): string {
  return `${name.toLowerCase().replaceAll(' ', '-')}.ts`;
}

/** What a program prints, with a model that answers so. */
async function printed({name, code, args = []}: {name: string; code: string; args?: string[]}, script: ModelScript): Promise<string> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const folder = folderOf(new Map([[name, code]]));
  const place = {HOME: folder, FETTLE_HOME: join(folder, 'fettle-home')};
  const env = {
    PATH: process.env['PATH'],
    ...place,
    FETTLE_MODEL: 'ollama/model',
    OLLAMA_BASE_URL: server.url,
    NODE_COMPILE_CACHE: join(root, 'compiled'),
  };
  const child = spawn(process.execPath, [join(folder, fileOf(name)), ...args], {
    cwd: join(folder, 'work'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}${errors}`.replaceAll(folder, '…');
}

const call = (name: string, input: Readonly<Record<string, string>>): ModelScript[number] => ({toolCalls: [{name, arguments: {...input}}]});
const write = call('write', {path: 'notes.txt', content: 'Noted.\n'});

interface Row {
  readonly name: string;
  readonly script: ModelScript;
  readonly output: string;
}

const ROWS: readonly Row[] = [
  {name: 'Opening a thread', script: [{text: 'A test.'}], output: 'success A test.\n'},
  {name: 'Events', script: [{text: 'Hello.'}], output: 'Hello. (20 tokens)\n'},
  {name: 'Approvals', script: [write, {text: 'Written.'}], output: 'write 1\nsuccess []\n'},
  {name: 'Tools', script: [call('weather', {city: 'Oslo'}), {text: 'Four degrees.'}], output: 'Four degrees.\n'},
  {name: 'A provider of your own', script: [], output: 'You said: Hello.\n'},
  {
    name: 'Plugins',
    script: [{text: 'It is a long story, and begins long ago.'}, {text: 'A test.'}],
    output: 'The turn is over.\nA test.\n',
  },
  {name: 'Resuming', script: [{text: 'I will.'}, {text: 'Plum.'}], output: 'true Plum.\n'},
  {name: 'Undo', script: [write, {text: 'Written.'}], output: "[ 'notes.txt' ]\n"},
  {name: 'Limits and errors', script: [call('ls', {path: '.'})], output: 'turn_limit_reached\nNOT_FOUND\n'},
  {
    name: 'Subagents',
    script: [call('task', {task: 'Look.'}), {text: 'Seen.'}, {text: 'It has looked.'}],
    output: 'explore-task-1 completed true\n',
  },
  {
    name: 'Commands that go on',
    script: [call('start_command', {command: 'echo up; sleep 600', wait_ms: '1'}), {text: 'Started.'}],
    output: 's1 echo up; sleep 600 runs\n',
  },
  {
    name: 'Scheduled tasks',
    script: [call('cron_create', {prompt: 'Check the build.', every: '10m'}), {text: 'Scheduled.'}],
    output: "[ 'Check the build. every 10 minutes' ]\n",
  },
  {name: 'Mentions', script: [{text: 'They agree.'}], output: '[] []\nThey agree.\n'},
];

describe('docs/guide/sdk.md', () => {
  it('has a test for every program, and links to what is there', () => {
    expect([...PROGRAMS.keys()]).toEqual(ROWS.map(({name}) => name));
    expect(page.match(/^```ts$/gm)).toHaveLength(PROGRAMS.size);
    const links = Array.from(page.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(PAGE), path)))).toEqual([]);
  });

  it('its programs fit the declarations of the package, and so does the example', () => {
    const folder = folderOf(new Map([...PROGRAMS, ['embed', EMBED]]));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const {status, stdout} = spawnSync(process.execPath, [tsc, '-p', folder], {encoding: 'utf8'});
    expect([status, stdout]).toEqual([0, '']);
  });

  it.each(ROWS)('$name', async ({name, script, output}) => {
    expect(await printed({name, code: PROGRAMS.get(name) ?? ''}, script)).toBe(output);
  });
});

describe('examples/embed', () => {
  it('runs its tool, shows what happens, and denies where nobody is there', async () => {
    const script = [call('count_lines', {path: 'README.md'}), write, {text: 'It has two lines.'}];
    expect(await printed({name: 'embed', code: EMBED, args: ['How long?']}, script)).toMatchInlineSnapshot(`
      "- count_lines: lines: 2
      - write: deny
      - write: The user refused this call. They said: Nobody is there to allow it.
      denied: A call was denied: write.
      "
    `);
  });

  it('has no more than 70 lines', () => {
    expect(EMBED.split('\n').length).toBeLessThanOrEqual(70);
  });
});
