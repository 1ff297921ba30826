import {cp, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {stringify} from 'smol-toml';
import {FettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../../base/json.ts';
import type {Variables} from '../../../exec/variables/child-environment.ts';
import type {TaskStep} from '../../suite/task.ts';
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

interface AgentCall {
  readonly step: TaskStep;
  /** Replies of a script that earlier steps have used. */
  readonly used: number;
  readonly eventFile: string;
  readonly signal: AbortSignal;
}

/** Runs the agent on one step, and returns when all of its processes are gone. Throws CANCELLED, and if it cannot be started. */
export async function runAgent(request: RolloutRequest, place: ScratchPlace, call: AgentCall): Promise<AgentRun> {
  const {task, agent} = request;
  // That of an earlier step could lead elsewhere.
  await removeTree(place.state);
  await mkdir(place.state, {mode: 0o700});
  await writeFile(join(place.state, 'config.toml'), stringify(agentSettings(request)), {mode: 0o600});
  if (task.place.skills !== undefined) await cp(task.place.skills, join(place.state, 'skills'), {recursive: true, verbatimSymlinks: true});
  let summary = NO_EVENTS;
  const events = createEventFile(call.eventFile, (line) => {
    summary = withEvent(summary, line);
  });
  try {
    const result = await runConfined(
      {request, place},
      {
        program: agent.program,
        args: [...agent.args, ...(await execArguments(request, place, call))],
        rules: agentRules(request, place),
        cwd: place.workdir,
        env: agentVariables(request, place),
        timeoutMs: task.limits.agentTimeS * 1000 + GRACE_MS,
        input: promptText(call.step.prompt),
        onOutput: (stream, text) => {
          if (stream === 'stdout') events.push(text);
        },
      },
      call.signal,
    );
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
const GRACE_MS = 30_000;
const SAID_CHARS = 4000;

async function execArguments(request: RolloutRequest, place: ScratchPlace, {used, step}: AgentCall): Promise<string[]> {
  const {key, task, isolation} = request;
  const {agentTimeS, maxCostUsd, maxTurns} = task.limits;
  const model = key.model === 'script' ? `script:${await scriptFor(request, place, used)}` : key.model;
  const fixed = ['exec', '--json', '--mode', 'full-auto', '--toolset', key.toolset, '--max-time', String(agentTimeS), '--model', model];
  return [
    ...fixed,
    ...sandboxArguments(isolation),
    ...(maxCostUsd === undefined ? [] : ['--max-cost', String(maxCostUsd)]),
    ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
    ...(step.outputSchema === undefined ? [] : ['--output-schema', await schemaFile(place, step.outputSchema)]),
    '-',
  ];
}

async function schemaFile({state}: ScratchPlace, schema: JsonObject): Promise<string> {
  const file = join(state, 'answer-schema.json');
  await writeFile(file, JSON.stringify(schema), {mode: 0o600});
  return file;
}

/** Commands of the agent have a sandbox of their own inside; macOS knows no sandbox in another one. */
function sandboxArguments(isolation: RolloutRequest['isolation']): string[] {
  if (isolation === undefined) return [];
  return isolation.name === 'seatbelt' ? ['--no-sandbox'] : ['--sandbox', 'workspace-write'];
}

/** The recorded replies that are left, where the agent's commands do not see them. */
async function scriptFor({task}: RolloutRequest, {state}: ScratchPlace, used: number): Promise<string> {
  if (task.script === undefined)
    throw new FettleError({code: 'UNAVAILABLE', message: `The task ${task.id} has no script.`, hint: 'Run it with a model.'});
  const script = parseJson(await readFile(task.script, 'utf8'));
  const replies = isJsonObject(script) && Array.isArray(script['replies']) ? script['replies'].slice(used) : [];
  const file = join(state, 'script.json');
  await writeFile(file, JSON.stringify({replies}), {mode: 0o600});
  return file;
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

/** A prompt that begins with a slash would name a command of the agent; a carriage return is refused as hidden text. */
function promptText(prompt: string): string {
  const text = prompt.replaceAll('\r\n', '\n').trim();
  return text.startsWith('/') ? `The task:\n${text}` : text;
}
