import {join} from 'node:path';
import {allSessionFiles} from '../../sessions/session-files.ts';
import type {TaskStep} from '../suite/task.ts';
import {keepFile, keepText, stepArtifact} from './keep-artifacts.ts';
import {runAgent, type AgentRun} from './agent/run-agent.ts';
import type {FinishedStep, RolloutCall} from './rollout-run.ts';
import {takeBase} from './tree/tree-base.ts';

/**
 * Runs the agent on one step and keeps what it leaves: events, session log, last message, difference. Changed files that would decide what the
 * verification does are put back, unless the task says that they are the agent's work.
 */
export async function runAgentStep(call: RolloutCall, step: TaskStep, signal: AbortSignal): Promise<FinishedStep> {
  const {request, place, run} = call;
  const named = (name: string): string => stepArtifact(name, step, request);
  const base = await takeBase({...call, pristine: pristineFolder(call, step)}, signal);
  const used = run.steps.reduce((sum, {agent}) => sum + agent.requests, 0);
  const eventFile = join(place.record, 'events.jsonl');
  const agent = await runAgent(request, place, {step, used, eventFile, signal});
  const {patch, runnerFiles} = await base.changes(signal);
  await keepFile(call, {name: named('events.jsonl'), file: eventFile}, signal);
  await keepText(call, {name: named('last-message.txt'), text: agent.answer}, signal);
  await keepText(call, {name: named('diff.patch'), text: patch}, signal);
  const session = sessionFileOf(call, agent);
  if (session !== undefined) await keepFile(call, {name: named('session.jsonl'), file: session}, signal);
  if (step.verify.runnerFiles === 'agent') return {name: step.name, agent, putBack: []};
  await base.putBack(runnerFiles, signal);
  return {name: step.name, agent, putBack: runnerFiles.map(({path}) => path)};
}

/** The folder of the suite, if the tree is nothing but its copy. */
function pristineFolder({request: {task}, place, run}: RolloutCall, {files, setUp}: TaskStep): string | undefined {
  const isCopy = run.steps.length === 0 && files === undefined && setUp.length === 0 && task.place.copies.length === 0;
  return task.start.kind === 'folder' && isCopy && place.work === place.tree ? task.start.folder : undefined;
}

/** The log that the agent has written of itself, which also has the system prompt and the tools. */
function sessionFileOf({place}: RolloutCall, {threadId}: AgentRun): string | undefined {
  if (threadId === undefined) return undefined;
  return allSessionFiles(join(place.state, 'state')).find((session) => session.threadId === threadId)?.file;
}
