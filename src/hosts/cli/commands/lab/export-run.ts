import {resolve} from 'node:path';
import {counted} from '../../../../base/counted.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
import {exportRollouts, type ExportSummary, type LabExportFormat} from '../../../../lab/export/export-rollouts.ts';
import {openRun} from '../../../../lab/run/run-folder.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, queueToRead, withEngine} from './lab-place.ts';
import {resultsOf} from './run-results.ts';

export interface LabExportFlags {
  readonly format: LabExportFormat;
  readonly out: string;
  readonly queue?: string;
}

/** `fettle lab export`: the rollouts of a run as training data, in a new folder. Exit code 1 if not a single record came of them. */
export async function exportRun(io: Io, name: string | undefined, flags: LabExportFlags): Promise<number> {
  const paths = fettlePaths(io);
  const {plan} = await openRun(paths.stateDir, name);
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  try {
    const signal = interrupts.signal();
    const place = {folders: labFolders(paths), queue: queueToRead(io, flags, plan)};
    const run = await withEngine(place, async (engine) => await resultsOf(plan, engine, signal), signal);
    const read = artifactReader(await openArtifacts(plan.store, io.env), run.results);
    const folder = resolve(io.cwd, flags.out);
    const summary = await exportRollouts({run, format: flags.format, read, folder}, signal);
    for (const line of summaryLines(summary)) io.note(line);
    io.note(`Written to ${folder}. Secrets are redacted by their shape: look through the data before you publish it.`);
    return recordsOf(summary) > 0 ? EXIT.done : EXIT.failed;
  } finally {
    interrupts.dispose();
  }
}

function recordsOf({records}: ExportSummary): number {
  return Object.values(records).reduce((sum, count) => sum + count, 0);
}

function summaryLines({records, tasks, leftOut, withoutTools}: ExportSummary): string[] {
  return [
    ...Object.entries(records).map(
      ([split, count]) => `${split}: ${counted(count, 'record')} of ${counted(tasks[split as keyof typeof tasks], 'task')}`,
    ),
    ...Object.entries(leftOut).map(([reason, count]) => `left out: ${counted(count, 'rollout')}, ${reason}`),
    ...(withoutTools === 0
      ? []
      : [`${counted(withoutTools, 'rollout')} without the system prompt and the tools: their session log is gone`]),
  ];
}
