import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findDamage, reportedDamage} from '../../src/sessions/log-damage.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {scratch} from '../support/scratch.ts';
import {logged, wholeTurn} from './events.ts';

const lines = logged(wholeTurn()).map(encodeLine);

function changed(line: number, change: (text: string) => string): string {
  return lines.map((text, index) => (index === line - 1 ? change(text) : text)).join('');
}

const NONE = {damage: undefined, isCutOff: false};
const LINE_3 = {damage: {records: 1, lines: [3]}, isCutOff: false};

describe('damage of a log: seen in passing as it is by those who read all of it', () => {
  it.each([
    ['none', lines.join(''), NONE],
    ['an empty log', '', NONE],
    ['garbage in place of a record', changed(3, () => 'garbage\n'), LINE_3],
    ['garbage that looks like a record', changed(3, () => '{"v":1,"seq":3}\n'), LINE_3, 'passing does not see it'],
    ['an empty line', changed(3, () => '\n'), LINE_3],
    ['the beginning of a record is lost', changed(3, (text) => text.slice(5)), LINE_3],
    ['the end of a record is lost, with its newline', changed(3, (text) => text.slice(0, -9)), LINE_3],
    ['zeros within a record', changed(3, (text) => text.replace('"ts":"2', '"ts":"\0')), LINE_3],
    ['another version', changed(3, (text) => text.replace('"v":1', '"v":9')), LINE_3],
    ['a record is missing: what is there can be read', changed(3, () => ''), NONE],
    ['the first record', changed(1, () => '{\n'), {damage: {records: 1, lines: [1]}, isCutOff: false}],
    ['two', changed(3, () => 'x\nx\n'), {damage: {records: 2, lines: [3, 4]}, isCutOff: false}],
    [
      'many: the first of them are named',
      `${lines[0]}${'x\n'.repeat(99)}${lines[1]}`,
      {damage: {records: 99, lines: numbers(2, 21)}, isCutOff: false},
    ],
    ['cut off at the end by a crash: no damage', lines.join('').slice(0, -9), {damage: undefined, isCutOff: true}],
    ['cut off, with a newline', `${lines.join('').slice(0, -9)}\n`, {damage: undefined, isCutOff: true}],
    ['cut off, and damaged', changed(3, () => 'x\n').slice(0, -9), {damage: {records: 1, lines: [3]}, isCutOff: true}],
  ] as const)('%s', async (_, text, expected, unseen?: string) => {
    const file = join(await scratch(), 'log.jsonl');
    await writeFile(file, text);
    expect(reportedDamage((await loadLog(file)).report)).toEqual(expected);
    expect(findDamage(file)).toEqual(unseen === undefined ? expected.damage : undefined);
  });

  it('what is no file has none', async () => {
    expect(findDamage(join(await scratch(), 'nothing'))).toBeUndefined();
  });
});

function numbers(first: number, last: number): number[] {
  return Array.from({length: last - first + 1}, (_, index) => first + index);
}
