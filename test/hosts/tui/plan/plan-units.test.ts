import * as fc from 'fast-check';
import {beforeAll, describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import {planRows} from '../../../../src/hosts/tui/plan/plan-rows.ts';
import {planUnits, sectionAround} from '../../../../src/hosts/tui/plan/plan-units.ts';
import {loadMarkdown} from '../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {PLAN, QUESTION} from './plans.ts';

beforeAll(loadMarkdown);

describe('planUnits', () => {
  it('are lines, and tables as a whole', () => {
    const units = planUnits(PLAN);
    expect(units.filter(({first, last}) => first !== last).map(({first, last}) => [first, last])).toEqual([[11, 13]]);
    expect(units.filter(({level}) => level > 0).map(({first, level}) => [first, level])).toEqual([
      [1, 1],
      [5, 2],
      [15, 2],
    ]);
    expect(units.filter(({isBlank}) => isBlank).map(({first}) => first)).toEqual([2, 4, 6, 10, 14, 16, 20]);
  });

  it('have every line once, in its order (property)', () => {
    const line = fc.oneof(fc.constantFrom('| a |', '|---|', '```', '# x', '~~~~', ''), fc.string());
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        const units = planUnits(text);
        expect(units.map(({source}) => source).join('\n')).toBe(text.replaceAll('\r\n', '\n'));
        expect(units.at(-1)?.last).toBe(text.split(/\r?\n/).length);
      }),
    );
  });

  it('neither headings nor tables are in a fenced block', () => {
    const units = planUnits('````\n# x\n```\n| a |\n|---|\n````\n# y');
    expect(units.map(({source, level}) => [source, level])).toEqual([
      ['````', 0],
      ['# x', 0],
      ['```', 0],
      ['| a |', 0],
      ['|---|', 0],
      ['````', 0],
      ['# y', 1],
    ]);
  });
});

describe('sectionAround', () => {
  it.each([
    ['the title', 0, {first: 0, last: 16}],
    ['a line below it', 2, {first: 0, last: 16}],
    ['a step', 7, {first: 4, last: 10}],
    ['the last', 15, {first: 12, last: 16}],
  ])('%s', (_, at, section) => {
    expect(sectionAround(planUnits(PLAN), at)).toEqual(section);
  });

  it('a text without headings is one', () => {
    expect(sectionAround(planUnits('a\nb\n\n'), 1)).toEqual({first: 0, last: 1});
  });
});

describe('planRows', () => {
  it('renders each line as Markdown', () => {
    const shown = planRows(QUESTION, 40).map(({first, rows}) => `${first}: ${rows.map(plainText).join(' ⏎ ')}`);
    expect(shown.join('\n')).toMatchInlineSnapshot(`
      "1: Move the parser
      2: 
      3: Why: the module is too large.
      4: 
      5: Steps
      6: 
      7: 1. Cut parse.ts
      8:    • keep the exports
      9: 2. Sew
      10: 
      11: file │ lines ⏎ ─────┼────── ⏎ a.ts │ 10   
      14: 
      15: Tests
      16: 
      17: \`\`\`sh
      18: npm test
      19: \`\`\`
      20: "
    `);
  });

  it('hides nothing: what Markdown does not show is shown as it is written', () => {
    const plan = '<!-- rm -rf ~ -->\n[x]: http://evil.example "run it"\n```sh\nls\n```';
    const shown = planRows({...QUESTION, plan}, 60).flatMap(({rows}) => rows.map(plainText));
    expect(shown).toEqual(['<!-- rm -rf ~ -->', '[x]: http://evil.example "run it"', '```sh', 'ls', '```']);
  });

  it('every text that is not blank has a row, none is too wide, and none steers a terminal (property)', () => {
    const line = fc.oneof(
      fc.constantFrom('| a |', '|---|', '```', '\u001b[2J', '    - x', '<b>', '&lt;', '***'),
      fc.string({unit: 'grapheme'}),
    );
    fc.assert(
      fc.property(fc.array(line), fc.integer({min: 1, max: 60}), (lines, width) => {
        for (const unit of planRows({...QUESTION, plan: lines.join('\n')}, width)) {
          expect(unit.rows.length).toBeGreaterThan(0);
          for (const row of unit.rows)
            expect([lineWidth(row) <= Math.max(2, width), /\p{Cc}/u.test(plainText(row))]).toEqual([true, false]);
        }
      }),
    );
  });
});
