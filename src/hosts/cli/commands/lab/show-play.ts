import {join} from 'node:path';
import {counted} from '../../../../base/counted.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
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
  for (const {id, reason} of plan.notRun) io.note(`not run: ${id}: ${reason}`);
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

/** Says what the budget has left out, and how to go on. */
function budgetLines({budgetUsd, name}: RunFolder['plan'], {notStarted}: PlayEnd): readonly string[] {
  const byTask = Map.groupBy(notStarted, ({source}) => source.id);
  return [
    `Stopped: the budget of $${budgetUsd} is spent. ${counted(notStarted.length, 'rollout')} not started, and no pairs of ${notStarted.length === 1 ? 'it' : 'them'} scored:`,
    ...[...byTask].map(([task, ones]) => `  ${task}: ${ones.map(nameOf).join(', ')}`),
    `To continue with a larger one: fettle lab self-play --resume ${name} --budget USD`,
  ];
}
