// Swaps a folder for a link to another one and back, without end: node race.mjs FOLDER OUTSIDE
import {existsSync, renameSync, rmSync, symlinkSync, unlinkSync} from 'node:fs';

const [folder, outside] = process.argv.slice(2);
const aside = `${folder}.aside`;
const link = `${folder}.link`;
const clock = new Int32Array(new SharedArrayBuffer(4));
/** Now and then long enough for a whole operation, mostly so short that one is cut in the middle. */
const moment = () => void Atomics.wait(clock, 0, 0, Math.random() ** 3 * 4);

function swap() {
  moment();
  symlinkSync(outside, link);
  renameSync(folder, aside);
  renameSync(link, folder);
  moment();
  unlinkSync(folder);
  renameSync(aside, folder);
}

/** A write may have made the folder anew while there was none. */
function restore() {
  rmSync(link, {force: true});
  if (!existsSync(aside)) return;
  rmSync(folder, {force: true, recursive: true});
  renameSync(aside, folder);
}

process.stdout.write('ready\n');
for (;;) {
  try {
    swap();
  } catch {
    try {
      restore();
    } catch {
      // The next round tries again.
    }
  }
}
