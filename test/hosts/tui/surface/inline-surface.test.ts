import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {span, type Line} from '../../../../src/hosts/tui/cells/line.ts';
import {createInlineSurface} from '../../../../src/hosts/tui/surface/inline-surface.ts';
import type {Frame, Surface} from '../../../../src/hosts/tui/surface/surface.ts';
import {terminalTheme} from '../../../../src/hosts/tui/themes/terminal-themes.ts';
import {emulator, type Emulator} from '../../../screen/emulator.ts';

const looks = terminalTheme('dark', '256');

function started(columns: number, rows: number, synchronized = true): {terminal: Emulator; surface: Surface} {
  const terminal = emulator({columns, rows});
  return {terminal, surface: createInlineSurface(terminal, {synchronized, looks})};
}

const lines = (...texts: string[]): Line[] => texts.map((text) => [span(text)]);
const frame = (live: Line[], above: Line[] = [], cursor?: Frame['cursor']): Frame => ({above, live, cursor});
const shown = (terminal: Emulator): string[] => terminal.screen().join('\n').trimEnd().split('\n');

describe('the inline surface', () => {
  it('writes only the cells that changed, and nothing for the same frame', () => {
    const {terminal, surface} = started(40, 10, false);
    surface.draw(frame(lines('one', 'two')));
    surface.draw(frame(lines('one', 'two')));
    surface.draw(frame(lines('one', 'tWo')));
    surface.draw(frame(lines('one', 't')));
    expect(terminal.frames).toEqual(['\x1b[?25l\rone\r\ntwo', '\x1b[2GW', '\x1b[2G\x1b[K']);
    expect([shown(terminal), terminal.problems]).toEqual([['one', 't'], []]);
  });

  it('marks frames where the terminal shows them at once, and hides a cursor that would be seen moving elsewhere', () => {
    const [at, elsewhere] = [started(20, 6, true), started(20, 6, false)];
    for (const {surface} of [at, elsewhere]) {
      surface.draw(frame(lines('a', 'b'), [], {row: 1, column: 1}));
      surface.draw(frame(lines('c', 'b'), [], {row: 1, column: 1}));
    }
    expect(at.terminal.frames[1]).toBe('\x1b[?2026h\x1b[A\rc\r\n\x1b[2G\x1b[?2026l');
    expect(elsewhere.terminal.frames[1]).toBe('\x1b[?25l\x1b[A\rc\r\n\x1b[2G\x1b[?25h');
    expect(at.terminal.cursor()).toEqual({row: 1, column: 1, isShown: true});
  });

  it('moves rows that stay below new final rows', () => {
    const {terminal, surface} = started(20, 4);
    surface.draw(frame(lines('› typed', 'status'), lines('1', '2')));
    terminal.bytes = 0;
    surface.draw(frame(lines('› typed', 'status'), lines('3', '4')));
    expect([terminal.scrollback(), terminal.screen(), terminal.problems]).toEqual([['1', '2'], ['3', '4', '› typed', 'status'], []]);
    expect(terminal.bytes).toBeLessThan(40);
  });

  it('rows that become final where they stand cost nothing', () => {
    const {terminal, surface} = started(20, 6);
    surface.draw(frame(lines('a', 'b', 'c')));
    surface.draw(frame(lines('c'), lines('a', 'b')));
    expect(terminal.frames).toHaveLength(1);
  });

  // The emulator shows them in two columns, the tables of Unicode say one.
  it.each(['\u2fd6', '\u3040', '\ufe53', '\u3248'])('a row with a sign that terminals disagree on does not wrap: %j', (sign) => {
    const {terminal, surface} = started(6, 4);
    surface.draw(frame(lines(`${sign}12345`, 'below')));
    surface.draw(frame(lines(`${sign}1234x`, 'below')));
    expect([terminal.screen()[0]?.replaceAll(/[^!-~]/g, ''), ...terminal.screen().slice(1)]).toEqual(['1234x', 'below', '', '']);
  });

  it('a sign that takes no column of its own leaves nothing old in its place', () => {
    const {terminal, surface} = started(6, 2);
    surface.draw(frame(lines('oxyz')));
    surface.draw(frame(lines('p\u1161yz')));
    expect(terminal.screen()).toEqual(['p\u1161yz', '']);
  });

  it.each([
    ['a sign in front of what it belongs to', '\u{11a84}!!'],
    ['two consonants of Devanagari that are joined', '\u0915\u094d\u0937!'],
    ['a narrow syllable with its mark', '\uff76\uff9e!'],
  ])('every letter of a cluster has its column: %s', (_, text) => {
    const {terminal, surface} = started(10, 2);
    surface.draw(frame(lines(text)));
    expect(terminal.screen()).toEqual([text, '']);
  });

  it('rows as wide as the screen do not wrap', () => {
    const {terminal, surface} = started(5, 4);
    surface.draw(frame(lines('12345', 'abcde')));
    surface.draw(frame(lines('1234X', 'abcd')));
    expect([shown(terminal), terminal.problems]).toEqual([['1234X', 'abcd'], []]);
  });

  it('leaves the cursor below what stays, and takes away what goes', () => {
    const [stays, goes] = [started(10, 3), started(10, 3)];
    for (const [{surface}, erase] of [
      [stays, false],
      [goes, true],
    ] as const) {
      surface.draw(frame(lines('x', 'y'), lines('final')));
      surface.end({erase});
    }
    expect([stays.terminal.scrollback(), stays.terminal.screen(), stays.terminal.cursor()]).toEqual([
      ['final'],
      ['x', 'y', ''],
      {row: 2, column: 0, isShown: true},
    ]);
    expect([goes.terminal.screen(), goes.terminal.cursor()]).toEqual([['final', '', ''], {row: 1, column: 0, isShown: true}]);
  });

  it.each(['\x1b[2J', '\x1b]52;c;QUJD\x07', '\u009b2J', '\r\n', '\x07', '\u202e\u2066', '\ud800'])(
    'shows %j and it has no effect',
    (text) => {
      const {terminal, surface} = started(40, 4);
      surface.draw(frame(lines(`a${text}b`), lines(text)));
      const [bytes = ''] = terminal.frames;
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(bytes.replaceAll(/\x1b\[\??[\d;]*[a-zA-Z]|\r\n|\r/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
      expect(shown(terminal)).toHaveLength(2);
    },
  );

  it('a redraw shows the newest final rows above the live ones, and leaves the scrollback as it is', () => {
    const {terminal, surface} = started(20, 4);
    surface.draw(frame(lines('live'), lines('1', '2', '3', '4', '5')));
    terminal.resize(12, 4);
    surface.redraw({live: lines('live', 'more'), cursor: undefined}, lines('1', '2', '3', '4', '5'));
    expect([terminal.scrollback(), terminal.screen()]).toEqual([
      ['1', '2'],
      ['4', '5', 'live', 'more'],
    ]);
  });
});

const TEXTS = fc.oneof(
  fc.constantFrom('', 'a', 'same', 'status · model · 12 %', '漢字かな', '👩‍💻 works', '🚀', 'e\u0301tat', 'Ünïcode', ' padded ', 'שלום'),
  fc.string({unit: 'grapheme-ascii', maxLength: 60}),
);
const LINE = fc.array(fc.tuple(TEXTS, fc.subarray(['bold', 'error', 'addedPart', 'selected'] as const, {maxLength: 2})), {maxLength: 3});
const toLine = (parts: readonly (readonly [string, readonly ('bold' | 'error' | 'addedPart' | 'selected')[]])[]): Line =>
  parts.map(([text, style]) => ({text, style}));

describe('any sequence of frames', () => {
  it.each([
    [20, 6],
    [40, 10],
    [80, 24],
    [200, 50],
  ])('looks as if drawn from scratch, with each final row once (%i×%i)', (columns, rows) => {
    const step = fc.record({
      above: fc.array(LINE, {maxLength: Math.min(rows + 3, 30)}),
      live: fc.array(LINE, {maxLength: rows}),
      kept: fc.nat({max: rows}),
    });
    fc.assert(
      fc.property(fc.array(step, {minLength: 1, maxLength: 6}), fc.boolean(), (steps, synchronized) => {
        const {terminal, surface} = started(columns, rows, synchronized);

        const final: Line[] = [];
        let live: Line[] = [];
        for (const {above, live: fresh, kept} of steps) {
          const numbered = above.map((parts, at): Line => [span(`#${final.length + at} `), ...toLine(parts)]);
          // Frames share most of their rows with the last one.
          live = [...fresh.map(toLine), ...live.slice(Math.max(0, live.length - kept))].slice(-rows);
          final.push(...numbered);
          surface.draw({above: numbered, live, cursor: live.length === 0 ? undefined : {row: live.length - 1, column: 0}});
        }
        const scratch = started(columns, Math.max(1, final.length + live.length));
        scratch.surface.draw({above: final, live, cursor: undefined});
        expect([...terminal.scrollback(), ...terminal.screen()].join('\n').trimEnd()).toBe(scratch.terminal.screen().join('\n').trimEnd());
        expect(terminal.problems).toEqual([]);
      }),
      {numRuns: columns > 100 ? 5 : 25},
    );
  });
});
