import {measureCheckpointGrowth} from './grow/checkpoints.ts';
import {measureTouchedFiles} from './grow/files.ts';
import {measureSessionGrowth} from './grow/sessions.ts';
import {measureTreeGrowth} from './grow/tree.ts';
import {measureTurns} from './grow/turns.ts';

const PARTS: Readonly<Record<string, () => Promise<number>>> = {
  'grow-sessions': measureSessionGrowth,
  'grow-checkpoints': measureCheckpointGrowth,
  'grow-turns': measureTurns,
  'grow-files': measureTouchedFiles,
  'grow-tree': measureTreeGrowth,
};

/** Measures what grows with use: each part that is named, or all for `grow`. Late over early, so that flat is 1. Returns how many budgets are broken. */
export async function measureGrowth(names: readonly string[]): Promise<number> {
  let failed = 0;
  for (const [name, measure] of Object.entries(PARTS)) if (names.includes('grow') || names.includes(name)) failed += await measure();
  return failed;
}
