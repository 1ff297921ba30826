import {expect, it} from 'vitest';
import {peersTable, type Result} from '../../bench/peers/table.ts';

const COLUMNS = [
  {name: 'version', unit: 'ms'},
  {name: 'read', unit: 'ms'},
  {name: 'memory-1', unit: 'MiB'},
];

function result(name: string, cells: Readonly<Record<string, readonly number[] | string>>): Result {
  return {name, version: '1.2.3', cells: new Map(Object.entries(cells)), note: `${name} is as it is.`};
}

it('prints medians over those of the first, and why there is none', () => {
  const results = [
    result('bare loop', {version: [30, 31, 90], read: [0.5, 0.4], 'memory-1': [60]}),
    result('fast', {version: [31], read: [1.25, 1.24, 9], 'memory-1': [Number.NaN]}),
    result('slow', {version: [930], read: '3 requests came instead of 61', 'memory-1': '3 requests came instead of 61'}),
  ];
  expect(peersTable(COLUMNS, results)).toMatchInlineSnapshot(`
    "|  | version | \`--version\` | read | memory-1 |
    | --- | --- | ---: | ---: | ---: |
    | bare loop | 1.2.3 | 31 ms | 0.45 ms | 60 MiB |
    | fast | 1.2.3 | 1.00× | 2.8× | - |
    | slow | 1.2.3 | 30× | - | - |

    - bare loop is as it is.
    - fast is as it is.
    - slow is as it is.
    - slow, read, memory-1: 3 requests came instead of 61"
  `);
});

it('has no ratio where the yardstick has no figure', () => {
  const results = [result('bare loop', {read: 'ended with 1'}), result('fast', {read: [1]})];
  expect(peersTable(COLUMNS.slice(1, 2), results)).toMatchInlineSnapshot(`
    "|  | version | read |
    | --- | --- | ---: |
    | bare loop | 1.2.3 | - |
    | fast | 1.2.3 | - |

    - bare loop is as it is.
    - fast is as it is.
    - bare loop, read: ended with 1"
  `);
});
