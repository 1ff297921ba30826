import {execFileSync} from 'node:child_process';
import {readFile, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, modelServer, place} from '../e2e/support.ts';
import {hostile, served} from '../mcp/support.ts';
import {scratch} from '../support/scratch.ts';
import {toolFile, useTools} from '../tools/custom/run-tools.ts';
import {openToolset, type OpenedToolset} from '../tools/support/open-toolset.ts';
import {VERIFIERS} from '../../src/tools/dispatch/verifiers.table.ts';

/** Acceptance checks of the whole tool system, one test each, called as a model would. Details have tests of their own beside each tool. */

async function opened(toolset: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<OpenedToolset & {root: string}> {
  const root = await scratch(files);
  return {...(await openToolset(toolset, root)), root};
}

const numbered = (count: number, line = (index: number): string => `line ${index}`): string =>
  Array.from({length: count}, (_, index) => `${line(index + 1)}\n`).join('');
const block = (search: string, replace: string): string => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe('reading and finding', () => {
  it('D5.1 read: offset and limit number the lines; 1.6 MB at once is refused and names them, a range of it is read (microcode tools › read)', async () => {
    const tools = await opened('microcode', {'a.txt': numbered(10), 'big.txt': numbered(100_000, (index) => `line ${index}`.padEnd(15))});
    expect(await tools.text('read', {path: 'a.txt', offset: 5, limit: 2})).toMatch(/^5\tline 5\n6\tline 6(?:\n|$)/);
    expect(await tools.call('read', {path: 'big.txt'})).toMatchObject({isError: true, text: expect.stringMatching(/offset and limit/)});
    expect(await tools.text('read', {path: 'big.txt', offset: 99_999, limit: 1})).toMatch(/^99999\tline 99999/);
  });

  it('D5.2 glob: the newest first in microcode; by name, and `*` crossing folders, in zblade', async () => {
    const tools = await opened('microcode', {'src/a.rs': '', 'src/deep/b.rs': '', 'src/c.rs': ''});
    for (const [path, time] of Object.entries({'src/a.rs': 2, 'src/deep/b.rs': 3, 'src/c.rs': 1}))
      await utimes(join(tools.root, path), time, time);
    expect(await tools.text('glob', {pattern: '**/*.rs'})).toBe('src/deep/b.rs\nsrc/a.rs\nsrc/c.rs');
    expect(await (await openToolset('blade', tools.root)).text('find_files_glob', {pattern: 'src*.rs'})).toBe(
      'src/a.rs\nsrc/c.rs\nsrc/deep/b.rs',
    );
  });

  it('D5.3 grep: a NUL in the first 8 KB hides a file, a later one does not; 200 matches; `(?i)` yes, `(?=x)` no', async () => {
    const tools = await opened('microcode', {
      'early.bin': `\0needle\n`,
      'late.txt': `needle\n${'x'.repeat(9000)}\n\0\n`,
      'many.txt': 'hay\n'.repeat(201),
    });
    expect(await tools.text('grep', {pattern: '(?i)NEEDLE'})).toBe('late.txt:1:needle');
    const found = (await tools.text('grep', {pattern: 'hay'})).split('\n');
    expect([found.filter((line) => line.startsWith('many.txt:')).length, found.length]).toEqual([200, 201]);
    expect(await tools.call('grep', {pattern: '(?=x)'})).toMatchObject({outcome: 'invalid', isError: true});
  });
});

describe('commands', () => {
  it('D5.4 bash: 700,000 ms become 600,000; the exit code ends even 10 MB; stderr behind its mark; exit 3 is an error (microcode tools › bash)', async () => {
    const tools = await opened('microcode', {});
    const {text} = await tools.call('bash', {
      command: "head -c 10000000 /dev/zero | tr '\\0' x; echo oops >&2; exit 3",
      timeout_ms: 700_000,
    });
    expect([text.split('\n').at(-1), text.includes('oops')]).toEqual([expect.stringContaining('3'), true]);
    const short = await tools.call('bash', {command: 'echo out; echo err >&2; exit 3', timeout_ms: 700_000});
    expect([short.isError, short.text.split('\n')]).toEqual([true, ['out', '--- stderr ---', 'err', expect.stringContaining('3')]]);
  });
});

describe('edits', () => {
  it('D5.5 edit: two places are an error, replace_all takes both; CRLF and a missing last newline stay', async () => {
    const tools = await opened('microcode', {'two.txt': 'a\nb\na\n', 'crlf.txt': 'one\r\ntwo\r\nend'});
    const edit = (path: string, old: string, text: string, all = false) =>
      tools.call('edit', {path, old_string: old, new_string: text, replace_all: all});
    expect(await edit('two.txt', 'a', 'x')).toMatchObject({isError: true});
    expect(await edit('two.txt', 'a', 'x', true)).toMatchObject({isError: false});
    expect(await edit('crlf.txt', 'one\ntwo', '1\n2\n2b')).toMatchObject({isError: false});
    expect(await readFile(join(tools.root, 'two.txt'), 'utf8')).toBe('x\nb\nx\n');
    expect(await readFile(join(tools.root, 'crlf.txt'), 'utf8')).toBe('1\r\n2\r\n2b\r\nend');
  });

  it('D5.6 search_replace: the second block fits nowhere: nothing is written, the nearest place is shown; a line of `=====` is text', async () => {
    const code = 'function add(left: number, right: number) {\n  return left + right;\n}\n';
    const tools = await opened('vibe', {'a.ts': code, 'rule.md': 'title\n=====\nbody\n'});
    const broken = `${block('  return left + right;', '  return 0;')}\n${block('function add(left: number, rigth: number) {', 'x')}`;
    const {isError, text} = await tools.call('search_replace', {file_path: 'a.ts', content: broken});
    expect([isError, await readFile(join(tools.root, 'a.ts'), 'utf8')]).toEqual([true, code]);
    expect(text).toMatch(/9\d(?:\.\d)? ?%/);
    expect([text.includes('rigth: number'), text.includes('right: number')]).toEqual([true, true]);
    expect(await tools.call('search_replace', {file_path: 'rule.md', content: block('title\n=====', 'name\n=====')})).toMatchObject({
      isError: false,
    });
    expect(await readFile(join(tools.root, 'rule.md'), 'utf8')).toBe('name\n=====\nbody\n');
  });

  it('D5.7 apply_patch: what fails is listed and nothing written; start_line picks one of two equal texts (zblade tool calls › apply_patch)', async () => {
    const text = 'a\nsame\nb\nsame\nc\n';
    const tools = await opened('blade', {'a.txt': text});
    const patches = [
      {old_text: 'nowhere', new_text: 'x'},
      {old_text: 'same', new_text: 'x'},
    ];
    const failed = await tools.call('apply_patch', {path: 'a.txt', patches});
    expect([failed.isError, await readFile(join(tools.root, 'a.txt'), 'utf8')]).toEqual([true, text]);
    expect([/patch 1|Patch 1/.test(failed.text), /patch 2|Patch 2/.test(failed.text)]).toEqual([true, true]);
    await tools.call('apply_patch', {path: 'a.txt', patches: [{old_text: 'same', new_text: 'other', start_line: 4}]});
    expect(await readFile(join(tools.root, 'a.txt'), 'utf8')).toBe('a\nsame\nb\nother\nc\n');
  });

  it('D5.8 paths: ../x, absolute, through a link: outside, also for the destination of a move; the empty path deletes nothing', async () => {
    const outside = await scratch({'x.txt': 'outside\n'});
    const tools = await opened('blade', {'own.txt': 'own\n'});
    await symlink(outside, join(tools.root, 'link'));
    for (const path of ['../x.txt', join(outside, 'x.txt'), 'link/x.txt']) {
      for (const [name, args] of [
        ['read_file', {path}],
        ['write_file', {path, content: 'x'}],
        ['delete_file', {path}],
        ['move_file', {source: 'own.txt', destination: path}],
      ] as const) {
        expect([name, path, (await tools.call(name, args)).structured]).toEqual([
          name,
          path,
          expect.objectContaining({code: 'OUTSIDE_SCOPE'}),
        ]);
      }
    }
    expect(await tools.call('delete_file', {path: '', recursive: true})).toMatchObject({outcome: 'invalid'});
    expect([await readFile(join(outside, 'x.txt'), 'utf8'), await readFile(join(tools.root, 'own.txt'), 'utf8')]).toEqual([
      'outside\n',
      'own\n',
    ]);
  });
});

describe('results', () => {
  it('D5.9 truncation: 2,001 lines, 100 KB in 100 lines, one line of 60 KB; JSON stays JSON, also with notes, in every toolset that has it', async () => {
    const files = Object.fromEntries(Array.from({length: 40}, (_, index) => [`d/f${index}.txt`, `${'z'.repeat(70)}\n`.repeat(60)]));
    const tools = await opened('blade', {
      'lines.txt': numbered(2001),
      'wide.txt': numbered(100, () => 'x'.repeat(1023)),
      'one.txt': 'y'.repeat(60_000),
      ...files,
    });
    for (const path of ['lines.txt', 'wide.txt', 'one.txt']) {
      const {text, spoolPath = ''} = await tools.call('read_file', {path});
      expect([path, text.length <= 50 * 1024, text.includes(spoolPath), text.includes('TRUNCATED')]).toEqual([path, true, true, true]);
      expect(await readFile(spoolPath, 'utf8')).toContain(await readFile(join(tools.root, path), 'utf8'));
    }
    for (const toolset of ['blade', 'fettle']) {
      const {text} = await (
        await openToolset(toolset, tools.root)
      ).call('read_many_files', {paths: ['d/*'], max_bytes_per_file: 4000, speed: 9});
      expect([toolset, JSON.parse(text)]).toEqual([
        toolset,
        expect.objectContaining({truncated: true, notes: [expect.stringContaining('unknown parameter "speed"')]}),
      ]);
    }
  });

  it('D5.10 batch: 20 calls in their order, at most 16 at once; a command is refused for itself alone (zblade tool calls › batch)', async () => {
    const tools = await opened('blade', Object.fromEntries(Array.from({length: 20}, (_, index) => [`f${index}`, `text ${index}\n`])));
    const calls = Array.from({length: 20}, (_, index) => ({tool: 'read_file', arguments: {path: `f${index}`}}));
    const command = {tool: 'run_command', arguments: {command: 'touch ran'}};
    const told = JSON.parse(
      await tools.text('batch', {calls: [...calls.slice(0, 19), command], max_parallel: 99, cancel_after_ms: 60_000}),
    ) as {
      results: {ok: boolean; output?: string}[];
      meta: object;
    };
    expect(told.results.map(({ok, output}) => (ok ? Number(/text (\d+)/.exec(output ?? '')?.[1]) : 'refused'))).toEqual([
      ...Array.from({length: 19}, (_, index) => index),
      'refused',
    ]);
    expect(told.meta).toMatchObject({max_parallel: 16, succeeded: 19, total: 20});
  });

  it('D5.11 the project index: past its end nothing more, an emoji is one character; no index, no pretence', async () => {
    const tools = await opened('blade', {'.zblade/context/project_index.md': 'a😀b'});
    const window = async (offset: number): Promise<unknown> => JSON.parse(await tools.text('get_project_index_chunk', {offset}));
    expect(await window(1)).toMatchObject({content: '😀b', total_chars: 3, has_more: false});
    expect(await window(3)).toMatchObject({content: '', returned_chars: 0, has_more: false});
    expect(await (await opened('blade', {})).text('get_project_index_overview', {})).toMatch(/^tool_error: project index missing/);
  });

  it('D5.12 symbols: where there is no index, names are checked as with one, and that there is none is said', async () => {
    const tools = await opened('blade', {'a.rs': 'fn main() {}\n'});
    expect(await tools.text('symbol_search', {q: 'main', limit: 1000})).toMatch(/language service unavailable|missing|do not fit/);
    expect(await tools.text('symbol_search', {query: 'main', kind: 'gadget'})).toMatch(/^tool_error: unknown symbol kind: gadget/);
    expect(await tools.text('symbol_search', {query: 'main', limit: 1000})).toMatch(/^tool_error: language service unavailable/);
  });
});

describe('other tools', () => {
  it('D5.13 discovery: `_x` is skipped, a broken file is reported, enabled_tools with `re:` beats disabled_tools (vibe tool system)', async () => {
    const files = {
      'home/tools/mine.ts': toolFile('mine'),
      'home/tools/_skipped.ts': toolFile('skipped'),
      'home/tools/broken.ts': 'export const = 1;\n',
      'home/config.toml': 'enabled_tools = ["re:^mi.*", "read"]\ndisabled_tools = ["mine"]\n',
    };
    const {names, notices, results} = await useTools(files, {
      calls: [
        ['mine', {}],
        ['write', {path: 'x', content: 'x'}],
      ],
    });
    expect([names, notices]).toEqual([['read', 'mine'], [expect.stringMatching(/broken\.ts: not loaded: SyntaxError/)]]);
    expect(results.map(({outcome, text}) => [outcome, text.split('\n', 1)[0]])).toEqual([
      ['success', 'answer: mine'],
      ['denied', expect.stringContaining('enabled_tools does not name it')],
    ]);
  });

  it('D5.14 MCP: a dead server does not block the others, whose tools are called', async () => {
    const servers = await served([
      {...hostile('exits'), name: 'broken'},
      {...hostile('kind'), name: 'good'},
    ]);
    expect([servers.tools.map(({name}) => name), servers.notices.length]).toEqual([['mcp__good__go'], 1]);
    expect(await servers.call('mcp__good__go')).toMatchObject({outcome: 'success'});
  });

  it('D5.16 a question without a person, a task for nobody, 101 todos and an id twice are errors', async () => {
    const tools = await opened('vibe', {});
    const options = [{label: 'a'}, {label: 'b'}];
    const question = {question: 'a?', header: 'a', options, multiSelect: false};
    const todo = (id: number) => ({id: String(id), content: 'x', status: 'pending', priority: 'low'});
    const calls: [string, object][] = [
      ['ask_user_question', {questions: [question]}],
      ['task', {task: 'look', agent: 'nobody'}],
      ['todo', {action: 'write', todos: Array.from({length: 101}, (_, index) => todo(index))}],
      ['todo', {action: 'write', todos: [todo(1), todo(1)]}],
    ];
    for (const [name, args] of calls) expect([name, (await tools.call(name, args)).isError]).toEqual([name, true]);
  });

  it('D5.18 the verifier: once for a change of .rs files, never for others; without cargo a note', async () => {
    const bin = await scratch();
    await symlink('/bin/bash', join(bin, 'bash'));
    const root = await scratch({'Cargo.toml': '', 'a.rs': '', 'b.txt': ''});
    const tools = await openToolset('microcode', root, {verifiers: VERIFIERS, env: {PATH: bin}});
    const missing = await tools.call('write', {path: 'a.rs', content: 'fn main() {}\n'});
    expect([missing.isError, /verifier\(cargo check\)/.test(missing.text)]).toEqual([false, true]);
    await writeFile(join(bin, 'cargo'), `#!/bin/bash\necho run >> ${bin}/runs\n`, {mode: 0o755});
    await tools.call('write', {path: 'a.rs', content: 'fn main() { }\n'});
    await tools.call('write', {path: 'b.txt', content: 'b\n'});
    expect(await readFile(join(bin, 'runs'), 'utf8')).toBe('run\n');
  });
});

describe('permission', () => {
  const COMMANDS: readonly (readonly [string, 'allow' | 'ask' | 'deny'])[] = [
    ['cargo test', 'allow'],
    ['cargo test | rg error', 'allow'],
    ['cargo test; touch x', 'ask'],
    ['cargo test && rm -rf /', 'deny'],
    ['cargo test $(touch x)', 'ask'],
    ['cargo test `sudo id`', 'deny'],
    ['cargo test > ../out', 'ask'],
    ['cargo test\ntouch x', 'ask'],
    ['cargo test # && sudo x', 'allow'],
    ['env sudo id', 'deny'],
    ['rg x <<EOF\n$(sudo id)\nEOF', 'deny'],
    ['find . -delete', 'ask'],
    ['cargo\u00a0test', 'ask'],
    ['"$x" test', 'ask'],
  ];

  it('D5.15 command lines of every form have one verdict (microcode tools › bash: rules)', async () => {
    const at = await place({}, 'toolset = "microcode"\nmode = "ask"\n');
    const policy = {allow: ['bash:cargo *', 'bash:rg *'], deny: ['bash:sudo *', 'bash:rm -rf /*'], default: 'ask'};
    const table = COMMANDS.map(([command], id) => JSON.stringify({id, tool: 'bash', input: {command}, policy}));
    const {code, stdout} = await fettle(at, ['permissions', 'check', '--stdin'], `${table.join('\n')}\n`);
    const decided = stdout
      .trimEnd()
      .split('\n')
      .map((line, index) => [COMMANDS[index]?.[0], (JSON.parse(line) as {decision: string}).decision]);
    expect([code, decided]).toEqual([0, COMMANDS]);
  });

  it('D5.17 nobody there: nothing prompts, the model is told which rule would allow it, exit code 3', async () => {
    const server = await modelServer([{toolCalls: [{name: 'bash', arguments: {command: 'touch ran'}}]}, {text: 'could not'}]);
    const at = await place({}, `mode = "ask"\n${server.config}`);
    const {code, stdout} = await fettle(at, ['exec', 'go']);
    expect([code, stdout, JSON.stringify(server.requests[1]?.body).includes('bash:touch')]).toEqual([3, 'could not\n', true]);
    expect(execFileSync('ls', ['-A', at.work], {encoding: 'utf8'})).toBe('');
  });
});
