// `npm run bench`: every row as pairs of runs, Fettle and the yardstick in turn; the ratio of the medians against the budget.
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {rgPath} from '@vscode/ripgrep';
import {measureCheckpoints} from './checkpoints.ts';
import {measureGuards} from './guards.ts';
import {measureCode} from './code.ts';
import {startInstantModel} from './instant-model.ts';
import {measureGrowth} from './grow.ts';
import {measureLab} from './lab.ts';
import {launch, median, type Launch} from './measure.ts';
import {measureLong} from './long.ts';
import {measureResume} from './resume.ts';
import {measureRollouts} from './rollouts.ts';
import {measurePeers} from './peers/measure-peers.ts';
import {measureScreen} from './screen.ts';
import {measureSearch} from './search.ts';
import {measureSandbox} from './sandbox.ts';
import {makeWorkFolder, resetCounter} from './work-folder.ts';
import {measurePolicies} from './policies/measure-policies.ts';
import {drawPolicies} from './policies/pictures.ts';
import {fettle, ROWS, yardstick, type Place, type Row} from './rows.ts';

const {values, positionals} = parseArgs({options: {pairs: {type: 'string', default: '9'}}, allowPositionals: true});
const pairs = Number(values.pairs);
const [peers, names] = [positionals[0] === 'peers', positionals.slice(1)];
const rows = positionals.length === 0 ? ROWS : ROWS.filter((row) => !peers && positionals.includes(row.name));

const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-')));
const model = await startInstantModel();
const place: Place = {folder: join(root, 'work'), home: join(root, 'home'), rg: rgPath, baseUrl: model.baseUrl};
let failed = 0;
try {
  makePlace();
  for (const row of rows) failed += (await measure(row)) ? 0 : 1;
} finally {
  await model.close();
  rmSync(root, {recursive: true, force: true});
}
if (positionals.length === 0 || positionals.includes('tree')) {
  console.log('grep and glob on 100,000 files');
  failed += await measureSearch();
}
if (positionals.length === 0 || positionals.includes('undo')) failed += await measureCheckpoints();
if (positionals.length === 0 || positionals.includes('resume')) failed += await measureResume();
if (positionals.length === 0 || positionals.includes('sandbox')) failed += await measureSandbox();
if (positionals.length === 0 || positionals.includes('guards')) failed += await measureGuards();
if (positionals.length === 0 || positionals.includes('long')) failed += await measureLong(10_000);
if (positionals.length === 0 || positionals.includes('screen')) failed += await measureScreen();
if (positionals.length === 0 || positionals.includes('code')) failed += await measureCode();
if (positionals.length === 0 || positionals.includes('lab')) failed += await measureLab();
if (positionals.length === 0 || positionals.includes('rollouts')) failed += await measureRollouts();
if (positionals.length === 0 || positionals.includes('policies')) failed += measurePolicies();
if (positionals.includes('policies-pictures')) drawPolicies();
failed += await measureGrowth(positionals);
if (peers) failed += await measurePeers(pairs, names);
if (!peers) console.log(failed === 0 ? 'every budget is kept' : `${failed} budgets are broken`);
process.exitCode = failed === 0 ? 0 : 1;

async function measure(row: Row): Promise<boolean> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let pair = -1; pair < pairs; pair += 1) {
    const a = await one(row, fettle(row, place));
    const b = await one(row, yardstick(row, place));
    if (pair < 0) continue; // the first pair warms the caches
    ours.push(a);
    theirs.push(b);
  }
  const ratio = median(ours) / median(theirs);
  const ok = ratio <= row.budget;
  const figures = `${median(ours).toFixed(2)} / ${median(theirs).toFixed(2)} ${row.unit}`;
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${row.name.padEnd(11)} ${ratio.toFixed(2).padStart(6)} x  (budget ${row.budget} x)  ${figures}  ${row.what}`,
  );
  return ok;
}

async function one(row: Row, what: Launch): Promise<number> {
  resetCounter(place.folder);
  model.reset(row.plan);
  return row.figure(await launch(what, row.bare !== true), model);
}

function makePlace(): void {
  makeWorkFolder(place.folder);
  mkdirSync(place.home, {recursive: true});
  writeFileSync(
    join(place.home, 'config.toml'),
    `[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${model.baseUrl}"\n`,
  );
}
