import {appendFileSync, closeSync, openSync, statSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createRecallIndex} from '../../src/context/memory/recall-index.ts';
import {createLogItems} from '../../src/sessions/log-items.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {scratch} from '../support/scratch.ts';

/** A read of a file and its output, as two lines of a log. */
function readLines(n: number): string {
  const base = {request_id: `req_${n}`, tool_name: 'read', tool_call_id: `call_${n}`};
  const status = 'completed' as const;
  const call = {id: `itm_${n}`, ...base, type: 'tool_invocation' as const, arguments: JSON.stringify({path: `f${n}.txt`})};
  const output = {id: `itm_${n}:output`, ...base, call_id: call.id, type: 'tool_output' as const, output: `text ${n} ${'x'.repeat(1000)}`};
  return [
    {...call, status, outcome: 'success' as const, duration_ms: 1},
    {...output, is_error: false, summary: '1 line', status},
  ]
    .map((item, at) => {
      const event = {type: 'item.completed' as const, turn_id: 'trn_1', item};
      return encodeLine({v: 1, seq: 2 * n + at - 1, ts: '2026-01-01T00:00:00.000Z', turn: 1, event});
    })
    .join('');
}

const lines = (from: number, to: number): string => Array.from({length: to - from + 1}, (_, n) => readLines(from + n)).join('');

/** Whoever reads the beginning again finds no event there. */
function overwriteBeginning(file: string, bytes: number): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, `${'#'.repeat(bytes - 1)}\n`, 0);
  closeSync(fd);
}

describe('the items of a log that grows', () => {
  it('what was read is not read again, however long the log becomes: neither for the index nor for outputs', async () => {
    const file = join(await scratch(), 'log.jsonl');
    writeFileSync(file, lines(1, 500));
    const log = createLogItems(file);
    const index = createRecallIndex(log);
    const first = await index();
    expect([first.length, first.at(-1)]).toEqual([500, {about: 'read f500.txt', items: [1000]}]);
    overwriteBeginning(file, Math.floor(statSync(file).size / 2));
    appendFileSync(file, lines(501, 502) + readLines(499));
    const second = await index();
    expect([second.length, second.slice(0, 2), second.slice(-3)]).toEqual([
      502,
      [
        {about: 'read f1.txt', items: [2]},
        {about: 'read f2.txt', items: [4]},
      ],
      [
        {about: 'read f501.txt', items: [1002]},
        {about: 'read f502.txt', items: [1004]},
        {about: 'read f499.txt', items: [998, 1006]},
      ],
    ]);
    const outputs = await log.outputs(new Set([980, 1002, 1004]));
    expect([...outputs].map(([number, text]) => [number, text.slice(0, 8)])).toEqual([
      [980, 'text 490'],
      [1002, 'text 501'],
      [1004, 'text 502'],
    ]);
  });

  it('outputs are found by their numbers also where nothing was read before', async () => {
    const file = join(await scratch(), 'log.jsonl');
    writeFileSync(file, lines(1, 3));
    const log = createLogItems(file);
    expect([...(await log.outputs(new Set([4])))].map(([number, text]) => [number, text.slice(0, 6)])).toEqual([[4, 'text 2']]);
    expect([...(await log.outputs(new Set()))]).toEqual([]);
  });

  it('a line that is still being written is read when it is whole', async () => {
    const file = join(await scratch(), 'log.jsonl');
    const [whole, next] = [readLines(1), readLines(2)];
    writeFileSync(file, whole + next.slice(0, 50));
    const index = createRecallIndex(createLogItems(file));
    expect(await index()).toEqual([{about: 'read f1.txt', items: [2]}]);
    appendFileSync(file, next.slice(50));
    expect(await index()).toEqual([
      {about: 'read f1.txt', items: [2]},
      {about: 'read f2.txt', items: [4]},
    ]);
  });
});
