import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createControlFilter} from '../../src/base/control-filter.ts';
import {escapeInvisible} from '../../src/base/escape-invisible.ts';
import {createVisibleStream, visibleText} from '../../src/base/visible-text.ts';

const TERMINAL_REPORTS = readFileSync(new URL('../cases/attacks.json', import.meta.url), 'utf8');
interface Case {
  readonly id: string;
  readonly kind: string;
  readonly input: {readonly text?: string};
  readonly sanitized?: string;
}

describe('visibleText', () => {
  it('attacks.json: every text for a terminal is shown as it has to be', () => {
    const {cases} = JSON.parse(TERMINAL_REPORTS) as {cases: readonly Case[]};
    const texts = cases.filter(({kind, input, sanitized}) => kind === 'output' && input.text !== undefined && sanitized !== undefined);
    expect(texts.map(({id, input}) => [id, visibleText(input.text ?? '')])).toEqual(texts.map(({id, sanitized}) => [id, sanitized]));
    expect(texts.length).toBeGreaterThan(25);
  });

  it.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    ['windows\r\n', 'windows\n'],
    ['over\rwritten', 'over\nwritten'],
    ['back\b\bspace', 'backspace'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b[38;2;1;2;3mred\u001b[m', 'red'],
    ['\u001b]52;c;aGk=\u0007x', 'x'],
    ['\u001b]0;title\u001b\\x', 'x'],
    ['\u001b]8;;http://evil\u0007good\u001b]8;;\u0007', 'good'],
    ['\u001b]0;cut by another\u001b[31mred', 'red'],
    ['\u001b]0;never ended\nthe next line', '\nthe next line'],
    ['\u001b[31', ''],
    ['\u001b[31\nx', '\nx'],
    ['\u001b', ''],
    ['\u001bcreset', 'reset'],
    ['\u001b7\u001b8\u001b=\u001b>x', 'x'],
    ['\u001b#8x', 'x'],
    ['\u001b%Gx', 'x'],
    ['\u001b[?1049h\u001b[?25lx', 'x'],
    ['\u001b[5i\u001b[4ix', 'x'],
    ['\u001bPq#0;2;0;0;0#0!6~\u001b\\x', 'x'],
    ['\u001b^private\u001b\\x', 'x'],
    ['\u001bXstart of string\u009cx', 'x'],
    ['\u009b31mred', 'red'],
    ['\u0090dcs\u009cx', 'x'],
    ['\u009fapc\u009cx', 'x'],
    ['a\u0085b', 'ab'],
    ['\u001b]0;a\u0018x', 'x'],
    ['\u001b[\u00e9x', '\u00e9x'],
    ['a\u202eb', String.raw`a\u202eb`],
    ['a\u200fb', String.raw`a\u200fb`],
    ['a\u2028b', String.raw`a\u2028b`],
    ['a\u00adb', String.raw`a\u00adb`],
    ['a\u3164b', String.raw`a\u3164b`],
    ['tag\u{e0041}', String.raw`tag\u{e0041}`],
    ['zero\u200bwidth', String.raw`zero\u200bwidth`],
    ['a\u200db', String.raw`a\u200db`],
    ['half \ud83d', String.raw`half \ud83d`],
    ['\ufeffmark in front', 'mark in front'],
    ['👩\u200d💻 👍🏽\u200d', '👩\u200d💻 👍🏽\u200d'],
    ['❤️\u200d🔥', '❤️\u200d🔥'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
    ['葛\u{e0100}', '葛\u{e0100}'],
    ['👩\u200d\u200d', String.raw`👩${'\u200d'}\u200d`],
    ['a\ufe01\ufe02', String.raw`a\ufe01\ufe02`],
    ['é 資料 🚀', 'é 資料 🚀'],
    ['e\u0301\u0302\u0303x', 'e\u0301\u0302\u0303x'],
    [`Z${'\u0301'.repeat(500)}x`, `Z${'\u0301'.repeat(8)}x`],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  const piece = fc.oneof(
    fc.string({unit: 'binary'}),
    fc.constantFrom(
      '\r',
      '\n',
      '👩',
      '\u200d',
      '💻',
      '\ud83d',
      '\udcbb',
      '🏽',
      '\u001b',
      '\u001b[',
      '31m',
      '\u001b]0;',
      '\u0007',
      '\u001b\\',
      '\u009b',
      '\u0301',
      '\u202e',
    ),
  );

  it('never lets a control character but tab and line feed through, nor what turns the direction', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(visibleText(pieces.join(''))).not.toMatch(
          // oxlint-disable-next-line no-control-regex -- that is what must not be there
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u,
        );
      }),
    );
  });

  it('shows text that comes in pieces as it would show the whole, wherever a sequence is cut', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const stream = createVisibleStream();
        expect(pieces.map((text) => stream.push(text)).join('') + stream.end()).toBe(visibleText(pieces.join('')));
      }),
    );
  });

  it('halves of a character that only a sequence has kept apart are one, in pieces as at once', () => {
    const pieces = ['\ud83d', '\u001b', '\udcbb', '\ud83d'];
    const stream = createVisibleStream();
    expect([pieces.map((text) => stream.push(text)), stream.end(), visibleText(pieces.join(''))]).toEqual([
      ['', '', '💻', ''],
      String.raw`\ud83d`,
      String.raw`💻\ud83d`,
    ]);
  });

  it('leaves text that has nothing of it as it is, also shown twice', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme-ascii'}), fc.array(piece), (plain, pieces) => {
        const text = plain.replaceAll(/[^\t\n\x20-\x7e]/g, '');
        expect(visibleText(text)).toBe(text);
        const shown = visibleText(pieces.join(''));
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });

  it('a sequence without an end holds back no more than it may: the session goes on', () => {
    const filter = createControlFilter();
    expect([filter.push('a\u001b[1;'), filter.push('2'.repeat(300)), filter.push('b'), filter.end()]).toEqual([
      'a',
      '2'.repeat(46),
      'b',
      '',
    ]);
  });
});

describe('spelledText, for questions', () => {
  it.each([
    ['ls \u202e hs|x lruc', String.raw`ls \u202e hs|x lruc`, 1],
    ['a\u001b[2Kb\rc\b', String.raw`a\u001b[2Kb\u000dc\u0008`, 3],
    ['rm\u00a0-rf', String.raw`rm\u00a0-rf`, 1],
    ['x\u{e0041}\ufe0f\u200d', String.raw`x\u{e0041}\ufe0f\u200d`, 3],
    [`e${'\u0301'.repeat(10)}`, `e${'\u0301'.repeat(8)}${String.raw`\u0301\u0301`}`, 2],
    ['tab\tline\n資料 🚀 é', 'tab\tline\n資料 🚀 é', 0],
  ])('%j', (text, shown, hidden) => {
    expect(escapeInvisible(text)).toEqual({text: shown, hidden});
  });

  it('leaves nothing out: the text can be made again from what is shown', () => {
    fc.assert(
      fc.property(
        fc.string({unit: 'binary'}).filter((text) => !text.includes('\\')),
        (text) => {
          const back = escapeInvisible(text).text.replaceAll(/\\u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/g, (_, wide: string, narrow: string) =>
            String.fromCodePoint(Number.parseInt(wide ?? narrow, 16)),
          );
          expect(back).toBe(text);
        },
      ),
    );
  });
});
