import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ReadArtifact} from '../log/rollout-log.ts';
import {isJudged} from '../report/measures.ts';
import type {RunResults} from '../report/run-results.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import {exportAtifFiles} from './atif-files.ts';
import {exportPreference, exportRl, exportSft} from './chat-exports.ts';
import {createDatasetWriter, emptyFolder} from './dataset-writer.ts';
import {createDuplicateFinder} from './near-duplicates.ts';
import {DEFAULT_PARTS, splitOf, type Split, type SplitParts} from './splits.ts';
import {newCounts, type TaskExport} from './task-export.ts';

export const LAB_EXPORT_FORMATS = ['sft', 'preference', 'rl', 'atif'] as const;
export type LabExportFormat = (typeof LAB_EXPORT_FORMATS)[number];

export interface ExportRequest {
  readonly run: RunResults;
  readonly format: LabExportFormat;
  readonly read: ReadArtifact;
  /** Is made; must be empty. */
  readonly folder: string;
  readonly parts?: SplitParts | undefined;
}

/** Also written as `dataset.json` beside the records. */
export interface ExportSummary {
  readonly format: LabExportFormat;
  readonly run: string;
  readonly suite: string;
  readonly records: Readonly<Record<Split, number>>;
  readonly tasks: Readonly<Record<Split, number>>;
  /** Rollouts that gave no record, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Rollouts of whose log the system prompt and the tools are not part. */
  readonly withoutTools: number;
  readonly parts: SplitParts;
}

/**
 * Writes the rollouts of a run as training data: `train.jsonl`, `validation.jsonl` and `test.jsonl` by task, each with a file of provenance of as
 * many lines; `atif` as a file for each trajectory. One rollout after the other is read, so that memory does not grow with the run. Secrets are
 * redacted. Throws USAGE if the folder is not empty, CANCELLED.
 */
export async function exportRollouts(request: ExportRequest, signal: AbortSignal): Promise<ExportSummary> {
  const {run, format, read, folder, parts = DEFAULT_PARTS} = request;
  await emptyFolder(folder);
  const writer = createDatasetWriter(folder);
  const counts = newCounts();
  const duplicates = createDuplicateFinder();
  try {
    for (const [task, results] of Map.groupBy(run.results, ({key}) => key.task)) {
      signal.throwIfAborted();
      const split = splitOf(task, parts);
      counts.tasks[split] += 1;
      const judged = results.filter(isJudged).toSorted(byVariantAndAttempt);
      counts.leave('infrastructure', results.length - judged.length);
      await TASK_EXPORTS[format](judged, {run, read, folder, writer, counts, duplicates, split, signal});
    }
  } finally {
    await writer.close();
  }
  const {records, tasks, leftOut, withoutTools} = counts;
  const summary = {format, run: run.name, suite: run.suiteName, records, tasks, leftOut, withoutTools: withoutTools.size, parts};
  await writeFile(join(folder, 'dataset.json'), `${JSON.stringify(summary, undefined, 2)}\n`, {mode: 0o600});
  return summary;
}

const TASK_EXPORTS: Readonly<Record<LabExportFormat, (judged: readonly RolloutResult[], to: TaskExport) => Promise<void>>> = {
  sft: exportSft,
  preference: exportPreference,
  rl: exportRl,
  atif: exportAtifFiles,
};

function byVariantAndAttempt({key: a}: RolloutResult, {key: b}: RolloutResult): number {
  const [one, other] = [a, b].map(({model, toolset}) => JSON.stringify([model, toolset]));
  return one === other ? a.attempt - b.attempt : (one ?? '') < (other ?? '') ? -1 : 1;
}
