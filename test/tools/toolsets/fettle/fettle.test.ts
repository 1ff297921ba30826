import {readFile, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {encode} from 'gpt-tokenizer/encoding/o200k_base';
import {beforeEach, describe, expect, it} from 'vitest';
import {scratch} from '../../../support/scratch.ts';
import {openToolset, type OpenedToolset} from '../../support/open-toolset.ts';

let root: string;
let tools: OpenedToolset;

async function open(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  root = await scratch(files);
  tools = await openToolset('fettle', root);
}

beforeEach(() => open({}));

describe('read', () => {
  it('shows numbered lines, and how to go on', async () => {
    await open({'a.txt': 'one\ntwo\nthree\n'});
    expect(await tools.text('read', {path: 'a.txt'})).toBe('1\tone\n2\ttwo\n3\tthree');
    expect(await tools.text('read', {path: 'a.txt', offset: 2, limit: 1})).toBe('2\ttwo\n[lines 2-2 of 3; more follow: offset 3]');
  });
  it('takes at most 50 KB at once, and cuts lines of more than 2000 characters', async () => {
    const line = 'x'.repeat(99);
    await open({'big.txt': `${line}\n`.repeat(5000), 'wide.txt': `a\n${'y'.repeat(2500)}\nb\n`, 'one-line.js': 'z'.repeat(120_000)});
    const lines = (await tools.text('read', {path: 'big.txt'})).split('\n');
    expect(lines.slice(-2)).toEqual([`500\t${line}`, '[lines 1-500 of 5000; more follow: offset 501]']);
    expect(await tools.text('read', {path: 'wide.txt'})).toBe(`1\ta\n2\t${'y'.repeat(2000)} [… 500 more characters]\n3\tb`);
    expect((await tools.text('read', {path: 'one-line.js'})).split('\n').at(-1)).toBe(
      '[line 1 is longer than this; use a command to see the rest of it, offset 2 for what follows]',
    );
  });
});

describe('write and edit', () => {
  it('a file that changed on disk since it was read is not overwritten', async () => {
    await open({'a.txt': 'one\n'});
    await tools.call('read', {path: 'a.txt'});
    await writeFile(join(root, 'a.txt'), 'changed\n');
    const stale = {
      outcome: 'error',
      text: `Error: ${join(root, 'a.txt')} changed on disk since it was read. Nothing was written.\nRead it again, then redo the change on its current content.`,
    };
    expect(await tools.call('write', {path: 'a.txt', content: 'mine\n'})).toMatchObject(stale);
    expect(await tools.call('edit', {path: 'a.txt', old_string: 'changed', new_string: 'mine'})).toMatchObject(stale);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('changed\n');
    await tools.call('read', {path: 'a.txt'});
    expect(await tools.text('edit', {path: 'a.txt', old_string: 'changed', new_string: 'mine'})).toBe('Edited a.txt: 1 replacement.');
  });
  it('own writes are known: write, edit and edit again', async () => {
    expect(await tools.text('write', {path: 'new/a.txt', content: 'one\n'})).toBe('Created new/a.txt (4 bytes).');
    expect(await tools.text('edit', {path: 'new/a.txt', old_string: 'one', new_string: 'two'})).toBe('Edited new/a.txt: 1 replacement.');
    expect(await tools.text('edit', {path: 'new/a.txt', old_string: 'two', new_string: 'three'})).toBe('Edited new/a.txt: 1 replacement.');
    expect(await tools.text('write', {path: 'new/a.txt', content: ''})).toBe('Replaced new/a.txt (0 bytes).');
    expect(await readFile(join(root, 'new/a.txt'), 'utf8')).toBe('');
  });
  it('a file that is replaced keeps its encoding, where that can hold the new text', async () => {
    await open({'latin.txt': Uint8Array.from(Buffer.from('Gr\u00fc\u00dfe und ein paar Worte\n', 'latin1')), 'bom.txt': '\uFEFFa\n'});
    await tools.call('write', {path: 'latin.txt', content: 'm\u00fcde\n'});
    expect([...(await readFile(join(root, 'latin.txt')))]).toEqual([...Buffer.from('m\u00fcde\n', 'latin1')]);
    await tools.call('write', {path: 'latin.txt', content: '日本\n'});
    expect(await readFile(join(root, 'latin.txt'), 'utf8')).toBe('日本\n');
    await tools.call('write', {path: 'bom.txt', content: 'b\n'});
    expect(await readFile(join(root, 'bom.txt'), 'utf8')).toBe('\uFEFFb\n');
  });
  it('edits of one file in one reply are applied in order; different files at the same time', async () => {
    await open({a: '1', b: '1'});
    const edit = (path: string, from: string, to: string, id: string) => ({
      id,
      name: 'edit',
      arguments: JSON.stringify({path, old_string: from, new_string: to}),
    });
    const calls = [edit('a', '1', '2', 'x'), edit('b', '1', '9', 'y'), edit('a', '2', '3', 'z')];
    const results = await tools.dispatcher.dispatchAll(calls, new AbortController().signal);
    expect(results.map(({callId, outcome}) => [callId, outcome])).toEqual([
      ['x', 'success'],
      ['y', 'success'],
      ['z', 'success'],
    ]);
    expect([await readFile(join(root, 'a'), 'utf8'), await readFile(join(root, 'b'), 'utf8')]).toEqual(['3', '9']);
  });
});

describe('paths that leave the workspace', () => {
  it('writes there, also through a link, are judged by the file they really name', async () => {
    const other = await scratch({'a.txt': 'theirs'});
    await open({'b.txt': 'mine'});
    await symlink(other, join(root, 'link'));
    const careful = await openToolset('fettle', root, {
      policy: () => ({mode: 'accept-edits', rules: [], fallback: 'ask'}),
      approve: undefined,
    });
    expect((await careful.call('write', {path: 'b.txt', content: 'new'})).outcome).toBe('success');
    const denied = {outcome: 'denied', text: expect.stringContaining(join(other, 'a.txt'))};
    for (const path of ['link/a.txt', join(other, 'a.txt'), join('..', basename(other), 'a.txt')]) {
      expect(await careful.call('write', {path, content: 'x'})).toMatchObject(denied);
      expect(await careful.call('edit', {path, old_string: 'theirs', new_string: 'x'})).toMatchObject(denied);
    }
    expect(await readFile(join(other, 'a.txt'), 'utf8')).toBe('theirs');
  });
});

describe('glob', () => {
  it('bash patterns, sorted by path; hidden files on request, or where the pattern has the dot', async () => {
    await open({'src/b.ts': '', 'src/a.ts': '', 'a.js': '', '.github/ci.yml': '', '.eslintrc.yml': '', 'x.yml': ''});
    await utimes(join(root, 'src/b.ts'), 1, 1);
    expect(await tools.text('glob', {pattern: '**/*.{ts,js}'})).toBe('a.js\nsrc/a.ts\nsrc/b.ts');
    expect(await tools.text('glob', {pattern: '*.ts'})).toBe('(no files)');
    expect(await tools.text('glob', {pattern: '**/*.yml'})).toBe('x.yml');
    expect(await tools.text('glob', {pattern: '.github/*.yml'})).toBe('.github/ci.yml');
    expect(await tools.text('glob', {pattern: '{.e,}*.yml'})).toBe('.eslintrc.yml\nx.yml');
    expect(await tools.text('glob', {pattern: '**/*.yml', hidden: true})).toBe('.eslintrc.yml\n.github/ci.yml\nx.yml');
  });
  it("a listing is git's: .ignore and .rgignore do not count, as in ls", async () => {
    await open({'.gitignore': '*.log\n', '.ignore': '!a.log\n', '.rgignore': 'b\n', 'a.log': '', b: ''});
    expect(await tools.text('glob', {pattern: '*', hidden: true})).toBe('.gitignore\n.ignore\n.rgignore\nb');
    expect(await tools.text('ls', {})).toBe('.gitignore\n.ignore\n.rgignore\nb');
  });
});

describe('grep', () => {
  it('groups matches by file; context, multiline, filters', async () => {
    await open({'src/a.ts': 'one\ntwo\nthree\nfour\nfive\nTWO\n', 'b.md': 'two\n'});
    expect(await tools.text('grep', {pattern: 'two'})).toBe('b.md\n1: two\n\nsrc/a.ts\n2: two');
    expect(await tools.text('grep', {pattern: 'two', glob: '*.ts', ignore_case: true, context: 1})).toBe(
      'src/a.ts\n1- one\n2: two\n3- three\n--\n5- five\n6: TWO',
    );
    expect(await tools.text('grep', {pattern: 'two|four', path: 'src', context: 1})).toBe(
      'src/a.ts\n1- one\n2: two\n3- three\n4: four\n5- five',
    );
    expect((await tools.call('grep', {pattern: 'one\\ntwo', multiline: true})).isError).toBe(false);
    expect(await tools.text('grep', {pattern: 'seven'})).toBe('(no matches)');
  });
  it('a glob may start at the folder that is searched or, as with ripgrep, at the workspace', async () => {
    await open({'src/a.ts': 'x\n', 'src/deep/b.ts': 'x\n', 'src/src/c.ts': 'x\n'});
    const found = async (glob: string) => (await tools.text('grep', {pattern: 'x', path: 'src', glob})).match(/\S+\.ts/g);
    expect(await found('src/*.ts')).toEqual(['src/a.ts', 'src/src/c.ts']);
    expect(await found('src/**/b.ts')).toEqual(['src/deep/b.ts']);
    expect(await found('deep/*.ts')).toEqual(['src/deep/b.ts']);
    expect(await found('!src/deep/')).toEqual(['src/a.ts', 'src/src/c.ts']);
  });
  it('a broken glob and a pattern over several lines get hints of their own', async () => {
    await open({a: 'x\n'});
    expect(await tools.text('grep', {pattern: 'x', glob: 'a['})).toContain('Globs are like *.ts');
    expect(await tools.text('grep', {pattern: 'a\\nb'})).toContain('Each line is searched for itself');
  });
  it.each(['[', '*.{ts', '*.{ts,js', 'src/[z-a]*', 'q\\'])('a list of files by %s, which is not a glob, is an error', async (pattern) => {
    await open({a: 'x\n', 'b}': '', '[c': ''});
    expect(await tools.text('glob', {pattern})).toContain('is not valid');
    // What a shell takes as text is found.
    expect([await tools.text('glob', {pattern: '[c'}), await tools.text('glob', {pattern: 'b}'})]).toEqual(['[c', 'b}']);
  });
  it('at most 100 matches', async () => {
    await open({a: 'x\n'.repeat(101)});
    expect((await tools.text('grep', {pattern: 'x'})).split('\n').slice(-2)).toEqual([
      '100: x',
      '[only the first 100 matches; narrow the search]',
    ]);
  });
});

describe('ls', () => {
  it('folders end with /', async () => {
    await open({'src/a.ts': '', 'b.md': ''});
    expect(await tools.text('ls', {})).toBe('b.md\nsrc/');
  });
});

describe('bash', () => {
  it('shows the output, and the exit code only where it is not 0', async () => {
    expect(await tools.text('bash', {command: 'echo a; echo b >&2'})).toBe('a\n--- stderr ---\nb');
    expect(await tools.text('bash', {command: 'true'})).toBe('(no output)');
    expect(await tools.text('bash', {command: 'echo oops >&2; exit 2'})).toBe('oops\n[exit code 2]');
  });
  it('2 MB of output are at most 2,500 tokens, head and tail, and can be read by range, also where reads outside are asked', async () => {
    const gated = await openToolset('fettle', root, {
      policy: () => ({mode: 'ask', rules: [{text: 'bash:*', effect: 'allow', source: 'flags'}], fallback: 'ask'}),
      approve: undefined,
    });
    const command = 'for i in 1 2; do seq -f "%08.0f some line of a log with a few words" 1 20000; done';
    const {text, spoolPath = ''} = await gated.call('bash', {command});
    expect((await stat(spoolPath)).size).toBe(1_800_000);
    expect(encode(text).length).toBeLessThanOrEqual(2500);
    expect(text.split('\n')[0]).toBe('00000001 some line of a log with a few words');
    expect(text.split('\n').at(-1)).toBe('00020000 some line of a log with a few words');
    expect(text).toContain(`all of it: ${spoolPath} (read it with offset and limit, or grep it)`);
    expect(await gated.text('read', {path: spoolPath, offset: 20_000, limit: 2})).toBe(
      '20000\t00020000 some line of a log with a few words\n20001\t00000001 some line of a log with a few words\n[lines 20000-20001 of 40000; more follow: offset 20002]',
    );
    expect(await gated.text('grep', {path: spoolPath, pattern: '^00013370'})).toContain('13370: 00013370 some line');
  });
  it('dense output of both streams stays within the bound, too', async () => {
    const {text} = await tools.call('bash', {command: 'seq 1 300000; seq 1 300000 >&2'});
    expect(encode(text).length).toBeLessThanOrEqual(2600);
  });
  it('a cancelled command tells what it had said; nothing of it goes on', async () => {
    const stop = new AbortController();
    const heard: string[] = [];
    const listening = await openToolset('fettle', root, {
      listener: {
        onOutput({text}) {
          heard.push(text);
          stop.abort();
        },
      },
    });
    const {outcome, text} = await listening.call('bash', {command: 'echo begun; sleep 60; touch later'}, stop.signal);
    expect({outcome, text, heard}).toEqual({
      outcome: 'cancelled',
      text: 'begun\n[exit code none (cancelled; everything it started was killed)]',
      heard: ['begun\n'],
    });
  });
});
