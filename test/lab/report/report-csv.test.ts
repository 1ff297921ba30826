import fc from 'fast-check';
import {expect, it} from 'vitest';
import {reportCsv} from '../../../src/lab/report/report-csv.ts';
import {result, results, runOf} from './results.ts';

/** The records of a CSV text, by the grammar of RFC 4180, section 2. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  const record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const [, quoted, plain, end] = field.exec(text) ?? expect.fail('no field');
    record.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') records.push(record.splice(0));
  }
  return records;
}

it('is one record for each result, in the order of the plan', () => {
  const all = [...results({sort: '+', sum: '+-'}), result({key: {task: 'copy'}, outcome: 'infrastructure', exitCode: null, costUsd: null})];
  const run = runOf(all.toReversed(), {tasks: [{id: 'sum', labels: {language: 'python'}}, {id: 'sort'}]});
  expect([...reportCsv(run)].join('')).toMatchInlineSnapshot(`
    "run,task,language,model,toolset,attempt,outcome,failure,reward,exit_code,started_at,agent_ms,verify_ms,turns,input_tokens,cached_tokens,output_tokens,cost_usd,retries,version,task_digest,note
    night,sum,python,acme/large,fettle,1,passed,,1,0,2023-11-14T22:13:20.000Z,2000,300,4,1000,600,100,0.02,0,1.2.3,digest of sum,
    night,sum,python,acme/large,fettle,2,failed,wrong-answer,0,0,2023-11-14T22:13:20.000Z,2000,300,4,1000,600,100,0.02,0,1.2.3,digest of sum,
    night,sort,,acme/large,fettle,1,passed,,1,0,2023-11-14T22:13:20.000Z,2000,300,4,1000,600,100,0.02,0,1.2.3,digest of sort,
    night,copy,,acme/large,fettle,1,infrastructure,,0,,2023-11-14T22:13:20.000Z,2000,300,4,1000,600,100,,0,1.2.3,digest of copy,
    "
  `);
});

it('keeps every text, quoted where RFC 4180 says so, and no formula', () => {
  fc.assert(
    fc.property(fc.string({unit: fc.constantFrom('"', ',', '\r', '\n', '=', '-', '+', '@', '\t', 'a', 'é')}), (note) => {
      const [head = [], cells = []] = readCsv([...reportCsv(runOf([result({note})]))].join(''));
      const read = cells[head.indexOf('note')];
      expect([head.length, read]).toEqual([cells.length, /^[=+\-@\t\r]/.test(note) ? `'${note}` : note]);
    }),
  );
});
