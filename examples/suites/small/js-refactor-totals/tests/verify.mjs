// The same results (months are sorted by name, the others by total), and the loop written once.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {deepStrictEqual, strictEqual} from 'node:assert';

const orders = [];
let seed = 11;
const next = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
const pick = (list) => list[next(list.length)];
for (let count = 0; count < 400; count += 1) {
  orders.push({
    country: pick(['DE', 'FR', 'PT', undefined]),
    product: pick(['a', 'b', 'c', 'd', null]),
    date: pick(['2024-01-03', '2024-02-09', '2023-12-30', undefined]),
    cents: next(10_000) - 500,
    cancelled: next(5) === 0,
  });
}
orders.push({country: 'X', product: 'p', cents: 100}, {country: 'Y', product: 'q', cents: 100});
const money = (cents) => `${Math.trunc(cents / 100)}.${String(Math.abs(cents % 100)).padStart(2, '0')}`;
function totals(keyOf, compare) {
  const sums = new Map();
  for (const order of orders.filter(({cancelled}) => !cancelled)) {
    const key = keyOf(order) ?? 'unknown';
    sums.set(key, (sums.get(key) ?? 0) + order.cents);
  }
  return [...sums].sort(compare).map(([key, cents]) => `${key}: ${money(cents)}`);
}
const byTotal = ([a, x], [b, y]) => y - x || (a < b ? -1 : 1);
const byName = ([a], [b]) => (a < b ? -1 : 1);
const probe = `
  import * as report from './report.mjs';
  const orders = JSON.parse(process.env.ORDERS);
  const results = ['totalsByCountry', 'totalsByProduct', 'totalsByMonth'].map((name) => report[name](orders));
  console.log('\\n' + JSON.stringify({results, names: Object.keys(report).sort()}));
`;
const said = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
  env: {...process.env, ORDERS: JSON.stringify(orders)},
  encoding: 'utf8',
  timeout: 20_000,
});
deepStrictEqual(JSON.parse(said.trimEnd().split('\n').at(-1)), {
  results: [
    totals(({country}) => country, byTotal),
    totals(({product}) => product, byTotal),
    totals(({date}) => date?.slice(0, 7), byName),
  ],
  names: ['totalsByCountry', 'totalsByMonth', 'totalsByProduct'],
});
const code = readFileSync('report.mjs', 'utf8');
for (const once of [/\bcancelled\b/g, /new Map\b|Object\.groupBy|Map\.groupBy|\.reduce\(/g, /'unknown'|"unknown"/g]) {
  strictEqual((code.match(once) ?? []).length, 1, `${once} must be written once`);
}
strictEqual(readFileSync('format.mjs', 'utf8').includes('padStart(2'), true);
console.log('ok');
