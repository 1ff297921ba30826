import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {isFettleError} from '../../../src/base/errors.ts';

/**
 * A child that restores a checkpoint while its n-th change of the disk goes wrong: 'kill' ends it there as a loss of power would, a code
 * of the system is thrown. Prints what came of it, and how many changes there were.
 */
const [root = '', state = '', id = '', wrong = '', at = '0'] = process.argv.slice(2);
let changes = 0;

function guard(): void {
  changes += 1;
  if (changes !== Number(at)) return;
  if (wrong === 'kill') process.kill(process.pid, 'SIGKILL');
  else throw Object.assign(new Error(`${wrong}: injected`), {code: wrong});
}

const CHANGING = ['writeSync', 'renameSync', 'unlinkSync', 'mkdirSync', 'rmdirSync', 'symlinkSync', 'chmodSync', 'fchmodSync'] as const;
const patched: Record<string, (...args: readonly unknown[]) => unknown> = {};
for (const name of CHANGING) {
  const real = fs[name] as (...args: readonly unknown[]) => unknown;
  patched[name] = (...args) => {
    guard();
    return real(...args);
  };
}
Object.assign(fs, patched);
syncBuiltinESMExports();

const {storePlace} = await import('../../../src/workspace/checkpoints/store/store-place.ts');
const {readCheckpoints} = await import('../../../src/workspace/checkpoints/read-checkpoints.ts');
const {restoreCheckpoint} = await import('../../../src/workspace/checkpoints/restore/restore.ts');
const place = storePlace(state, root);
const target = readCheckpoints(place).find((one) => one.id === id);
if (target === undefined) throw new Error(`There is no checkpoint ${id}.`);
const limits = {maxBytes: 50_000_000, maxFileBytes: 1_000_000, maxEntries: 10_000, maxReadMs: 20_000};
const options = {place, target, limits, scope: 'files', files: [], force: false, dryRun: false} as const;
const outcome = await restoreCheckpoint(options).then(
  ({refused}) => `restored, ${refused.length} refused`,
  (error: unknown) => (isFettleError(error) ? error.code : String(error)),
);
process.stdout.write(JSON.stringify({outcome, changes}));
