import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {PlannedCall} from '../wires/wire.ts';
import {startLongModel} from '../long-model.ts';
import {runInTerminal} from '../terminal-run.ts';
import {homeEnvironment, inScratch, LAUNCHER, reportGrowth} from './growth.ts';

const CHECKPOINTS = 1000;
const FILES = 50;
const BUDGET = 1.5;

/**
 * A chat on the screen with 1,000 tasks that change a file each: from Enter to the line that tells what was changed, around checkpoint 1,000 over
 * around checkpoint 10; and the change itself.
 */
export async function measureCheckpointGrowth(): Promise<number> {
  return await inScratch(async (root) => {
    // Each task is two requests: one is answered with the change, one with a text.
    const model = await startLongModel((n) => (n % 2 === 0 ? editOf(n / 2) : undefined));
    const cwd = join(root, 'work');
    makeFiles(cwd);
    const env = homeEnvironment(join(root, 'home'), model.baseUrl, '[context]\nwindow_tokens = 32000\n');
    const argv = [LAUNCHER, '--mode', 'accept-edits'];
    const screen = runInTerminal({argv, cwd, env, columns: 100, rows: 30});
    try {
      await screen.until('Type a task');
      const tasks: number[] = [];
      for (let n = 0; n < CHECKPOINTS; n += 1) {
        await screen.echo(`task ${n}x`, `${n}x`);
        tasks.push(await screen.echo('\r', 'Changed 1 file'));
      }
      const what = `around checkpoint ${CHECKPOINTS.toLocaleString('en')} over around checkpoint 10`;
      const edits = model.byCall.filter((_, n) => n % 2 === 0);
      return (
        reportGrowth({
          name: 'grow-checkpoints task',
          late: tasks.slice(-20),
          early: tasks.slice(5, 25),
          budget: BUDGET,
          what: `a task, ${what}`,
        }) +
        reportGrowth({
          name: 'grow-checkpoints edit',
          late: edits.slice(-20),
          early: edits.slice(5, 25),
          budget: BUDGET,
          what: `its edit, ${what}`,
        })
      );
    } finally {
      screen.kill();
      await screen.ended;
      await model.close();
    }
  });
}

function editOf(n: number): PlannedCall {
  const value = Math.floor(n / FILES);
  return {name: 'edit', arguments: {path: `f${n % FILES}.txt`, old_string: `value = ${value};`, new_string: `value = ${value + 1};`}};
}

function makeFiles(cwd: string): void {
  mkdirSync(join(cwd, '.git'), {recursive: true});
  for (let n = 0; n < FILES; n += 1) {
    writeFileSync(join(cwd, `f${n}.txt`), `value = 0;\n${`line of file ${n} with some words in it\n`.repeat(40)}`);
  }
}
