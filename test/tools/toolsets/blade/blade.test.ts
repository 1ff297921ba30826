import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {advertisedTools} from '../../../../src/tools/toolsets/advertised-tools.ts';
import {toolSchemas} from '../../../../src/tools/arguments/schema.ts';
import type {Capability} from '../../../../src/tools/ports/capability.ts';
import {blade} from '../../../../src/tools/toolsets/blade/blade.ts';
import {scratch} from '../../../support/scratch.ts';
import {openToolset} from '../../support/open-toolset.ts';

const capabilities: ReadonlySet<Capability> = new Set(['symbols']);
const shownTo = (model: string, compositeTools = true): string[] =>
  advertisedTools(blade, {model, compositeTools, hasPerson: true, capabilities}).map((tool) => tool.name);

describe('zblade tool calls › Local vs advertised tools', () => {
  const composite = ['read_many_files', 'batch', 'codebase_investigator'];
  it('"Some composite tools are feature-flag and model-family gated for schema exposure"', () => {
    const families = [
      'openai/gpt-5',
      'openai/o3',
      'openai/o4-mini',
      'anthropic/claude-x',
      'x/Codex-1',
      'ollama/qwen3',
      'a/deepseek',
      'g/gemini',
    ];
    for (const model of families) expect(shownTo(model)).toEqual(expect.arrayContaining(composite));
    for (const model of ['mistral/devstral', 'script:demo']) expect(shownTo(model).filter((name) => composite.includes(name))).toEqual([]);
    expect(shownTo('openai/gpt-5', false).filter((name) => composite.includes(name))).toEqual([]);
  });
  it('a second name of a tool, and what "may exist before local execution support is complete", are not shown; everything else is', () => {
    const hidden = blade.tools.map((tool) => tool.name).filter((name) => !shownTo('openai/gpt-5').includes(name));
    expect(hidden).toEqual(['create_file', 'apply_edit', 'list_directory', 'glob', 'rg', 'symbol_references']);
  });
  it('"they do depend on zblade\'s local language service / symbol index being available": without one its tools are not shown', () => {
    const shown = advertisedTools(blade, {model: 'openai/gpt-5', compositeTools: true, hasPerson: true}).map((tool) => tool.name);
    expect(shown.filter((name) => name.includes('symbol') || name.includes('index'))).toEqual([
      'get_project_index_overview',
      'get_project_index_chunk',
    ]);
  });
  it('the schemas cost a model so many bytes', () => {
    const bytes = (model: string): number =>
      JSON.stringify(toolSchemas({tools: advertisedTools(blade, {model, compositeTools: true, hasPerson: true, capabilities})})).length;
    expect(bytes('mistral/devstral')).toBeLessThan(10_300);
    expect(bytes('openai/gpt-5')).toBeLessThan(12_400);
  });
  it('"compatibility aliases are executor-only": names of the client that stand in no list', async () => {
    const tools = await openToolset('blade', await scratch({'a.txt': 'one\n'}));
    for (const name of ['write_file_validated', 'write_to_file']) {
      expect(await tools.call(name, {TargetFile: 'a.txt', CodeContent: 'one\n'})).toMatchObject({isError: false, toolName: 'write_file'});
    }
    for (const name of ['apply_patch_validated', 'replace_file_content', 'multi_replace_file_content']) {
      expect(await tools.call(name, {TargetFile: 'a.txt', patches: [{old_text: 'one', new_text: 'one '}]})).toMatchObject({isError: false});
      await tools.call('write_file', {path: 'a.txt', content: 'one\n'});
    }
  });
  it('"Excluded server-side tools include" five names, which get an error of the protocol', async () => {
    const tools = await openToolset('blade', await scratch());
    for (const name of ['ask_followup_question', 'attempt_completion', 'new_task', 'generate_image', 'todo_write']) {
      expect((await tools.text(name, {})).split('\n')[0]).toBe(
        `tool_error: Protocol error: ${name} is carried out by a server and never by this executor.`,
      );
    }
  });
});

