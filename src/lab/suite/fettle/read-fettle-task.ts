import {join} from 'node:path';
import type {JsonObject} from '../../../base/json.ts';
import {affectsExecution} from '../../../base/variable-names.ts';
import {readScript} from '../../../models/scripted/script-file.ts';
import {checkToml} from '../check-toml.ts';
import type {SuiteFacts} from '../suite-facts.ts';
import type {StartingTree, SuiteTask, TaskLimits} from '../task.ts';
import {taskDigest} from '../task-digest.ts';
import {hasFile, hasFolder, kindAt, readTaskText, taskProblem, type TaskToml} from '../task-text.ts';
import {TASK_SCHEMA} from './task-schema.ts';

/** A folder with a task, and the machine on which it is to run. */
export interface TaskFolder {
  readonly id: string;
  /** Absolute, a real path. */
  readonly folder: string;
  readonly toml: TaskToml;
  readonly facts: SuiteFacts;
}

/**
 * Reads a task in Fettle's own format: `task.toml`, `prompt.md`, `start/` with the tree that the agent begins with, `tests/` with files that it
 * never sees, `script.json` with recorded replies. @throws FettleError CONFIG, CANCELLED
 */
export async function readFettleTask({id, folder, toml, facts}: TaskFolder, signal: AbortSignal): Promise<SuiteTask> {
  checkToml(toml, TASK_SCHEMA);
  const fields = toml.value as TaskFields;
  const testsAt = fields.tests_at ?? 'hidden-tests';
  const start: StartingTree = (await hasFolder(join(folder, 'start'))) ? {kind: 'folder', folder: join(folder, 'start')} : {kind: 'empty'};
  await assertApart(start, testsAt, toml);
  assertVariables(fields, toml);
  const task = {
    steps: [
      {
        name: 'task',
        prompt: await promptOf(folder, fields, toml),
        setUp: fields.set_up ?? [],
        verify: {
          command: fields.verify,
          tests: (await hasFolder(join(folder, 'tests'))) ? [join(folder, 'tests')] : [],
          testsAt,
          rewardFiles: [],
          timeoutS: fields.limits?.verify_time_s ?? 120,
          env: {},
        },
      },
    ],
    start,
    place: {
      kind: 'folder',
      workdir: '.',
      env: fields.env ?? {},
      copies: [],
      network: fields.network ?? false,
      mcpServers: [],
    },
    limits: limitsOf(fields),
  } as const;
  return {
    ...task,
    id,
    format: fields.session === undefined ? 'fettle' : 'session',
    digest: await taskDigest(task, signal),
    lacks: (fields.needs ?? []).filter((name) => !facts.programs.has(name)).map((name) => `${name} is not on PATH.`),
    labels: fields.labels ?? {},
    script: await recordedScript(folder),
  };
}

/** Returns the path of `script.json`, if there is one. @throws FettleError CONFIG for one that cannot be played */
export async function recordedScript(folder: string): Promise<string | undefined> {
  const file = join(folder, 'script.json');
  if (!(await hasFile(file))) return undefined;
  if ((await readScript(file)).length === 0) throw taskProblem(`${file}: it has no replies`);
  return file;
}

/** The keys of `task.toml`, after the check. */
interface TaskFields extends JsonObject {
  readonly prompt?: string;
  readonly verify: string;
  readonly set_up?: readonly string[];
  readonly tests_at?: string;
  readonly session?: string;
  readonly needs?: readonly string[];
  readonly network?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly limits?: {
    readonly agent_time_s?: number;
    readonly verify_time_s?: number;
    readonly max_cost_usd?: number;
    readonly max_turns?: number;
  };
}

function limitsOf({limits = {}}: TaskFields): TaskLimits {
  return {agentTimeS: limits.agent_time_s ?? 600, maxCostUsd: limits.max_cost_usd, maxTurns: limits.max_turns};
}

async function promptOf(folder: string, {prompt}: TaskFields, {file, lineOf}: TaskToml): Promise<string> {
  const long = join(folder, 'prompt.md');
  const isLong = await hasFile(long);
  if (prompt !== undefined && isLong) throw taskProblem(`${file}:${lineOf(['prompt'])}: prompt is set here and in prompt.md`);
  if (prompt !== undefined) return prompt;
  if (!isLong) throw taskProblem(`${file}: no prompt: neither the key prompt nor a file prompt.md`);
  const text = await readTaskText(long);
  if (text.trim() === '') throw taskProblem(`${long}: empty`);
  return text;
}

/** Hidden tests beside files that the agent can change would be judged with these. */
async function assertApart(start: StartingTree, testsAt: string, {file, lineOf}: TaskToml): Promise<void> {
  if (start.kind !== 'folder' || testsAt === '.' || (await kindAt(join(start.folder, testsAt))) === undefined) return;
  const line = lineOf(['tests_at']);
  throw taskProblem(`${file}:${line}: tests_at is ${testsAt}, which the starting tree already has; hidden tests need a place of their own`);
}

/** Such a variable would be that of the agent's own process, too. */
function assertVariables({env = {}}: TaskFields, {file, lineOf}: TaskToml): void {
  const name = Object.keys(env).find(affectsExecution);
  if (name !== undefined) throw taskProblem(`${file}:${lineOf(['env', name])}: env.${name} decides which programs run`);
}
