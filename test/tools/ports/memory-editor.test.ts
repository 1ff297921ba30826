import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {encodeText} from '../../../src/text/encoding.ts';
import type {EditorState} from '../../../src/tools/ports/editor-host.ts';
import {createFileMemory, type FileMemory} from '../../../src/tools/file-memory.ts';
import {createMemoryEditor, type MemoryEditor} from '../../../src/tools/ports/memory-editor.ts';
import {openWorkspace} from '../../../src/workspace/open-workspace.ts';
import {scratch} from '../../support/scratch.ts';
import {casesOf} from '../../support/thorough.ts';

const signal = new AbortController().signal;

async function open(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{root: string; editor: MemoryEditor; files: FileMemory}> {
  const root = await scratch(files);
  const memory = createFileMemory();
  return {root, files: memory, editor: createMemoryEditor({workspace: await openWorkspace(root), files: memory})};
}

async function problem(action: Promise<unknown>): Promise<{code: string; message: string}> {
  const thrown = await action.then(
    () => expect.unreachable(),
    (error: unknown) => toFettleError(error),
  );
  return {code: thrown.code, message: thrown.message};
}

const CLOSED: EditorState = {
  activeFile: null,
  openFiles: [],
  activeTabIndex: null,
  cursorLine: null,
  cursorColumn: null,
  selectionStartLine: null,
  selectionEndLine: null,
};

describe('zblade tool calls › Editor and UI Interaction Tools, in memory', () => {
  it('open_file: tabs keep their order, an open file is gone to, and stays where its cursor was', async () => {
    const {editor} = await open({'a.txt': 'one\ntwo\n', 'sub/b.txt': 'x'});
    expect(editor.state()).toEqual(CLOSED);
    await editor.openFile('a.txt', 2, signal);
    await editor.openFile('sub/b.txt', undefined, signal);
    expect(editor.state()).toEqual({
      ...CLOSED,
      activeFile: 'sub/b.txt',
      openFiles: ['a.txt', 'sub/b.txt'],
      activeTabIndex: 1,
      cursorLine: 1,
      cursorColumn: 1,
    });
    await editor.openFile('./sub/../a.txt', undefined, signal);
    expect(editor.state()).toEqual({
      ...CLOSED,
      activeFile: 'a.txt',
      openFiles: ['a.txt', 'sub/b.txt'],
      activeTabIndex: 0,
      cursorLine: 2,
      cursorColumn: 1,
    });
  });

  it('goto_line: to every place in the file, behind its last character, and no further', async () => {
    const {editor} = await open({'a.txt': 'äb\r\n🗄️c\n'});
    await editor.openFile('a.txt', undefined, signal);
    for (const [line, column] of [
      [1, 3],
      [2, 4],
      [3, 1],
    ] as const) {
      await editor.goTo({line, column}, signal);
      expect(editor.state()).toMatchObject({cursorLine: line, cursorColumn: column});
    }
    expect(await problem(editor.goTo({line: 4, column: 1}, signal))).toEqual({
      code: 'BAD_ARGS',
      message: 'a.txt has no line 4: its lines are 1 to 3.',
    });
    expect(await problem(editor.goTo({line: 1, column: 4}, signal))).toEqual({
      code: 'BAD_ARGS',
      message: 'Line 1 of a.txt has no column 4: its columns are 1 to 3.',
    });
    expect(await problem(editor.openFile('a.txt', 0, signal))).toMatchObject({code: 'BAD_ARGS'});
    expect(editor.state()).toMatchObject({cursorLine: 3, cursorColumn: 1});
  });

  it('get_selection is the true text, and replace_selection puts the cursor behind the new one', async () => {
    const {editor, root} = await open({'a.txt': 'one\ntwo\nthree\n'});
    await editor.openFile('a.txt', undefined, signal);
    expect(await editor.selection(signal)).toBe('');
    await editor.select({line: 2, column: 3}, {line: 1, column: 2}, signal);
    expect(await editor.selection(signal)).toBe('ne\ntw');
    expect(editor.state()).toMatchObject({cursorLine: 1, cursorColumn: 2, selectionStartLine: 1, selectionEndLine: 2});
    await editor.replaceSelection('N\nE\nX', signal);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('oN\nE\nXo\nthree\n');
    expect(editor.state()).toMatchObject({cursorLine: 3, cursorColumn: 2, selectionStartLine: null, selectionEndLine: null});
    await editor.insertAtCursor('!', signal);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('oN\nE\nX!o\nthree\n');
  });

  it('insert_at_cursor leaves a selection in the text; replace_selection without one inserts', async () => {
    const {editor, root} = await open({'a.txt': 'abc'});
    await editor.openFile('a.txt', undefined, signal);
    await editor.select({line: 1, column: 1}, {line: 1, column: 3}, signal);
    await editor.insertAtCursor('-', signal);
    await editor.replaceSelection('+', signal);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('ab-+c');
  });

  it.each([
    ['CRLF', Buffer.from('a\r\nb\r\n'), Buffer.from('a\r\nx\r\ny\r\nb\r\n')],
    ['UTF-8 with mark', Buffer.from('\uFEFFa\nb'), Buffer.from('\uFEFFa\nx\ny\nb')],
    ['UTF-16', Buffer.from(encodeText('a\r\nb', 'utf-16be')), Buffer.from(encodeText('a\r\nx\r\ny\r\nb', 'utf-16be'))],
    ['Latin-1', Buffer.from('a\n\xFCb', 'latin1'), Buffer.from('a\nx\ny\n\xFCb', 'latin1')],
    ['bytes that are not UTF-8', Buffer.from('é\nb\xFF', 'latin1'), undefined],
  ])('keeps encoding, mark and line endings: %s', async (_, before, after) => {
    const {editor, root} = await open({'a.txt': before});
    await editor.openFile('a.txt', 2, signal);
    await editor.insertAtCursor('x\ny\n', signal);
    const wanted = after ?? Buffer.concat([before.subarray(0, 2), Buffer.from('x\ny\n'), before.subarray(2)]);
    expect(await readFile(join(root, 'a.txt'))).toEqual(wanted);
  });

  it('a file that changed on disk: positions mean nothing, STALE, and nothing is written; going to a place heals', async () => {
    const {editor, root, files} = await open({'a.txt': 'one\ntwo\n'});
    await editor.openFile('a.txt', 2, signal);
    await writeFile(join(root, 'a.txt'), 'zero\none\ntwo\n');
    const stale = {code: 'STALE', message: 'a.txt changed on disk since it was read. Nothing was written.'};
    expect(await problem(editor.selection(signal))).toEqual(stale);
    expect(await problem(editor.replaceSelection('x', signal))).toEqual(stale);
    expect(await problem(editor.insertAtCursor('x', signal))).toEqual(stale);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('zero\none\ntwo\n');
    expect(files.known(join(root, 'a.txt'))).toBeUndefined();
    await editor.goTo({line: 3, column: 1}, signal);
    await editor.insertAtCursor('> ', signal);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('zero\none\n> two\n');
    expect(files.known(join(root, 'a.txt'))).toBeDefined();
  });

  it('what is asked at the same time happens in order', async () => {
    const {editor, root} = await open({'a.txt': 'one\ntwo\n', 'b.txt': ''});
    await Promise.all([
      editor.openFile('a.txt', 2, signal),
      editor.insertAtCursor('1', signal),
      editor.openFile('b.txt', undefined, signal),
      editor.insertAtCursor('2', signal),
    ]);
    expect([await readFile(join(root, 'a.txt'), 'utf8'), await readFile(join(root, 'b.txt'), 'utf8')]).toEqual(['one\n1two\n', '2']);
    expect(editor.state()).toMatchObject({activeFile: 'b.txt', openFiles: ['a.txt', 'b.txt']});
  });

  it('opening a file that changed begins at its top', async () => {
    const {editor, root} = await open({'a.txt': 'one\ntwo\n'});
    await editor.openFile('a.txt', 2, signal);
    await writeFile(join(root, 'a.txt'), '');
    await editor.openFile('a.txt', undefined, signal);
    expect(editor.state()).toMatchObject({cursorLine: 1, cursorColumn: 1});
    await editor.insertAtCursor('x', signal);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('x');
  });

  it('what fails changes nothing: no file, a folder, no text, a character that the encoding lacks, nothing open', async () => {
    const {editor, root} = await open({'l.txt': Buffer.from('\xFC', 'latin1'), bin: Buffer.from([0, 1, 2]), 'd/x': ''});
    expect(await problem(editor.goTo({line: 1, column: 1}, signal))).toEqual({
      code: 'UNAVAILABLE',
      message: 'No file is open in the editor.',
    });
    expect(await problem(editor.openFile('nope', undefined, signal))).toMatchObject({code: 'NOT_FOUND'});
    expect(await problem(editor.openFile('d', undefined, signal))).toMatchObject({code: 'NOT_A_FILE'});
    expect(await problem(editor.openFile('bin', undefined, signal))).toMatchObject({code: 'NOT_TEXT'});
    expect(editor.state()).toEqual(CLOSED);
    await editor.openFile('l.txt', undefined, signal);
    const before = editor.state();
    expect(await problem(editor.insertAtCursor('漢', signal))).toMatchObject({code: 'BAD_ARGS'});
    expect(await readFile(join(root, 'l.txt'))).toEqual(Buffer.from('\xFC', 'latin1'));
    expect(editor.state()).toEqual(before);
  });
});

describe('the editor agrees with a plain model of it, over random sequences', () => {
  const words = fc.string({unit: fc.constantFrom('a', 'ß', '🗄', '\n', '  '), maxLength: 8});
  const action = fc.oneof(
    fc.record({do: fc.constant('open' as const), file: fc.nat(2), line: fc.option(fc.integer({min: 0, max: 6}), {nil: undefined})}),
    fc.record({do: fc.constant('go' as const), line: fc.integer({min: 0, max: 5}), column: fc.integer({min: 0, max: 6})}),
    fc.record({do: fc.constant('select' as const), from: fc.nat(12), to: fc.nat(12)}),
    fc.record({do: fc.constant('replace' as const), text: words}),
    fc.record({do: fc.constant('insert' as const), text: words}),
  );

  it('tabs, cursor, selection and every byte on disk', {timeout: 60_000}, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, {minLength: 3, maxLength: 3}),
        fc.constantFrom('\n', '\r\n'),
        fc.array(action, {maxLength: 14}),
        runBoth,
      ),
      {numRuns: casesOf(150)},
    );
  });

  interface ModelTab {
    name: string;
    cursor: number;
    anchor: number;
  }
  type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

  /** The model counts in one text with plain breaks; the editor in files with breaks of one kind. */
  async function runBoth(texts: string[], ending: string, actions: Action[]): Promise<void> {
    const names = ['0.txt', '1.txt', '2.txt'];
    const model = new Map(names.map((name, index) => [name, texts[index] ?? '']));
    const onDisk = (text: string): string => text.replaceAll('\n', ending);
    const {editor, root} = await open(Object.fromEntries([...model].map(([name, text]) => [name, onDisk(text)])));
    const tabs: ModelTab[] = [];
    let active: ModelTab | undefined;

    for (const step of actions) {
      const text = active === undefined ? '' : (model.get(active.name) ?? '');
      if (step.do === 'open') {
        const name = names[step.file] ?? '';
        const at = step.line === undefined ? 0 : offsetAt(model.get(name) ?? '', step.line, 1);
        const opened = editor.openFile(name, step.line, signal);
        if (at === undefined) {
          expect(await problem(opened)).toMatchObject({code: 'BAD_ARGS'});
          continue;
        }
        await opened;
        const known = tabs.find((tab) => tab.name === name);
        active = known ?? {name, cursor: 0, anchor: 0};
        if (known === undefined) tabs.push(active);
        if (step.line !== undefined) active.cursor = active.anchor = at;
      } else if (active === undefined) {
        expect(await problem(editor.insertAtCursor('x', signal))).toMatchObject({code: 'UNAVAILABLE'});
      } else if (step.do === 'go') {
        const at = offsetAt(text, step.line, step.column);
        const went = editor.goTo({line: step.line, column: step.column}, signal);
        if (at === undefined) expect(await problem(went)).toMatchObject({code: 'BAD_ARGS'});
        else {
          await went;
          active.cursor = active.anchor = at;
        }
      } else if (step.do === 'select') {
        const [from, to] = [step.from, step.to].map((count) => Array.from(text).slice(0, count).join('').length);
        await editor.select(placeOf(text, from ?? 0), placeOf(text, to ?? 0), signal);
        active.anchor = from ?? 0;
        active.cursor = to ?? 0;
      } else {
        const [start = 0, end = 0] =
          step.do === 'replace' ? [active.anchor, active.cursor].sort((a, b) => a - b) : [active.cursor, active.cursor];
        await (step.do === 'replace' ? editor.replaceSelection(step.text, signal) : editor.insertAtCursor(step.text, signal));
        // A text without any break has no kind of its own: what is put in comes with its own.
        if (!text.includes('\n') && step.text.includes('\n') && ending === '\r\n') return;
        model.set(active.name, text.slice(0, start) + step.text + text.slice(end));
        active.cursor = active.anchor = start + step.text.length;
      }
      expect(editor.state()).toEqual(stateOf(tabs, active, model));
      for (const [name, wanted] of model) expect(await readFile(join(root, name), 'utf8')).toBe(onDisk(wanted));
      if (active === undefined) continue;
      const [from = 0, to = 0] = [active.anchor, active.cursor].sort((a, b) => a - b);
      expect(await editor.selection(signal)).toBe(onDisk((model.get(active.name) ?? '').slice(from, to)));
    }
  }

  function stateOf(tabs: readonly ModelTab[], active: ModelTab | undefined, model: ReadonlyMap<string, string>): EditorState {
    if (active === undefined) return CLOSED;
    const text = model.get(active.name) ?? '';
    const [cursor, anchor] = [placeOf(text, active.cursor), placeOf(text, active.anchor)];
    const selects = active.cursor !== active.anchor;
    return {
      activeFile: active.name,
      openFiles: tabs.map((tab) => tab.name),
      activeTabIndex: tabs.indexOf(active),
      cursorLine: cursor.line,
      cursorColumn: cursor.column,
      selectionStartLine: selects ? Math.min(cursor.line, anchor.line) : null,
      selectionEndLine: selects ? Math.max(cursor.line, anchor.line) : null,
    };
  }

  function offsetAt(text: string, line: number, column: number): number | undefined {
    const lines = text.split('\n').map((one) => Array.from(one));
    const characters = lines[line - 1];
    if (characters === undefined || column < 1 || column > characters.length + 1) return undefined;
    return (
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      characters.slice(0, column - 1).join('').length
    );
  }

  function placeOf(text: string, offset: number): {line: number; column: number} {
    const before = text.slice(0, offset).split('\n');
    return {line: before.length, column: Array.from(before.at(-1) ?? '').length + 1};
  }
});
