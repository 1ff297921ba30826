import {readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {systemErrorCode} from '../../base/errors.ts';
import type {CapturedOutput} from '../process/command.ts';

/**
 * Drops a spill file that repeats an earlier one: if a line names a spill file of the same folder that contains the output word for word, the
 * new file is deleted and the old one named ("never a spool of a spool").
 */
export function dedupeSpill(output: CapturedOutput, line: string | undefined): CapturedOutput {
  const {spillPath: written} = output;
  if (written === undefined || line === undefined) return output;
  const folder = dirname(written);
  try {
    const earlier = readdirSync(folder)
      .filter((name) => line.includes(name))
      .map((name) => join(folder, name))
      .find((path) => path !== written && holds(path, written));
    if (earlier === undefined) return output;
    rmSync(written, {force: true});
    return {...output, spillPath: earlier};
  } catch (error) {
    // Two copies are better than none.
    if (systemErrorCode(error) === undefined) throw error;
    return output;
  }
}

/** Larger files are not compared. */
const MOST_BYTES = 64 * 1024 * 1024;

function holds(path: string, written: string): boolean {
  const [whole, part] = [statSync(path).size, statSync(written).size];
  return part <= whole && whole <= MOST_BYTES && readFileSync(path).includes(readFileSync(written));
}
