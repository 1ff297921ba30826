import {spawnSync} from 'node:child_process';
import {cp, mkdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {encode} from 'gpt-tokenizer/encoding/o200k_base';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {toolFile} from '../tools/custom/run-tools.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, LAUNCHER, modelServer, place, type Finished, type Place} from './support.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/tools');
const DIST = join(LAUNCHER, '../..');

/** A place with files in the tools folder of its user. */
async function placeWithTools(tools: Readonly<Record<string, string>>, config = ''): Promise<Place> {
  const at = await place({}, config);
  const files = await scratch(tools);
  await cp(files, join(at.home, 'tools'), {recursive: true});
  return at;
}

const short = (at: Place, text: string): string => text.replaceAll(at.home, '<home>').replaceAll(at.work, '<work>');

/** Name and text of each result that the model got. */
function outputsOf(done: Finished): [string, string][] {
  return eventsOf(done).flatMap(({type, item}): [string, string][] => {
    const {type: kind, tool_name: name, output} = (item ?? {}) as Record<string, unknown>;
    return type === 'item.completed' && kind === 'tool_output' ? [[String(name), String(output)]] : [];
  });
}

describe('a tool is dropped into a folder (vibe tool system › Creating Custom Tools)', () => {
  it('tools list shows where it comes from, and what is wrong with another', async () => {
    const at = await placeWithTools({'greet.ts': toolFile('hello'), 'broken.ts': 'export const = 1;\n'});
    const {code, stdout, stderr} = await sharedFettle(at, ['tools', 'list']);
    expect(code).toBe(0);
    expect(
      short(at, stdout)
        .split('\n')
        .find((line) => line.startsWith('greet')),
    ).toMatch(/^greet +pure +Answers hello\. {2}\(<home>\/tools\/greet\.ts\)$/);
    expect(short(at, stderr)).toMatch(/^<home>\/tools\/broken\.ts: not loaded: SyntaxError in line 1: .*\n$/);
  });

  it('runs from an installed package that has no node_modules around it, in a folder without one, in JavaScript and TypeScript', async () => {
    const installed = await scratch();
    for (const part of ['bin', 'lib', 'package.json']) await cp(join(DIST, part), join(installed, part), {recursive: true});
    const at = await placeWithTools({'typed.ts': toolFile('typed'), 'plain.js': toolFile('plain')});
    const call = (name: string) => {
      const done = spawnSync(process.execPath, [join(installed, 'bin/fettle.cjs'), 'tools', 'call', name, '{}'], {
        cwd: at.work,
        env: at.env,
        encoding: 'utf8',
      });
      return [done.status, done.stdout, done.stderr];
    };
    expect([call('typed'), call('plain')]).toEqual([
      [0, 'answer: typed\n', ''],
      [0, 'answer: plain\n', ''],
    ]);
  });

  it('a project cannot bring its own: nothing of a folder runs before trust', async () => {
    const at = await place({'.fettle/tools/evil.mjs': 'import fs from "node:fs"; fs.writeFileSync("ran", "");'});
    const {stdout, stderr} = await sharedFettle(at, ['tools', 'list']);
    expect([stdout.includes('evil'), short(at, stderr)]).toEqual([
      false,
      '<work>: not trusted: a tool not used. `fettle trust` shows what that is and asks\n',
    ]);
    await expect(readFile(join(at.work, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('a pattern that cannot be read is a mistake of the configuration, with its place', async () => {
    const at = await place({}, 'disabled_tools = ["re:("]\n');
    const {code, stderr} = await sharedFettle(at, ['tools', 'list']);
    expect([code, short(at, stderr).split('\n')[0]]).toEqual([
      2,
      expect.stringContaining('<home>/config.toml:1: disabled_tools[0] must have a regular expression after `re:`, not "re:("'),
    ]);
  });
});

describe('a tool that never ends', () => {
  it('costs the command no more than its limit and a moment, whatever it still holds open', async () => {
    const stuck = toolFile('x', 'timeoutMs: 50,').replace(
      "async run() { return {answer: 'x'}; }",
      'run: () => new Promise((done) => setTimeout(done, 3_600_000))',
    );
    const at = await placeWithTools({'stuck.ts': stuck});
    const done = await fettle(at, ['tools', 'call', 'stuck', '{}']);
    expect([done.code, done.stdout.split('\n')[0]]).toEqual([
      1,
      'Error: stuck: No progress for 50 ms; abandoned. It may still be running.',
    ]);
  });
});

describe('a model calls it', () => {
  it('is told of it, gets its result, and the run goes on where it fails or floods', async () => {
    const fragile = toolFile('x')
      .replace("async run() { return {answer: 'x'}; }", "async *run() { yield 'almost'; throw new Error('out of luck'); }")
      .replace('tool =', 'fragile =');
    const flood = toolFile('x').replace("async run() { return {answer: 'x'}; }", "async *run() { for (;;) yield 'more'; }");
    const server = await modelServer([{toolCalls: ['greet', 'fragile', 'flood'].map((name) => ({name, arguments: {}}))}, {text: 'done'}]);
    const at = await placeWithTools(
      {'greet.ts': toolFile('hello'), 'fragile.ts': fragile, 'flood.ts': flood, 'bad.ts': '('},
      server.config,
    );
    const done = await sharedFettle(at, ['exec', '--json', 'go']);
    expect(done.code).toBe(0);
    expect(outputsOf(done).map(([name, output]) => [name, short(at, output)])).toEqual([
      ['greet', 'answer: hello'],
      ['fragile', 'Error: fragile: out of luck\nIt is a tool of <home>/tools/fragile.ts.'],
      ['flood', 'Error: flood: It yielded more than 10000 events.'],
    ]);
    expect(short(at, done.stderr)).toContain('<home>/tools/bad.ts: not loaded: SyntaxError in line 1');
    expect(server.violations).toEqual([]);
    expect(JSON.stringify(server.requests[0])).toContain('Answers hello.');
  });
});

describe('examples/tools', () => {
  const files = {
    'package.json': JSON.stringify({name: 'demo', scripts: {test: 'vitest', build: 'tsc'}, items: [{name: 'a'}, {name: 'b'}]}),
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- One.\n\n## 1.0.0\n\n### Fixed\n\n- Old.\n',
  };
  const at = () => place(files, `tool_paths = [${JSON.stringify(EXAMPLES)}]\n`);

  it.each([
    ['scripts.*', 0, '$.scripts.test = "vitest"\n$.scripts.build = "tsc"\n'],
    ['items[1].name', 0, '$.items[1].name = "b"\n'],
    ['items[*].name', 0, '$.items[0].name = "a"\n$.items[1].name = "b"\n'],
    ['', 0, `$ = ${files['package.json']}\n`],
    ['script', 1, 'Error: json_query: package.json has nothing at script.\nAt its top: name, scripts, items.\n'],
  ])('json_query %s', async (query, code, stdout) => {
    const done = await sharedFettle(await at(), ['tools', 'call', 'json_query', JSON.stringify({path: 'package.json', query})]);
    expect([done.code, done.stdout, done.stderr]).toEqual([code, stdout, '']);
  });

  it('changelog_entry, called by a model: state, the right section, a change that is reported; its prompt is sent', async () => {
    const entry = (kind: string, text: string) => ({name: 'changelog_entry', arguments: {kind, text}});
    const server = await modelServer([
      {toolCalls: [entry('Fixed', 'Two.')]},
      {toolCalls: [entry('Added', 'Three.')]},
      {toolCalls: [entry('Fixed', 'Two.')]},
      {text: 'done'},
    ]);
    const there = await place(files, server.config.replace('model =', `tool_paths = [${JSON.stringify(EXAMPLES)}]\nmodel =`));
    const done = await sharedFettle(there, ['exec', '--json', '--mode', 'accept-edits', 'go']);
    expect(done.code).toBe(0);
    expect(await readFile(join(there.work, 'CHANGELOG.md'), 'utf8')).toBe(
      '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- One.\n- Two.\n\n### Added\n\n- Three.\n\n## 1.0.0\n\n### Fixed\n\n- Old.\n',
    );
    const changes = eventsOf(done).flatMap(({type, item}) =>
      (type === 'item.completed' ? [(item as {changes?: object[]}).changes ?? []] : []).flat(),
    );
    expect(changes).toEqual([1, 2].map(() => ({path: join(there.work, 'CHANGELOG.md'), kind: 'update'})));
    expect(JSON.stringify(server.requests[0])).toContain('Use it once for each change that users notice');
    expect(outputsOf(done)).toEqual([
      ['changelog_entry', 'file: CHANGELOG.md\nsection: Fixed\nentries_in_this_session: 1'],
      ['changelog_entry', 'file: CHANGELOG.md\nsection: Added\nentries_in_this_session: 2'],
      ['changelog_entry', 'Error: changelog_entry: This line was added already.'],
    ]);
    expect(server.violations).toEqual([]);
  });

  it('changelog_entry asks before it writes: nobody there, nothing written, exit code 3', async () => {
    const server = await modelServer([{toolCalls: [{name: 'changelog_entry', arguments: {kind: 'Fixed', text: 'x'}}]}, {text: 'no'}]);
    const there = await place(files, server.config.replace('model =', `tool_paths = [${JSON.stringify(EXAMPLES)}]\nmodel =`));
    const done = await sharedFettle(there, ['exec', 'go']);
    expect([done.code, await readFile(join(there.work, 'CHANGELOG.md'), 'utf8')]).toEqual([3, files['CHANGELOG.md']]);
  });

  it('cost this many tokens in every request', async () => {
    const {stdout} = await sharedFettle(await at(), ['tools', 'list', '--json']);
    const schemas = (JSON.parse(stdout) as {name: string}[]).filter(({name}) => /^(?:json_query|changelog_entry)$/.test(name));
    expect(schemas.map((schema) => `${schema.name} ${encode(JSON.stringify(schema)).length}`)).toMatchInlineSnapshot(`
      [
        "changelog_entry 121",
        "json_query 95",
      ]
    `);
  });

  it('fit the published types', async () => {
    const folder = await scratch();
    await cp(EXAMPLES, folder, {recursive: true});
    await mkdir(join(folder, 'guide'));
    const guide = await readFile(join(import.meta.dirname, '../../docs/guide/custom-tools.md'), 'utf8');
    const [, source = ''] = /tools\/word-count\.ts\n([\s\S]*?\n {4}\}\);\n)/.exec(guide) ?? [];
    const root = dirname(DIST);
    const config = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2024',
        module: 'nodenext',
        skipLibCheck: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        paths: {'fettle/tools': [join(DIST, 'types/tools/index.d.ts')]},
      },
      include: ['**/*.ts'],
    };
    const wrong = `import {defineCustomTool, z} from 'fettle/tools';
export const wrong = defineCustomTool({
  description: 'd', args: z.object({n: z.number()}), result: z.object({n: z.number()}), state: z.object({n: z.number().default(0)}), sideEffect: 'pure',
  // @ts-expect-error: the result has a number
  async run({n}, {state}) { n.toFixed(); state.n.toFixed(); return {n: 'text'}; },
});`;
    const all = await scratch({
      'wrong.ts': wrong,
      'tsconfig.json': JSON.stringify(config),
      'package.json': '{"type":"module"}',
      'word-count.ts': source,
    });
    await cp(folder, all, {recursive: true});
    const done = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', all], {encoding: 'utf8'});
    expect([source.includes('defineCustomTool'), done.stdout, done.status]).toEqual([true, '', 0]);
  });
});
