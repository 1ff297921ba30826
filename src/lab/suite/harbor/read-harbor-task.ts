import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Json} from '../../../base/json.ts';
import {taskDigest} from '../task-digest.ts';
import {importScript, type ScriptedCall} from '../imports/solving-script.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import {hasFile, hasFolder, kindAt, readTaskText, taskProblem, type TaskToml} from '../task-text.ts';
import {recordedScript, type TaskFolder} from '../fettle/read-fettle-task.ts';
import type {McpServerOfTask, SuiteTask, TaskLimits, TaskStep} from '../task.ts';
import {checkToml} from '../check-toml.ts';
import {harborPlace} from './harbor-place.ts';
import {harborSteps, PLAIN_TESTS} from './harbor-steps.ts';
import {HARBOR_SCHEMA, type HarborFields} from './harbor-schema.ts';

/** True for a task folder in Harbor's format: it has an `instruction.md`, steps or an environment, and no key of ours. */
export async function isHarborTask(folder: string, {value}: TaskToml): Promise<boolean> {
  if (value['verify'] !== undefined) return false;
  const parts = await Promise.all(['instruction.md', 'steps', 'environment'].map(async (name) => await kindAt(join(folder, name))));
  return parts.some((kind) => kind !== undefined);
}

/**
 * Reads a task in the format of Harbor and Terminal-Bench 2 (Harbor › Task Structure, Multi-step Tasks; `task.toml` up to schema 1.4). Keys that
 * it does not know are ignored, as Harbor does. What this machine cannot do is in `lacks`.
 * @throws FettleError CONFIG, CANCELLED
 */
export async function readHarborTask({id, folder, toml, facts}: TaskFolder, signal: AbortSignal): Promise<SuiteTask> {
  checkToml(toml, HARBOR_SCHEMA);
  const fields = toml.value as HarborFields;
  const place = await harborPlace({folder, fields, facts});
  const read = await harborSteps({folder, fields, toml, setUp: place.setUp, facts});
  const mcpServers = serversOf(fields, toml);
  const task = {steps: read.steps, start: {kind: 'empty'}, place: {...place.place, mcpServers}, limits: limitsOf(fields)} as const;
  const environment = join(folder, 'environment');
  const sources = (await hasFolder(environment)) ? [environment] : [];
  const needs = [...place.needs, ...read.needs];
  const isContained = needs.length > 0 && (await facts.hasContainers?.()) === true;
  const contained = {steps: stepsInContainer(read.steps, place.setUp), place: {...place.inContainer, mcpServers}};
  return {
    ...task,
    ...(isContained ? contained : {}),
    id,
    format: 'harbor',
    // Of the same form, wherever it is run.
    digest: await taskDigest({...task, steps: read.steps.map(withPlainTests), sources}, signal),
    lacks: [...(isContained ? [] : needs), ...place.lacks, ...read.lacks, ...wholeLacks(fields)],
    labels: labelsOf(fields),
    script: await scriptOf(folder, fields, facts),
  };
}

/** The image has what the lines of the Dockerfile would make in a scratch root. */
function stepsInContainer(steps: readonly TaskStep[], setUp: readonly string[]): readonly TaskStep[] {
  return steps.map((step, index) => withPlainTests(index === 0 ? {...step, setUp: step.setUp.slice(setUp.length)} : step));
}

/** Recorded replies, or else the known solutions of all steps, if each is a single file. */
async function scriptOf(folder: string, {steps = []}: HarborFields, {importsFolder}: SuiteFacts): Promise<string | undefined> {
  const recorded = await recordedScript(folder);
  if (recorded !== undefined) return recorded;
  const places = steps.length === 0 ? [folder] : steps.map(({name}) => join(folder, 'steps', name));
  const solutions = await Promise.all(places.map(solutionOf));
  const known = solutions.filter((calls) => calls !== undefined);
  return known.length < solutions.length ? undefined : await importScript(importsFolder, known);
}

async function solutionOf(step: string): Promise<readonly ScriptedCall[] | undefined> {
  const solution = join(step, 'solution');
  const isOneFile = (await hasFolder(solution)) && (await readdir(solution)).join() === 'solve.sh';
  if (!isOneFile || !(await hasFile(join(solution, 'solve.sh')))) return undefined;
  return [
    {name: 'write', arguments: {path: 'known-solution.sh', content: await readTaskText(join(solution, 'solve.sh'))}},
    {name: 'bash', arguments: {command: 'bash known-solution.sh; code=$?; rm known-solution.sh; exit $code'}},
  ];
}

function withPlainTests(step: TaskStep): TaskStep {
  return {...step, verify: {...step.verify, command: PLAIN_TESTS}};
}

function serversOf({environment = {}}: HarborFields, {file, lineOf}: TaskToml): readonly McpServerOfTask[] {
  return (environment.mcp_servers ?? []).map(({name, transport = 'sse', url, command, args}, index) => {
    const isStdio = transport === 'stdio';
    if ((isStdio ? command : url) !== undefined) {
      return isStdio ? {name, transport, command, args} : {name, transport: transport === 'sse' ? 'sse' : 'http', url};
    }
    const line = lineOf(['environment', 'mcp_servers', index]);
    throw taskProblem(`${file}:${line}: environment.mcp_servers[${index}] has no ${isStdio ? 'command' : 'url'}`);
  });
}

/** Steps have limits of their own in Harbor; here the longest one counts for each. */
function limitsOf({agent = {}, steps = []}: HarborFields): TaskLimits {
  const own = steps.map((step) => step.agent?.timeout_sec).filter((seconds) => seconds !== undefined);
  return {agentTimeS: Math.max(...(own.length > 0 && own.length === steps.length ? own : [agent.timeout_sec ?? 600, ...own]))};
}

function wholeLacks({environment = {}, verifier = {}, multi_step_reward_strategy: strategy, steps = []}: HarborFields): readonly string[] {
  const gpus = environment.gpus ?? 0;
  return [
    ...(gpus > 0 ? [`It needs ${gpus} GPU${gpus === 1 ? '' : 's'}.`] : []),
    ...(verifier.environment_mode === 'separate' ? ['Its verification has an image of its own (verifier.environment_mode).'] : []),
    ...(strategy === 'final' && steps.length > 1
      ? ['Its reward is that of the last step alone (multi_step_reward_strategy = "final").']
      : []),
  ];
}

/** Metadata is arbitrary: plain values become labels. */
function labelsOf({metadata = {}, task = {}}: HarborFields): Readonly<Record<string, string>> {
  const plain = Object.entries(metadata).flatMap(([key, value]): [string, string][] => {
    const text = labelText(value);
    return text === undefined ? [] : [[key, text]];
  });
  return {...Object.fromEntries(plain), ...(task.name === undefined ? {} : {name: task.name})};
}

function labelText(value: Json | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value).slice(0, 200);
  if (!Array.isArray(value) || !value.every((one: Json) => typeof one === 'string')) return undefined;
  return value.join(', ').slice(0, 200);
}
