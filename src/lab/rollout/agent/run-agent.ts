import {copyFile, cp, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {stringify} from 'smol-toml';
import {FettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../../base/json.ts';
import type {CommandResult, OutputListener} from '../../../exec/process/command.ts';
import type {Variables} from '../../../exec/variables/child-environment.ts';
import type {SuiteTask, TaskStep} from '../../suite/task.ts';
import {NO_EVENTS, withEvent, type EventSummary} from './event-summary.ts';
import {agentSettings} from './agent-settings.ts';
import {createEventFile} from './event-file.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {agentRules} from '../place/rollout-rules.ts';
import {placeVariables} from '../place/rollout-variables.ts';
import {removeTree} from '../tree/remove-tree.ts';
import {runConfined} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';

/** How one run of the agent ended. */
export interface AgentRun extends EventSummary {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It was ended, since it did not keep its own limit of time. */
  readonly timedOut: boolean;
  /** Milliseconds. */
  readonly ms: number;
  /** The end of stderr, for the reason of a failure. */
  readonly said: string;
}

export interface AgentCall {
  readonly step: TaskStep;
  /** Replies of a script that earlier steps have used. */
  readonly used: number;
  /** The cost of earlier steps: the limit is that of the task. */
  readonly spentUsd: number;
  readonly eventFile: string;
  readonly signal: AbortSignal;
}

/** Runs the agent on one step, and returns when all of its processes are gone. Throws CANCELLED, and if it cannot be started. */
export async function runAgent(request: RolloutRequest, place: ScratchPlace, call: AgentCall): Promise<AgentRun> {
  const {task, agent} = request;
  const files = {folder: place.state, at: place.state};
  await writeState(request, {folder: place.state, settings: agentSettings(request, call.step)});
  const args = [...agent.args, ...(await agentArguments(request, {files, sandbox: sandboxArguments(request.isolation, call.step)}, call))];
  return await followAgent(
    call,
    async (onOutput) =>
      await runConfined(
        {request, place},
        {
          program: agent.program,
          args,
          rules: agentRules(request, place),
          cwd: place.workdir,
          env: agentVariables(request, place),
          timeoutMs: agentTimeMs(task),
          input: promptText(call.step.prompt),
          onOutput,
        },
        call.signal,
      ),
  );
}

interface StateFiles {
  readonly folder: string;
  readonly settings: JsonObject;
}

/** Recreates the agent's own folder: that of an earlier step could contain links that lead elsewhere. */
export async function writeState({task}: RolloutRequest, {folder, settings}: StateFiles): Promise<void> {
  await removeTree(folder);
  await mkdir(folder, {mode: 0o700});
  await writeFile(join(folder, 'config.toml'), stringify(settings), {mode: 0o600});
  if (task.place.skills !== undefined) await cp(task.place.skills, join(folder, 'skills'), {recursive: true, verbatimSymlinks: true});
}

/** Follows the events of an agent from its start to its end. Throws CANCELLED. */
export async function followAgent(
  {eventFile}: Pick<AgentCall, 'eventFile'>,
  run: (onOutput: OutputListener) => Promise<CommandResult>,
): Promise<AgentRun> {
  let summary = NO_EVENTS;
  const events = createEventFile(eventFile, (line) => {
    summary = withEvent(summary, line);
  });
  try {
    const result = await run((stream, text) => {
      if (stream === 'stdout') events.push(text);
    });
    if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    events.close();
    const said = (result.stderr.tail === '' ? result.stderr.head : result.stderr.tail).trim().slice(-SAID_CHARS);
    return {...summary, exitCode: result.exitCode, signal: result.signal, timedOut: result.timedOut, ms: result.durationMs, said};
  } catch (error) {
    events.close();
    throw error;
  }
}

/** The agent ends by itself at its limit, and its tools have time to end. */
export function agentTimeMs({limits}: Pick<SuiteTask, 'limits'>): number {
  return limits.agentTimeS * 1000 + GRACE_MS;
}

const GRACE_MS = 30_000;
const SAID_CHARS = 4000;

interface ArgumentParts {
  /** The agent's own folder, and its path as the agent sees it. */
  readonly files: {readonly folder: string; readonly at: string};
  readonly sandbox: readonly string[];
}

/** Returns the arguments of `fettle exec`, and writes the files that they name. */
export async function agentArguments(
  request: RolloutRequest,
  {files, sandbox}: ArgumentParts,
  {used, spentUsd, step}: AgentCall,
): Promise<string[]> {
  const {key, task} = request;
  const {agentTimeS, maxCostUsd, maxTurns} = task.limits;
  const model = await modelFor(request, files, used);
  const start = step.isReadOnly === true ? ['ask'] : ['exec', '--mode', 'full-auto'];
  const fixed = [...start, '--json', '--toolset', key.toolset, '--max-time', String(agentTimeS), '--model', model];
  return [
    ...fixed,
    ...sandbox,
    ...(maxCostUsd === undefined ? [] : ['--max-cost', String(Math.max(LEAST_USD, maxCostUsd - spentUsd))]),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...(step.outputSchema === undefined ? [] : ['--output-schema', await schemaFile(files, step.outputSchema)]),
    '-',
  ];
}

/** A limit of nothing is refused. */
const LEAST_USD = 0.0001;

async function schemaFile({folder, at}: ArgumentParts['files'], schema: JsonObject): Promise<string> {
  await writeFile(join(folder, 'answer-schema.json'), JSON.stringify(schema), {mode: 0o600});
  return join(at, 'answer-schema.json');
}

/** Commands of the agent have a sandbox of their own inside; macOS knows no sandbox in another one. */
function sandboxArguments(isolation: RolloutRequest['isolation'], {isReadOnly}: TaskStep): string[] {
  if (isolation === undefined) return [];
  if (isolation.name === 'seatbelt') return ['--no-sandbox'];
  return ['--sandbox', isReadOnly === true ? 'read-only' : 'workspace-write'];
}

/** Returns the model as the agent names it. A file that answers is copied to its own folder: the agent may not see where it is. */
async function modelFor({key, task}: RolloutRequest, {folder, at}: ArgumentParts['files'], used: number): Promise<string> {
  const [, kind, named] = /^(script|replay):(.+)$/s.exec(key.model) ?? [];
  if (kind === 'replay' && named !== undefined) {
    await copyFile(named, join(folder, 'replay.jsonl'));
    return `replay:${join(at, 'replay.jsonl')}`;
  }
  if (kind === undefined && key.model !== SCRIPT) return key.model;
  const file = named ?? task.script;
  if (file === undefined)
    throw new FettleError({code: 'UNAVAILABLE', message: `The task ${task.id} has no script.`, hint: 'Run it with a model.'});
  return `script:${await scriptFor(file, {folder, at}, used)}`;
}

/** The model that answers from the recorded replies of each task. */
const SCRIPT = 'script';

/** The recorded replies that are left, where the agent's commands do not see them. */
async function scriptFor(file: string, {folder, at}: ArgumentParts['files'], used: number): Promise<string> {
  const script = parseJson(await readFile(file, 'utf8'));
  const replies = isJsonObject(script) && Array.isArray(script['replies']) ? script['replies'].slice(used) : [];
  await writeFile(join(folder, 'script.json'), JSON.stringify({replies}), {mode: 0o600});
  return join(at, 'script.json');
}

function agentVariables(request: RolloutRequest, place: ScratchPlace): Variables {
  const {agent, folders} = request;
  return {
    ...placeVariables(request, place, place.home),
    ...(folders.compileCache === undefined ? {} : {NODE_COMPILE_CACHE: folders.compileCache}),
    ...agent.secrets,
    FETTLE_HOME: place.state,
  };
}

/**
 * A prompt that begins with a slash would name a command of the agent; a carriage return is refused as hidden text, and so are other control
 * characters, which quoted terminal output has: they become visible.
 */
export function promptText(prompt: string): string {
  const text = prompt
    .replaceAll('\r\n', '\n')
    .trim()
    .replaceAll(CONTROL, (one) => String.fromCodePoint(one === '\u007f' ? 0x2421 : 0x2400 + (one.codePointAt(0) ?? 0)));
  return text.startsWith('/') ? `The task:\n${text}` : text;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
