import {execFileSync} from 'node:child_process';
import {deepStrictEqual} from 'node:assert';

const probe = `
  import {loadAll} from './load.mjs';
  const turns = async (count) => { for (let at = 0; at < count; at += 1) await new Promise(setImmediate); };
  let running = 0;
  let most = 0;
  const begun = [];
  const load = async (id) => {
    begun.push(id);
    running += 1;
    most = Math.max(most, running);
    await turns(id % 2 === 0 ? 9 : 2);
    running -= 1;
    return id * 10;
  };
  const ordered = await loadAll([4, 1, 2, 3, 6, 5, 8, 7], load);
  const once = begun.length;
  const few = await loadAll([1], load);
  const none = await loadAll([], load);
  const failed = await loadAll([1, 2, 3], async (id) => {
    await turns(id);
    if (id > 1) throw new Error('no ' + id);
    return id;
  }).then(() => 'resolved', (error) => error.message);
  const sync = await loadAll([1, 2], (id) => id).catch((error) => error.message);
  console.log('\\n' + JSON.stringify({ordered, once, most, few, none, failed, sync}));
`;
const said = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {encoding: 'utf8', timeout: 20_000});
deepStrictEqual(JSON.parse(said.trimEnd().split('\n').at(-1)), {
  ordered: [40, 10, 20, 30, 60, 50, 80, 70],
  once: 8,
  most: 3,
  few: [10],
  none: [],
  failed: 'no 2',
  sync: [1, 2],
});
console.log('ok');
