import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {atomsBetween, lineAround, stopFrom} from '../../../../src/hosts/tui/editor/atoms.ts';
import {edit} from '../../../../src/hosts/tui/editor/edit.ts';
import {EMPTY_EDITOR, type EditAction, type InputState} from '../../../../src/hosts/tui/editor/editor-state.ts';
import {layoutEditor} from '../../../../src/hosts/tui/editor/layout-editor.ts';
import {submittedText} from '../../../../src/hosts/tui/editor/paste-marker.ts';
import {after, cut, move, paste, undo, vertical, yank} from './typed.ts';

/** Pieces that break editors: joiners, marks, flags, wide and unseen characters, controls, the like of markers. */
const PIECES = [
  'a',
  'word',
  ' ',
  '  ',
  '\n',
  '\t',
  'é',
  'e\u0301',
  '\u0301',
  '日本',
  '🇩🇪',
  '🇩',
  '👩‍👩‍👧',
  '\u200d',
  '1️⃣',
  '❤️',
  'שלום',
  'سلام',
  '\u202e',
  '\u200b',
  '\x1b[31m',
  '\u0600',
  'क्षि',
  '한국',
  '\u1100',
  '\ud83d',
  '\r\n',
  '[paste 1: 12 lines]',
  '\u3164',
  'می‌خواهم',
  'ไทย',
];
const text = fc.array(fc.constantFrom(...PIECES), {maxLength: 12}).map((parts) => parts.join(''));
const width = fc.integer({min: 1, max: 30});

const action: fc.Arbitrary<EditAction> = fc.oneof(
  {weight: 4, arbitrary: fc.constantFrom(...PIECES).map((piece): EditAction => ({type: 'insert', text: piece}))},
  fc.oneof(text, fc.constant('pasted\n'.repeat(12))).map(paste),
  fc.constantFrom(...(['left', 'right', 'wordLeft', 'wordRight', 'lineStart', 'lineEnd', 'textStart', 'textEnd'] as const)).map(move),
  fc.tuple(fc.constantFrom(-1 as const, 1 as const), width).map(([by, columns]) => vertical(by, columns)),
  fc.constantFrom('left' as const, 'right' as const).map((what): EditAction => ({type: 'delete', what})),
  fc.constantFrom(...(['wordLeft', 'wordRight', 'lineStart', 'lineEnd'] as const)).map(cut),
  fc.constantFrom(...(['yank', 'yankEarlier', 'undo', 'redo'] as const)).map((type): EditAction => ({type})),
  fc.tuple(text, fc.nat(20)).map(([given, cursor]): EditAction => ({type: 'set', text: given, cursor})),
);
const actions = fc.array(action, {maxLength: 30});
const edited = actions.map((list) => after(EMPTY_EDITOR, ...list));

describe('properties of the editor', () => {
  it('the cursor always stands between graphemes and outside of markers', () => {
    fc.assert(
      fc.property(edited, (state) => {
        expect(stopFrom(state, state.cursor)).toBe(state.cursor);
        expect(stops(state)).toContain(state.cursor);
      }),
    );
  });

  it('undo of any actions returns to the start, redo to the end', () => {
    fc.assert(
      fc.property(edited, (state) => {
        const start = after(state, ...state.undo.map(() => undo));
        expect([start.text, start.cursor]).toEqual(['', 0]);
        expect(after(start, ...start.redo.map((): EditAction => ({type: 'redo'}))).text).toBe(newestText(state));
      }),
    );
  });

  it('what is cut comes back with a yank, but where its neighbours became one character', () => {
    fc.assert(
      fc.property(edited, fc.constantFrom(...(['wordLeft', 'wordRight', 'lineStart', 'lineEnd'] as const)), (given, what) => {
        const state = after(given, move('textEnd'), move('wordLeft'));
        const shorter = edit(state, cut(what));
        const before = what === 'wordLeft' || what === 'lineStart' ? state.text.length - shorter.text.length : 0;
        const isJoined = shorter.cursor !== state.cursor - before;
        expect(isJoined || shorter.text === state.text || edit(shorter, yank).text === state.text).toBe(true);
      }),
    );
  });

  it('each row moved down can be moved up again, and no move down is stuck before the last row', () => {
    fc.assert(
      fc.property(edited, width, (given, columns) => {
        let state = edit(given, move('textStart'));
        const seen = new Set<number>();
        while (!seen.has(state.cursor)) {
          seen.add(state.cursor);
          const rowBelow = layoutEditor(state, {width: columns, maxRows: 1}).below;
          const next = edit(state, vertical(1, columns));
          expect(next.cursor > state.cursor || rowBelow === 0).toBe(true);
          state = next;
        }
      }),
    );
  });

  it('a pasted text is sent as it was pasted', () => {
    fc.assert(
      fc.property(fc.array(text, {maxLength: 20}), edited, (lines, state) => {
        const pasted = lines.join('\n');
        const kept = pasted.replaceAll('\r\n', '\n').replaceAll('\x1b', '');
        const sent = (part: string): string => submittedText({...state, text: part});
        const [before, behind] = [state.text.slice(0, state.cursor), state.text.slice(state.cursor)];
        expect(submittedText(edit(state, paste(pasted)))).toBe(sent(before) + kept + sent(behind));
      }),
    );
  });
});

describe('properties of the layout', () => {
  it('no row is wider than the screen, and the cursor is within it', () => {
    fc.assert(
      fc.property(edited, width, fc.integer({min: 1, max: 8}), (state, columns, maxRows) => {
        const {lines, cursor, above, below} = layoutEditor(state, {width: columns, maxRows, prompt: [{text: '> '}]});
        expect(lines.length).toBeLessThanOrEqual(maxRows);
        expect(lines.filter((line) => lineWidth(line) > columns)).toEqual([]);
        expect(cursor.row >= 0 && cursor.row < lines.length && cursor.column >= 0 && cursor.column < columns).toBe(true);
        const all = layoutEditor(state, {width: columns, maxRows: 9999}).lines.length;
        expect(columns > 9 || above + lines.length + below === all).toBe(true);
      }),
    );
  });

  it('shows every character of an ordinary text in its order', () => {
    const ordinary = fc.array(fc.constantFrom('a', 'word', ' ', '\n', '\t', 'e\u0301', '日本', '👩‍👩‍👧', 'שלום', '한국'), {maxLength: 30});
    fc.assert(
      fc.property(ordinary, fc.integer({min: 3, max: 30}), (parts, columns) => {
        const given = parts.join('');
        const {lines} = layoutEditor({...EMPTY_EDITOR, text: given}, {width: columns, maxRows: 9999});
        expect(lines.map(plainText).join('')).toBe(given.replaceAll('\n', '').replaceAll('\t', '    '));
      }),
    );
  });

  it('nothing that acts unseen reaches a span', () => {
    fc.assert(
      fc.property(edited, width, (state, columns) => {
        const shown = layoutEditor(state, {width: columns, maxRows: 9999}).lines.map(plainText).join('');
        expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b\u3164]/u);
      }),
    );
  });
});

function stops(state: InputState): readonly number[] {
  const {start, end} = lineAround(state.text, state.cursor);
  return [start, ...atomsBetween(state, start, end).map((atom) => atom.end)];
}

function newestText({redo, text: now}: InputState): string {
  return redo.at(0)?.text ?? now;
}
