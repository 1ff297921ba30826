import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {editText} from '../../../src/tools/operations/edit/edit-text.ts';
import {readFile as readOperation} from '../../../src/tools/operations/fs/read-file.ts';
import {realWorkspace, type RealWorkspace} from '../support/real-context.ts';

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const STRICT = {form: 'blocks', fuzzy: false, onMultiple: 'refuse'} as const;
const text = (work: RealWorkspace, path: string) => readFile(join(work.root, path), 'utf8');

/** A failed edit leaves bytes and times alone. */
async function unchanged(work: RealWorkspace, path: string, edit: () => Promise<unknown>): Promise<unknown> {
  const [bytes, before] = [await text(work, path), await stat(join(work.root, path))];
  const outcome = await edit();
  const after = await stat(join(work.root, path));
  expect([await text(work, path), after.mtimeMs, after.ino]).toEqual([bytes, before.mtimeMs, before.ino]);
  return outcome;
}

describe('vibe tool system › Search Replace Tool', () => {
  it('applies several blocks to a file, and keeps its encoding', async () => {
    const work = await realWorkspace({'latin.txt': Buffer.from('Größe\r\nzwei\r\n', 'latin1')});
    expect(
      await work.outcome(editText, {path: 'latin.txt', edit: {content: block('Größe', 'Maß') + block('zwei', 'drei\nvier'), ...STRICT}}),
    ).toEqual({
      path: 'latin.txt',
      file: join(work.root, 'latin.txt'),
      applied: 2,
      linesChanged: 3,
      warnings: [],
      before: 'Größe\r\nzwei\r\n',
      after: 'Maß\r\ndrei\r\nvier\r\n',
    });
    expect(await readFile(join(work.root, 'latin.txt'))).toEqual(Buffer.from('Maß\r\ndrei\r\nvier\r\n', 'latin1'));
  });
  it('D5.6: two blocks, the second broken: the file is unchanged', async () => {
    const work = await realWorkspace({'a.txt': 'one\ntwo\n'});
    const content = block('one', 'uno') + block('three', 'tre');
    expect(await unchanged(work, 'a.txt', () => work.outcome(editText, {path: 'a.txt', edit: {content, ...STRICT}}))).toMatchObject({
      code: 'NOT_FOUND',
      message: '1 of 2 blocks could not be applied. Nothing was changed.',
    });
  });
  it('a JSON file that would be broken is not written, and the place is named; with reformat it is laid out as before', async () => {
    const work = await realWorkspace({'a.json': '{\n\t"a": 1\n}\n'});
    const broken = {path: 'a.json', edit: {content: block('\t"a": 1', '\t"a": 1\n\t"b": 2'), ...STRICT}};
    expect(await unchanged(work, 'a.json', () => work.outcome(editText, broken))).toMatchObject({
      code: 'BAD_ARGS',
      message: `After this edit ${join(work.root, 'a.json')} could no longer be parsed: comma expected in line 3, column 2. Nothing was changed.`,
    });
    const content = block('\t"a": 1', '"a": 1,\n"b": {"c": 2}');
    expect(await work.outcome(editText, {path: 'a.json', edit: {content, ...STRICT, reformat: true}})).toMatchObject({warnings: []});
    expect(await text(work, 'a.json')).toBe('{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n');
  });
  it('content has at most 100,000 characters', () => {
    expect(editText.args.safeParse({path: 'a', edit: {content: 'x'.repeat(100_000), ...STRICT}}).success).toBe(true);
    expect(editText.args.safeParse({path: 'a', edit: {content: 'x'.repeat(100_001), ...STRICT}}).success).toBe(false);
  });
});

describe('zblade tool calls › apply_patch', () => {
  it('applies all patches at once', async () => {
    const work = await realWorkspace({'a.txt': 'one\r\ntwo\nthree'});
    const patches = [
      {oldText: 'three', newText: 'drei'},
      {oldText: 'one\ntwo', newText: 'eins\nzwei'},
    ];
    expect(await work.outcome(editText, {path: 'a.txt', edit: {form: 'patches', patches}})).toEqual({
      path: 'a.txt',
      file: join(work.root, 'a.txt'),
      applied: 2,
      warnings: [],
      before: 'one\r\ntwo\nthree',
      after: 'eins\r\nzwei\ndrei',
    });
    expect(await text(work, 'a.txt')).toBe('eins\r\nzwei\ndrei');
  });
  it('"Multi-patch application is atomic": bytes and times stay as they are', async () => {
    const work = await realWorkspace({'a.txt': 'one\ntwo\ntwo\n'});
    const patches = [
      {oldText: 'one', newText: 'eins'},
      {oldText: 'two', newText: 'zwei'},
    ];
    expect(await unchanged(work, 'a.txt', () => work.outcome(editText, {path: 'a.txt', edit: {form: 'patches', patches}}))).toMatchObject({
      code: 'NOT_UNIQUE',
    });
  });
  it('a patch that changes nothing is done without writing', async () => {
    const work = await realWorkspace({'a.txt': 'one\n'});
    const patches = [{oldText: 'one', newText: 'one'}];
    expect(await unchanged(work, 'a.txt', () => work.outcome(editText, {path: 'a.txt', edit: {form: 'patches', patches}}))).toMatchObject({
      applied: 1,
    });
  });
});

describe.each([
  ['blocks', (work: RealWorkspace, path: string) => work.outcome(editText, {path, edit: {content: block('one', 'two'), ...STRICT}})],
  [
    'patches',
    (work: RealWorkspace, path: string) =>
      work.outcome(editText, {path, edit: {form: 'patches', patches: [{oldText: 'one', newText: 'two'}]}}),
  ],
])('what all edits have in common: %s', (_, edit) => {
  it('a file that changed since it was read is STALE; own edits are known', async () => {
    const work = await realWorkspace({'a.txt': 'one\n'});
    await work.outcome(readOperation, {path: 'a.txt', maxBytes: 100});
    await writeFile(join(work.root, 'a.txt'), 'one more\n');
    expect(await edit(work, 'a.txt')).toMatchObject({code: 'STALE'});
    await work.outcome(readOperation, {path: 'a.txt', maxBytes: 100});
    expect(await edit(work, 'a.txt')).toMatchObject({after: 'two more\n'});
    await writeFile(join(work.root, 'a.txt'), 'one, two, three\n');
    expect(await edit(work, 'a.txt')).toMatchObject({code: 'STALE'});
  });
  it('what is missing, no file, or no text', async () => {
    const work = await realWorkspace({'a.bin': Uint8Array.of(0, 1), 'dir/x': ''});
    expect(await edit(work, 'missing.txt')).toMatchObject({code: 'NOT_FOUND'});
    expect(await edit(work, 'dir')).toMatchObject({code: 'NOT_A_FILE'});
    expect(await edit(work, 'a.bin')).toMatchObject({code: 'NOT_TEXT'});
  });
});
