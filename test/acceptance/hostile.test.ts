import {execFileSync} from 'node:child_process';
import {lstatSync, rmSync, writeFileSync} from 'node:fs';
import {mkdir, open, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/base/json.ts';
import {inputSchema} from '../../src/tools/arguments/schema.ts';
import type {Tool} from '../../src/tools/toolset.ts';
import {loadToolsetByName} from '../../src/tools/toolsets/load-toolset.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset, type OpenedToolset} from '../tools/support/open-toolset.ts';

const TOOLSETS = ['fettle', 'microcode', 'blade', 'vibe', 'vtcode'] as const;
const TEN_MB = 'x'.repeat(10_000_000);
/** No text that repeats what it was given is longer. */
const SHORT = 25_000;

/** All that can be called, shown to models or not. */
async function toolsOf(name: string): Promise<readonly Tool[]> {
  const {tools, deferred} = await loadToolsetByName(name);
  return [...tools, ...((await deferred?.()) ?? [])];
}

/** Something that fits a parameter, so that only one of them is wrong. */
const FITTING: Readonly<Record<string, unknown>> = {
  patches: [{old_text: 'a', new_text: 'b'}],
  calls: [{tool: 'read_file', arguments: {path: 'own.txt'}}],
  questions: [{question: 'a?', header: 'a', options: [{label: 'a'}, {label: 'b'}]}],
  todos: [],
  paths: ['own.txt'],
  args: [],
  action: 'read',
  path: 'own.txt',
  file_path: 'own.txt',
  source: 'own.txt',
  destination: 'other.txt',
  command: 'true',
  content: '<<<<<<< SEARCH\nown\n=======\nother\n>>>>>>> REPLACE\n',
  line: 1,
  start_line: 1,
  end_line: 1,
};

function fitting(tool: Tool, changed: object): object {
  const required = (inputSchema(tool).required ?? []) as string[];
  const given = Object.fromEntries(required.map((name) => [name, FITTING[name] ?? 'a']));
  return {...given, ...(tool.name === 'apply_patch' ? {path: 'own.txt', old_text: 'a', new_text: 'b'} : {}), ...changed};
}

function makePipe(root: string): void {
  rmSync(join(root, 'pipe'), {recursive: true, force: true});
  execFileSync('mkfifo', [join(root, 'pipe')]);
}

/** Arguments with a text in one of them that escapes nothing; made of parts, because making them of the whole takes longer than the call. */
function withText(tool: Tool, name: string, text: string): string {
  return JSON.stringify(fitting(tool, {[name]: 'HERE'})).replace('HERE', () => text);
}

async function parametersOf(toolset: string, fits: (name: string, property: JsonObject) => boolean): Promise<[Tool, string][]> {
  return (await toolsOf(toolset)).flatMap((tool) =>
    Object.entries((inputSchema(tool).properties ?? {}) as Record<string, JsonObject>)
      .filter(([name, property]) => fits(name, property))
      .map(([name]): [Tool, string] => [tool, name]),
  );
}

const READ: Readonly<Record<string, string>> = {
  fettle: 'read',
  microcode: 'read',
  blade: 'read_file',
  vibe: 'read_file',
  vtcode: 'read_file',
};

async function expectAlive(toolset: string, root: string, tools: OpenedToolset): Promise<void> {
  await writeFile(join(root, 'alive.txt'), 'alive\n');
  expect((await tools.call(READ[toolset] ?? '', {path: 'alive.txt'})).text).toContain('alive');
}

describe.each(TOOLSETS)('hostile input, every tool of %s', (toolset) => {
  it('a FIFO, an endless device and a NUL as any path: an answer, nothing is waited for', async () => {
    const root = await scratch();
    const tools = await openToolset(toolset, root);
    const paths = await parametersOf(toolset, (name) => /^(?:paths?|file_path|source|destination|workdir|cwd)$/.test(name));
    expect(paths.length).toBeGreaterThan(3);
    for (const [tool, name] of paths) {
      for (const path of ['pipe', '/dev/zero', 'own.txt\0.md']) {
        for (const made of ['own.txt', 'other.txt']) rmSync(join(root, made), {recursive: true, force: true});
        writeFileSync(join(root, 'own.txt'), 'own\n');
        if (lstatSync(join(root, 'pipe'), {throwIfNoEntry: false})?.isFIFO() !== true) makePipe(root);
        const {outcome, text} = await tools.call(tool.name, fitting(tool, {[name]: name === 'paths' ? [path] : path}));
        const what = `${tool.name}.${name} ${JSON.stringify(path)}`;
        // What a path names may be deleted, moved and looked at, also where it cannot be read.
        const may = path === 'pipe' && /^(?:delete_file|move_file|get_file_info)$/.test(tool.name);
        expect([what, may ? 'error' : outcome]).toEqual([what, expect.stringMatching(/^(?:error|invalid)$/)]);
        expect(text.length).toBeLessThan(1000);
      }
    }
    await expectAlive(toolset, root, tools);
  });

  it('10 MB in any text: the model gets no more than a page of it', {timeout: 60_000}, async () => {
    const root = await scratch({'own.txt': 'own\n'});
    const tools = await openToolset(toolset, root);
    const writes = /^(?:write|write_file|create_file)\.content$/;
    for (const [tool, name] of await parametersOf(toolset, (_, {type}) => type === 'string')) {
      const {text} = await tools.call(tool.name, withText(tool, name, TEN_MB));
      expect([`${tool.name}.${name}`, text.length < SHORT]).toEqual([`${tool.name}.${name}`, true]);
      if (writes.test(`${tool.name}.${name}`)) expect(text.length).toBeLessThan(300);
    }
    await expectAlive(toolset, root, tools);
  });

  it('lists in lists, 10,000 deep, as any argument: BAD_ARGS says where', async () => {
    const root = await scratch({'own.txt': 'own\n'});
    const tools = await openToolset(toolset, root);
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    for (const [tool, name] of await parametersOf(toolset, () => true)) {
      const given = JSON.stringify(fitting(tool, {[name]: 'HERE'})).replace('"HERE"', deep);
      const {outcome, text} = await tools.call(tool.name, given);
      expect([tool.name, name, outcome, /more than 100 levels at character \d+/.test(text)]).toEqual([tool.name, name, 'invalid', true]);
    }
    await expectAlive(toolset, root, tools);
  });
});

describe('hostile calls', () => {
  it('unknown parameters without end, and of any length, are told in a few lines', async () => {
    const tools = await openToolset('fettle', await scratch({'own.txt': 'own\n'}));
    const many = Object.fromEntries(Array.from({length: 100_000}, (_, index) => [`k${index}`, 1]));
    expect((await tools.text('read', {path: 'own.txt', ...many})).split('\n')).toEqual([
      '1\town',
      ...[0, 1, 2, 3, 4].map((index) => `[note: unknown parameter "k${index}" was ignored (known: path, offset, limit)]`),
      '[note: 99995 more parameters were ignored]',
    ]);
    expect((await tools.text('read', {path: 'own.txt', [TEN_MB]: 1})).length).toBeLessThan(200);
    expect((await tools.call('read', {[`${'_'.repeat(10_000_000)}path`]: 'own.txt'})).repairs[0]?.length).toBeLessThan(100);
  });

  it('a name of 10 MB is not a tool', async () => {
    const tools = await openToolset('blade', await scratch());
    expect((await tools.text(TEN_MB, {})).length).toBeLessThan(2000);
  });

  it('tool_search passes on no call that is nested without end, in whatever form', async () => {
    const tools = await openToolset('fettle', await scratch());
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect((await tools.call('tool_search', `{"name":"move_file","arguments":{"source":${deep}}}`)).outcome).toBe('invalid');
    expect((await tools.call('todo', {todos: deep})).outcome).toBe('invalid');
  });

  it('1,000 calls of one reply are answered in their order; the same one a thousand times is no thousand answers', async () => {
    const {dispatcher} = await openToolset('fettle', await scratch({'own.txt': 'own\n'}));
    const calls = (args: (index: number) => object) =>
      Array.from({length: 1000}, (_, index) => ({id: `c${index}`, name: 'read', arguments: JSON.stringify(args(index))}));
    const signal = new AbortController().signal;
    const different = await dispatcher.dispatchAll(
      calls((index) => ({path: 'own.txt', limit: index + 1})),
      signal,
    );
    expect(different.map(({callId, outcome}) => [callId, outcome])).toEqual(
      Array.from({length: 1000}, (_, index) => [`c${index}`, 'success']),
    );
    const same = await dispatcher.dispatchAll(
      calls(() => ({path: 'own.txt'})),
      signal,
    );
    expect(Object.entries(Object.groupBy(same, ({outcome}) => outcome)).map(([outcome, all]) => [outcome, all.length])).toEqual([
      ['success', 4],
      ['loop', 996],
    ]);
  });

  it('a batch of 10,000 calls: JSON within the bound, the whole kept; a batch in a batch is refused', async () => {
    const tools = await openToolset('blade', await scratch({'own.txt': 'own\n'}));
    const calls = Array.from({length: 10_000}, () => ({tool: 'read_file', arguments: {path: 'own.txt'}}));
    const {text, spoolPath} = await tools.call('batch', {calls});
    expect([JSON.parse(text), text.length <= 50 * 1024, spoolPath]).toEqual([
      expect.objectContaining({truncated: true, meta: expect.objectContaining({total: 10_000})}),
      true,
      expect.any(String),
    ]);
    const nested = JSON.parse(await tools.text('batch', {calls: [{tool: 'batch', arguments: {calls: calls.slice(0, 1)}}]})) as object;
    expect(nested).toMatchObject({results: [{ok: false}]});
  });

  it('a todo and a question of any length are refused before anybody sees them', async () => {
    const asked: unknown[] = [];
    const askUser = async (questions: unknown) => {
      asked.push(questions);
      return {answers: [], cancelled: true};
    };
    const tools = await openToolset('fettle', await scratch(), {context: {askUser}});
    const options = [{label: 'a'}, {label: 'b'}];
    const text = 'x'.repeat(1_000_000);
    expect(await tools.text('ask_user', {questions: [{question: text, options}]})).toMatch(
      /^Error: A question or a choice has more than 4000/,
    );
    expect(await tools.text('ask_user', {questions: [{question: 'a?', options: [{label: text}, {label: 'b'}]}]})).toMatch(/more than 4000/);
    expect(await tools.text('todo', {todos: [{content: text}]})).toMatch(/^Error: The todo "1" has more than the 2000 characters/);
    expect([asked, await tools.text('todo', {})]).toEqual([[], '(no todos)']);
  });
});

describe('hostile projects', () => {
  it.each([
    ['full width', '.ｇit/config'],
    ['upper case', '.GIT/config'],
    ['zero width non-joiner', '.g\u200Cit/config'],
    ['left-to-right embedding, which HFS+ leaves out', '.g\u202Ait/config'],
    ['right-to-left override', '.git\u202E/config'],
    ['variation selector', '.git\uFE0F/config'],
    ['combining grapheme joiner', '.\u034Fgit/config'],
    ['stream of NTFS', '.git::$INDEX_ALLOCATION/config'],
    ['short name of FAT', 'GIT~1/config'],
    ['final dots and blanks', '.git. ./config'],
  ])('.git under another spelling is asked about, also where edits are accepted: %s', async (_, path) => {
    const policy = {mode: 'accept-edits', rules: [], fallback: 'ask'} as const;
    const tools = await openToolset('fettle', await scratch(), {policy: () => policy, approve: undefined});
    expect(await tools.call('write', {path, content: 'x'})).toMatchObject({outcome: 'denied'});
    expect(await tools.call('write', {path: 'git/config', content: 'x'})).toMatchObject({outcome: 'success'});
  });

  it.each(['(a+)+$', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y', 'a{1000}{1000}', `${'('.repeat(5000)}${')'.repeat(5000)}`])(
    'a pattern that others take for ever: %s',
    async (pattern) => {
      const root = await scratch({'re.txt': `${'a'.repeat(100_000)}!\n${'x'.repeat(100_000)}\n`});
      for (const [toolset, tool] of Object.entries({
        fettle: 'grep',
        microcode: 'grep',
        blade: 'grep_search',
        vibe: 'grep',
        vtcode: 'grep_file',
      })) {
        const tools = await openToolset(toolset, root);
        const {outcome, text} = await tools.call(tool, {pattern});
        expect([toolset, outcome, text.length < SHORT]).toEqual([toolset, expect.stringMatching(/^(?:success|invalid)$/), true]);
      }
    },
  );

  it('a folder of 20,000 files: every list is a page, and nothing touches them all at once', async () => {
    const root = await scratch({'own.txt': 'own\n'});
    await mkdir(join(root, 'many'));
    for (let index = 0; index < 20_000; index += 1) await (await open(join(root, 'many', `f${index}.txt`), 'w')).close();
    const tools = await openToolset('blade', root);
    const calls: [string, object][] = [
      ['list_dir', {path: 'many'}],
      ['find_files', {pattern: 'f1'}],
      ['find_files_glob', {pattern: '**/*'}],
      ['grep_search', {pattern: 'own'}],
      ['codebase_search', {query: 'own'}],
      ['get_workspace_structure', {}],
      ['read_many_files', {paths: ['many/*']}],
    ];
    for (const [name, args] of calls) {
      const {outcome, text} = await tools.call(name, args);
      expect([name, outcome, text.length < SHORT]).toEqual([name, 'success', true]);
    }
  });
});
