import {join} from 'node:path';
import {counted} from '../../../../base/counted.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
import {plainLine} from '../../../../lab/report/text/text-table.ts';
import {exportRollouts} from '../../../../lab/export/export-rollouts.ts';
import {removeTree} from '../../../../lab/rollout/tree/remove-tree.ts';
import type {RunFolder} from '../../../../lab/run/run-folder.ts';
import type {PlayEnd} from '../../../../lab/self-play/play-run.ts';
import {playText} from '../../../../lab/self-play/play-text.ts';
import {promotedResults} from '../../../../lab/self-play/promoted-data.ts';
import {nameOf} from '../../../../lab/self-play/task-work.ts';
import type {Io} from '../../io.ts';

export interface EndedPlay {
  readonly io: Io;
  readonly run: RunFolder;
  readonly end: PlayEnd;
}

/** Prints the pairs of each task, and writes the promoted patches and their training data into the folder of the run. */
export async function showPlay({io, run: {plan, folder}, end}: EndedPlay, signal: AbortSignal): Promise<void> {
  const {judgements, results, counts} = end;
  io.data(judgements.map((judgement) => playText(judgement)).join('\n'));
  for (const [reason, ones] of Map.groupBy(plan.notRun, (one) => one.reason)) io.note(notRunLine(reason, ones));
  for (const {task, work, promoted} of judgements) {
    const patch = promoted === undefined ? undefined : work.patches[promoted.patch]?.patch;
    if (patch === undefined) continue;
    const file = join(folder, 'promoted', `${task}.patch`);
    await writePrivateFile(file, patch);
    io.note(`The promoted patch: ${file}`);
  }
  const promoted = promotedResults(judgements, results);
  if (promoted.length > 0) {
    const data = join(folder, 'data');
    // An earlier process may have written a part of it.
    await removeTree(data);
    const read = artifactReader(await openArtifacts(plan.store, io.env), results);
    await exportRollouts({run: {...plan, results: promoted}, format: 'sft', read, folder: data}, signal);
    io.note(`Training data of ${counted(promoted.length, 'rollout')}: ${data}`);
  }
  if (counts.costUsd > 0) io.note(`Cost: $${counts.costUsd.toFixed(2)}`);
  if (end.end === 'budget') for (const line of budgetLines(plan, end)) io.note(line);
  else if (counts.parked > 0) io.note(`To try again what the infrastructure failed: fettle lab self-play --resume ${plan.name}`);
}

/** The reason, and some of the names that it holds for. */
function notRunLine(reason: string, ones: RunFolder['plan']['notRun']): string {
  const names = ones.slice(0, MOST_NAMES).map(({id}) => id);
  const rest = ones.length - names.length;
  return plainLine(`not run: ${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}: ${reason}`);
}

const MOST_NAMES = 5;

/** Says what the budget has left out, and how to go on. */
function budgetLines({budgetUsd, name}: RunFolder['plan'], {notStarted}: PlayEnd): readonly string[] {
  const byTask = Map.groupBy(notStarted, ({source}) => source.id);
  return [
    `Stopped: the budget of $${budgetUsd} is spent. ${counted(notStarted.length, 'rollout')} not started, and no pairs of ${notStarted.length === 1 ? 'it' : 'them'} scored:`,
    ...[...byTask].map(([task, ones]) => `  ${task}: ${ones.map(nameOf).join(', ')}`),
    `To continue with a larger one: fettle lab self-play --resume ${name} --budget USD`,
  ];
}