describe('zblade tool calls › Path safety', () => {
  const outsideBy: readonly (readonly [string, (path: string) => object])[] = [
    ['read_file', (path) => ({path})],
    ['read_file_range', (path) => ({path})],
    ['write_file', (path) => ({path, content: 'x'})],
    ['create_file', (path) => ({path, content: 'x'})],
    ['edit_file', (path) => ({path, old_content: 'secret', new_content: 'x'})],
    ['apply_patch', (path) => ({path, old_text: 'secret', new_text: 'x'})],
    ['apply_patch', (path) => ({path, patches: [{old_text: 'secret', new_text: 'x'}]})],
    ['apply_edit', (path) => ({patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-secret\n+x\n*** End Patch`})],
    ['delete_file', (path) => ({path, recursive: true})],
    ['move_file', (path) => ({source: path, destination: 'in.txt'})],
    ['move_file', (path) => ({source: 'own.txt', destination: path})],
    ['copy_file', (path) => ({source: path, destination: 'in.txt'})],
    ['copy_file', (path) => ({source: 'own.txt', destination: path})],
    ['create_directory', (path) => ({path: `${path}.d`})],
    ['get_file_info', (path) => ({path})],
    ['list_dir', (path) => ({path})],
    ['list_directory', (path) => ({path})],
    ['get_workspace_structure', (path) => ({path})],
    ['find_files', (path) => ({pattern: 'a', path})],
    ['find_files_glob', (path) => ({pattern: '*', path})],
    ['glob', (path) => ({pattern: '*', path})],
    ['grep_search', (path) => ({pattern: 'secret', path})],
    ['rg', (path) => ({pattern: 'secret', path})],
    ['open_file', (path) => ({path})],
    ['symbol_search', (path) => ({query: 'a', path})],
    ['symbol_resolve', (path) => ({path, name: 'a'})],
    ['symbol_outline', (path) => ({path})],
    ['symbol_graph', (path) => ({path, name: 'a'})],
    ['symbol_references', (path) => ({path, name: 'a'})],
    ['get_project_index_overview', (path) => ({path})],
    ['get_project_index_chunk', (path) => ({path})],
    ['run_command', (path) => ({command: 'pwd', cwd: path})],
  ];
  /** With a single component up, an absolute path, and a link inside that leads out. */
  it.each(outsideBy.map(([tool, args]) => [tool, JSON.stringify(args('PATH')), args] as const))(
    '"Absolute paths must still resolve inside the workspace": %s %s',
    async (tool, _shown, args) => {
      const outer = await scratch({'secret.txt': 'secret\n', 'ws/own.txt': 'own\n', 'dir/a': ''});
      const root = join(outer, 'ws');
      await symlink(outer, join(root, 'up'));
      const tools = await openToolset('blade', root);
      const target = ['list', 'find', 'glob', 'structure', 'index', 'run_'].some((part) => tool.includes(part)) ? 'dir' : 'secret.txt';
      for (const path of [`../${target}`, join(outer, target), `up/${target}`]) {
        const result = await tools.call(tool, args(path));
        expect([path, result.isError, (result.structured as {code?: string}).code]).toEqual([path, true, 'OUTSIDE_SCOPE']);
      }
    },
  );
  it('read_many_files takes nothing from outside', async () => {
    const outer = await scratch({'secret.txt': 'secret\n', 'ws/own.txt': 'own\n'});
    const tools = await openToolset('blade', join(outer, 'ws'));
    await symlink(outer, join(outer, 'ws', 'up'));
    for (const path of ['../secret.txt', join(outer, 'secret.txt'), 'up/secret.txt', 'up/*', '../*']) {
      expect([path, await tools.text('read_many_files', {paths: [path]})]).toEqual([
        path,
        expect.not.stringContaining('"content":"1: secret'),
      ]);
    }
  });
  it('the empty path and the workspace itself cannot be deleted', async () => {
    const root = await scratch({'a.txt': 'a'});
    const tools = await openToolset('blade', root);
    for (const path of ['', '.', root, 'x/..'])
      expect(await tools.call('delete_file', {path, recursive: true})).toMatchObject({isError: true});
    expect(await tools.text('list_dir', {})).toBe(`Directory: ${root}\na.txt`);
  });
  it('an output that was kept whole outside may be read again, and nothing beside it', async () => {
    const root = await scratch();
    const spoolDir = join(await scratch({'other.txt': 'no\n'}), 'spool');
    await mkdir(spoolDir);
    await writeFile(join(spoolDir, 'out.txt'), 'kept\n');
    const tools = await openToolset('blade', root, {spoolDir});
    expect(await tools.text('read_file_range', {path: join(spoolDir, 'out.txt')})).toBe(
      `File: ${join(spoolDir, 'out.txt')}\nLines 1-1 (of 1):\n1: kept`,
    );
    expect(await tools.call('read_file', {path: join(spoolDir, '..', 'other.txt')})).toMatchObject({isError: true});
    expect(await tools.call('write_file', {path: join(spoolDir, 'new.txt'), content: ''})).toMatchObject({isError: true});
  });
});

describe('zblade tool calls › Result truncation', () => {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({length: count}, (_, index) => line(index + 1)).join('\n');
  async function read(content: string): Promise<string> {
    const tools = await openToolset('blade', await scratch({'f.txt': content}));
    return await tools.text('read_file', {path: 'f.txt'});
  }
  it('"Max lines: 2000": 2,001 short lines keep the first 100 and the last 50', async () => {
    const shown = (await read(lines(2001, String))).split('\n');
    expect([shown.length, shown[99], shown[100], shown[102], shown[103], shown.at(-1)]).toEqual([153, '99', '', '', '1952', '2001']);
    expect(shown[101]).toMatch(
      /^\[TRUNCATED: \d+ bytes, 2002 lines - showing first 100 and last 50 lines\] Ask for less: .*; the whole text is in .*\.$/,
    );
  });
  it('2,000 lines with their heading and 50 KB are the edge', async () => {
    expect((await read(lines(1999, String))).split('\n').length).toBe(2000);
  });
  it('"Max size: 50 KB": 100 lines of 1 KB lose their middles, one line of 60 KB too', async () => {
    for (const content of [lines(100, (index) => `${index} ${'x'.repeat(1022)}`), 'y'.repeat(60_000), `${'é'.repeat(40_000)}\nend`]) {
      const text = await read(content);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      expect(Buffer.byteLength(text)).toBeGreaterThan(45 * 1024);
      expect(text).toMatch(/bytes left out …\]/);
      expect(text).not.toContain('\u{FFFD}');
    }
  });
  it('JSON stays JSON, and says that it was shortened', async () => {
    const files = Object.fromEntries(Array.from({length: 40}, (_, index) => [`d/f${index}.txt`, `${'z'.repeat(70)}\n`.repeat(60)]));
    const tools = await openToolset('blade', await scratch(files));
    const text = await tools.text('read_many_files', {paths: ['d/*']});
    const payload = JSON.parse(text) as {truncated: boolean; files: unknown[]; summary: {returned: number}};
    expect([payload.truncated, payload.files.length, payload.summary.returned]).toEqual([true, 40, 40]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
  });
});

describe('read_many_files (zblade tool calls › read_many_files)', () => {
  interface Reported {
    files: {path: string; error?: string; truncated?: boolean; content?: string; byte_count?: number; line_count?: number}[];
    summary: object;
  }
  const outside = async (): Promise<string> => join(await scratch({'secret.txt': 'secret\n'}), 'secret.txt');
  const many = async (files: Record<string, string>, args: object, links: Record<string, string> = {}) => {
    const root = await scratch(files);
    for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path));
    const tools = await openToolset('blade', root);
    const {isError, text} = await tools.call('read_many_files', args);
    return isError ? text : (JSON.parse(text) as Reported);
  };

  it.each([
    ['by a glob', ['*.txt']],
    ['by its name', ['a.txt', 'link.txt']],
  ])('a link that leads out is the error of one entry, selected %s (issue 14 › 5)', async (_, paths) => {
    const payload = await many({'a.txt': 'one\n'}, {paths}, {'link.txt': await outside()});
    expect(payload).toEqual({
      files: [
        {path: 'a.txt', truncated: false, content: '1: one', line_count: 1, byte_count: 3, original_byte_count: 4},
        {path: 'link.txt', error: expect.stringContaining('outside') as string},
      ],
      summary: {matched: 2, returned: 1, truncated_files: 0, skipped: 0, failed: 1, elapsed_ms: expect.any(Number) as number},
    });
  });
  it('a link that leads out, and nothing else, is an error', async () => {
    expect(await many({}, {paths: ['link.txt']}, {'link.txt': await outside()})).toContain('outside');
  });

  it.each([
    ['one large file', {'a.txt': 'line\n'.repeat(12_000)}],
    ['a large one among small ones', {'a.txt': 'line\n'.repeat(12_000), 'b.txt': 'b\n', 'c.txt': 'c\n'}],
    ['several large ones', {'a.txt': 'é "quoted"\n'.repeat(5000), 'b.txt': 'b\n'.repeat(20_000), 'c.txt': 'c\n'}],
    ['a line without end', {'a.txt': 'x'.repeat(60_000), 'b.txt': 'b\n'}],
    ['escapes', {'a.txt': '\u0001'.repeat(60_000), 'b.txt': 'b\n'}],
  ])('the bytes of a result are used, and what is shown is what is reported: %s', async (_, files) => {
    for (const lineNumbers of [true, false]) {
      const payload = (await many(files, {paths: ['*.txt'], include_line_numbers: lineNumbers})) as Reported;
      const bytes = Buffer.byteLength(JSON.stringify(payload));
      expect([bytes > 44_000, bytes <= 50 * 1024]).toEqual([true, true]);
      for (const {path, content = '', ...counts} of payload.files) {
        const lines = content.split('\n').map((line) => (lineNumbers ? line.replace(/^\d+: /, '') : line));
        const whole = (files as Record<string, string>)[path] ?? '';
        const truncated = lines.join('\n') !== whole.replace(/\n$/, '');
        expect([path, whole.startsWith(lines.join('\n'))]).toEqual([path, true]);
        expect([path, counts]).toEqual([
          path,
          {
            truncated,
            line_count: lines.length,
            byte_count: Buffer.byteLength(lines.join('\n')),
            original_byte_count: Buffer.byteLength(whole),
          },
        ]);
      }
      const cut = payload.files.filter(({truncated}) => truncated).length;
      expect(payload.summary).toMatchObject({truncated_files: cut, returned: Object.keys(files).length});
      expect(cut).toBeGreaterThan(0);
    }
  });
});
