// The class runs in a process of its own, against a slow list that is right by construction.
import {execFileSync} from 'node:child_process';
import {deepStrictEqual} from 'node:assert';

const operations = [];
let seed = 7;
const next = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
for (let count = 0; count < 2000; count += 1) operations.push([['get', 'set', 'has'][next(3)], next(12), next(100)]);

const list = [];
const expected = operations.map(([name, key, value]) => {
  const at = list.findIndex(([known]) => known === key);
  if (name === 'has') return at >= 0;
  const found = at >= 0 ? list.splice(at, 1)[0] : undefined;
  if (name === 'get') {
    if (found) list.push(found);
    return found?.[1] ?? null;
  }
  list.push([key, value]);
  if (list.length > 5) list.shift();
  return list.map(([known]) => known);
});

const probe = `
  import {LruCache} from './lru.mjs';
  const operations = JSON.parse(process.env.OPERATIONS);
  const cache = new LruCache(5);
  const seen = operations.map(([name, key, value]) => {
    if (name === 'has') return cache.has(key);
    if (name === 'get') return cache.get(key) ?? null;
    return cache.set(key, value) === cache ? [...cache.keys()] : 'not the cache';
  });
  const refused = [0, -1, 1.5, NaN, '3', Infinity].map((capacity) => {
    try { new LruCache(capacity); return 'made'; } catch (error) { return error.name; }
  });
  const odd = new LruCache(3);
  const key = {};
  odd.set(NaN, 1).set(key, 2).set('u', undefined);
  const oddities = [odd.get(NaN), odd.get(key), odd.has('u'), odd.get('u') === undefined, odd.size];
  odd.set('x', 1);
  oddities.push(odd.has('u'), odd.has(NaN), odd.size);
  // A search in all entries takes longer here than the process may.
  const big = new LruCache(50_000);
  for (let at = 0; at < 100_000; at += 1) big.set(at, at);
  for (let at = 99_999; at >= 0; at -= 1) big.get(at);
  console.log('\\n' + JSON.stringify({seen, refused, oddities}));
`;
const said = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
  env: {...process.env, OPERATIONS: JSON.stringify(operations)},
  encoding: 'utf8',
  timeout: 6_000,
});
deepStrictEqual(JSON.parse(said.trimEnd().split('\n').at(-1)), {
  seen: expected,
  refused: Array(6).fill('RangeError'),
  // After the reads of NaN, the object and 'u', the least recently used key is NaN.
  oddities: [1, 2, true, true, 3, true, false, 3],
});
console.log('ok');
