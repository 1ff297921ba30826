import {beforeAll, describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import type {FileDiff} from '../../../../src/hosts/tui/host-adapter.ts';
import type {DiffOverlay, ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {diffSections} from '../../../../src/hosts/tui/pager/diff-sections.ts';
import {pageOf} from '../../../../src/hosts/tui/pager/page.ts';
import {loadLanguage} from '../../../../src/hosts/tui/views/code/highlight-code.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {EMPTY, play, typed, type Move} from '../model/play.ts';
import {notation} from '../views/notation.ts';

beforeAll(async () => {
  await Promise.all([loadDiff(), loadLanguage('js')]);
});

const numbered = (count: number, change: (line: number) => string = (line) => `line ${line}`): string =>
  Array.from({length: count}, (_, line) => `${change(line)}\n`).join('');
const CHANGED = new Set([5, 50, 90]);

const FILES: readonly FileDiff[] = [
  {path: 'src/a.js', before: 'const a = 1;\nkept();\n', after: 'const a = 2;\nkept();\n'},
  {path: 'b.txt', before: numbered(100), after: numbered(100, (line) => (CHANGED.has(line) ? `LINE ${line}` : `line ${line}`))},
  {path: 'gone.txt', before: 'x\n'},
  {path: 'logo.png', before: '', after: '', note: 'binary: 10 → 20 bytes'},
];
const SMALL: ScreenState = {...EMPTY, size: {columns: 60, rows: 10}};

const diffOf = ({overlay}: ScreenState): DiffOverlay | undefined => (overlay?.type === 'diff' ? overlay : undefined);
const shown = (files: readonly FileDiff[], ...moves: readonly Move[]): DiffOverlay | undefined =>
  diffOf(play([{type: 'diff', title: 'Changes of this session', files}, ...moves], SMALL).state);
const linesOf = (overlay: DiffOverlay | undefined) => (overlay === undefined ? [] : pageOf({...SMALL, overlay}, overlay).live);
const rowsOf = (...moves: readonly Move[]): readonly string[] => linesOf(shown(FILES, ...moves)).map((line) => plainText(line).trimEnd());
const place = (...moves: readonly Move[]) => {
  const overlay = shown(FILES, ...moves);
  return overlay && [overlay.isOpen, overlay.file, overlay.entry, overlay.skip];
};

describe('changed files', () => {
  it('are a list with what became of each', () => {
    expect(rowsOf('down')).toEqual([
      'Changes of this session  4 files',
      '  src/a.js +1 −1',
      '▸ b.txt +3 −3',
      '  gone.txt (deleted) −1',
      '  logo.png  binary: 10 → 20 bytes',
      '',
      '',
      '',
      '',
      '2 of 4 · Enter opens · Esc leaves',
    ]);
  });

  it('a file has numbers, signs, colours of code and marks of the words that differ', () => {
    expect(notation(linesOf(shown(FILES, 'enter')).slice(0, 4))).toMatchInlineSnapshot(`
      "{bold:src/a.js}{added: +1}{removed: −1}
      {dim:1   }{removed:- }{removed+keyword:const}{removed: a = }{removed+number+removedPart:1}{removed:;}
      {dim:  1 }{added:+ }{added+keyword:const}{added: a = }{added+number+addedPart:2}{added:;}
      {dim:2 2 }  {function:kept}();"
    `);
  });

  it('what has no text says so', () => {
    expect(rowsOf('end', 'enter').slice(0, 3)).toEqual(['logo.png', 'binary: 10 → 20 bytes', '']);
  });

  it('a single file is opened at once', () => {
    expect(shown(FILES.slice(0, 1))).toMatchObject({isOpen: true, file: 0});
  });

  it.each<[readonly Move[], readonly unknown[] | undefined]>([
    [['up'], [false, 0, 0, 0]],
    [
      ['down', 'j'],
      [false, 2, 0, 0],
    ],
    [['pagedown'], [false, 3, 0, 0]],
    [
      ['G', 'g'],
      [false, 0, 0, 0],
    ],
    [['enter'], [true, 0, 0, 0]],
    [
      ['enter', 'right'],
      [true, 1, 0, 0],
    ],
    [
      ['enter', 'left'],
      [true, 0, 0, 0],
    ],
    [
      ['end', 'enter', 'right'],
      [true, 3, 0, 0],
    ],
    [
      ['down', 'enter', 'tab', 'tab', 'tab', 'tab'],
      [true, 1, 3, 0],
    ],
    [
      ['down', 'enter', ']', ']', '['],
      [true, 1, 1, 0],
    ],
    [
      ['down', 'enter', 'tab', 'down', 'shift+tab'],
      [true, 1, 1, 0],
    ],
    [
      ['down', 'enter', 'tab', 'h'],
      [true, 0, 0, 0],
    ],
    [
      ['down', 'enter', 'down', 'backspace'],
      [false, 1, 0, 0],
    ],
    [
      ['down', 'enter', '/', ...typed('line 90'), 'enter'],
      [true, 1, 3, 4],
    ],
    [
      ['down', 'enter', '/', ...typed('LINE 50'), 'enter', 'n'],
      [true, 1, 2, 5],
    ],
    [
      ['down', 'enter', '/', 'q', 'escape'],
      [true, 1, 0, 0],
    ],
    [['q'], undefined],
    [['escape'], undefined],
    [['enter', 'q'], undefined],
    [['enter', 'escape'], undefined],
    [['enter', 'ctrl+c'], undefined],
  ])('%j stands at %j', (moves, expected) => {
    expect(place(...moves)).toEqual(expected);
  });

  it('hostile names, notes and lines steer nothing, and no row is wider than the screen', () => {
    const bad = 'a\u001b[2J\u202e\n\u0007b';
    const files: readonly FileDiff[] = [
      {path: bad, before: '', after: `${bad}\n`},
      {path: `${bad}2`, before: '', after: '', note: bad},
    ];
    const rows = [[], ['enter'], ['down', 'enter']].flatMap((moves) => linesOf(shown(files, ...moves)));
    // oxlint-disable-next-line no-control-regex -- what a terminal would obey
    expect(rows.filter((line) => /[\p{Cc}\p{Bidi_Control}]/u.test(plainText(line)) || lineWidth(line) > 60)).toEqual([]);
  });

  it.each([
    ['text behind a tab', 'ab\tc', 'b  c'],
    ['a number and a sign', 'text', ' 1 + text'],
    ['a sign', 'text', '+ TEXT'],
    ['a number alone', 'text', '1'],
    ['text around what is left out', 'a\u0007b', 'ab'],
    ['what is said of its end', 'text', 'no newline'],
  ])('the search finds what a row shows: %s', (_, line, query) => {
    const overlay = shown([{path: 'a.txt', before: '', after: line}], '/', ...typed(query), 'enter');
    const [first = []] = linesOf(overlay);
    expect([overlay?.entry, plainText(first).toLowerCase()]).toEqual([1, expect.stringContaining(query.toLowerCase())]);
  });

  it('of a long file every line is there once, in its order', () => {
    const count = 1234;
    const overlay = shown([{path: 'new.txt', after: numbered(count)}]);
    const seen = new Set<string>();
    for (let at = overlay; at !== undefined;) {
      for (const line of linesOf(at)) for (const [, name] of plainText(line).matchAll(/\+ line (\d+)$/g)) seen.add(name ?? '');
      const next = diffOf(play(['pagedown'], {...SMALL, overlay: at}).state);
      if (next?.entry === at.entry && next.skip === at.skip) break;
      at = next;
    }
    expect([...seen]).toEqual(Array.from({length: count}, (_, line) => String(line)));
  });

  it('no part of a long hunk ends between lines that replace each other', () => {
    const text = (word: string) => numbered(400, (line) => (line % 4 === 3 ? `${word} and much more of line ${line}` : `line ${line}`));
    const sections = diffSections({files: [{path: 'c.txt', before: text('old'), after: text('new')}], file: 0}, 80);
    const rows = Array.from({length: sections.count}, (_, index) => sections.rows(index));
    const marks = rows.flat(2).filter(({style}) => style?.includes('removedPart'));
    expect([sections.count > 3, marks.map(({text: marked}) => marked)]).toEqual([true, Array.from({length: 100}, () => 'old')]);
  });
});
