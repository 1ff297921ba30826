import {join} from 'node:path';
import {toFettleError} from '../../base/errors.ts';
import type {TaskStep} from '../suite/task.ts';
import {keepAgentStep} from './keep-agent-step.ts';
import {runAgent} from './agent/run-agent.ts';
import type {FinishedStep, RolloutCall} from './rollout-run.ts';
import {costOf} from './rollout-result.ts';
import {keepPaidWork} from './progress.ts';
import {changedLoadedFiles, productsOf, putBackFiles, readLoadedFiles} from './tree/loaded-files.ts';
import {removeTree} from './tree/remove-tree.ts';
import {takeBase} from './tree/tree-base.ts';
import {linksIntoTests} from './verify/links-into-tests.ts';

/**
 * Runs the agent on one step and keeps what it leaves: events, session log, last message, difference. Changed files that would decide what the
 * verification does are put back, unless the task says that they are the agent's work; new links into the hidden tests and products of running are removed.
 */
export async function runAgentStep(call: RolloutCall, step: TaskStep, signal: AbortSignal): Promise<FinishedStep> {
  const {request, place, run} = call;
  const pristine = pristineFolder(call, step);
  const base = await takeBase({...call, pristine}, signal).catch((error: unknown) => {
    // Of later steps the tree is the agent's work, and may be one that git cannot read in its time.
    if (run.steps.length === 0 || signal.aborted) throw error;
    return {patch: async () => `# the difference could not be made: ${toFettleError(error).message}\n`};
  });
  const before = pristine === undefined ? await readLoadedFiles(place) : undefined;
  const used = run.steps.reduce((sum, {agent}) => sum + agent.requests, 0);
  const eventFile = join(place.record, 'events.jsonl');
  const spentUsd = costOf(run.steps) ?? 0;
  const agent = await runAgent(request, place, {step, used, spentUsd, eventFile, signal});
  const after = await readLoadedFiles(place);
  await keepPaidWork(signal, async (keeping) => {
    const patch = await base.patch(keeping);
    await keepAgentStep(call, {step, agent, eventFile, patch, sessions: join(place.state, 'state')}, keeping);
  });
  const old = before ?? (await readLoadedFiles({tree: pristine ?? place.tree, work: pristine ?? place.work}));
  const links = linksIntoTests({request, place}, step, {before: old, after});
  const runnerFiles = step.verify.runnerFiles === 'agent' ? [] : changedLoadedFiles(old, after, step.prompt);
  const putBack = [...new Set([...runnerFiles, ...links])];
  await putBackFiles(place.tree, putBack, {before: old, after});
  for (const folder of productsOf(after)) await removeTree(join(place.tree, folder));
  return {name: step.name, agent, putBack};
}

/** The folder of the suite, if the tree is nothing but its copy. */
function pristineFolder({request: {task}, place, run}: RolloutCall, {files, setUp}: TaskStep): string | undefined {
  const isCopy = run.steps.length === 0 && files === undefined && setUp.length === 0 && task.place.copies.length === 0;
  return task.start.kind === 'folder' && isCopy && place.work === place.tree ? task.start.folder : undefined;
}
