import {resolve} from 'node:path';
import {counted} from '../../../../base/counted.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {plainLine} from '../../../../lab/report/text/text-table.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, machineFacts} from './lab-place.ts';

/** `fettle lab tasks`: the tasks of a suite, one line each, and the reasons why some cannot be run here. Exit code 1 if one cannot be read. */
export async function listTasks(io: Io, path: string, {json}: {readonly json?: true}): Promise<number> {
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    const facts = await machineFacts(io, labFolders(fettlePaths(io)), interrupts.signal());
    const suite = await readSuite(resolve(io.cwd, path), facts, interrupts.signal());
    if (json === true)
      io.data(`${JSON.stringify({name: suite.name, folder: suite.folder, tasks: suite.tasks, broken: suite.broken}, null, 2)}\n`);
    else {
      const width = Math.max(...suite.tasks.map(({id}) => id.length), 0);
      for (const {id, labels, steps, lacks} of suite.tasks) {
        const facts = [labels['language'], labels['kind'], steps.length > 1 ? counted(steps.length, 'step') : undefined];
        // Tasks of sessions have no such labels, and ids that say nothing.
        const about = facts.filter((fact) => fact !== undefined).join(', ') || beginningOf(steps[0]?.prompt ?? '');
        io.data(`${id.padEnd(width)}  ${plainLine(lacks.length === 0 ? about : `cannot be run here: ${lacks.join('; ')}`)}\n`);
      }
      for (const {id, problem} of suite.broken) io.data(`${plainLine(id)}  cannot be read: ${plainLine(problem)}\n`);
      const able = suite.tasks.filter(({lacks}) => lacks.length === 0).length;
      io.note(`${counted(suite.tasks.length + suite.broken.length, 'task')}, ${able} can be run here.`);
    }
    return suite.broken.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    interrupts.dispose();
  }
}

/** The first words of a prompt, for one line of a list. */
function beginningOf(prompt: string): string {
  const line = plainLine(prompt);
  return line.length > MOST_PROMPT ? `${line.slice(0, MOST_PROMPT)}…` : line;
}

const MOST_PROMPT = 60;
