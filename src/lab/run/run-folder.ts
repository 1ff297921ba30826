import {mkdir, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {parseJson} from '../../base/json.ts';
import {readPrivateFile, writePrivateFile} from '../../config/private-file.ts';
import type {RunPlan} from './run-plan.ts';

/** Everything of one run: its plan, the table of its rollouts, and their artefacts. */
export interface RunFolder {
  readonly folder: string;
  readonly plan: RunPlan;
}

/** Returns the folder of all runs below the state folder of the user. */
export function runsFolder(stateDir: string): string {
  return join(stateDir, 'lab', 'runs');
}

/**
 * Creates the folder of a new run. If its name is taken, one that a person chose (`isFinal`) is refused, and another gets a number: two runs may begin in
 * the same second. Throws USAGE for a name that is taken or is not a plain name.
 */
export async function createRun(stateDir: string, plan: RunPlan, {isFinal} = {isFinal: true}): Promise<RunFolder> {
  assertName(plan.name);
  await mkdir(runsFolder(stateDir), {recursive: true, mode: 0o700});
  for (let count = 1; ; count += 1) {
    const named = count === 1 ? plan : renamed(stateDir, plan, `${plan.name}-${count}`);
    const folder = join(runsFolder(stateDir), named.name);
    try {
      await mkdir(folder, {mode: 0o700});
    } catch (cause) {
      if (systemErrorCode(cause) !== 'EEXIST') throw cause;
      if (!isFinal && count < MOST_COUNTED) continue;
      const hint = `Choose another name, or continue that run: fettle lab run --resume ${plan.name}`;
      throw new FettleError({code: 'USAGE', message: `There is a run ${plan.name} already.`, hint, cause});
    }
    const run = {folder, plan: named};
    await savePlan(run);
    return run;
  }
}

const MOST_COUNTED = 100;

/** Returns the plan with another name, and with its artefacts still in its own folder if they were to be there. */
function renamed(stateDir: string, plan: RunPlan, name: string): RunPlan {
  const storeOf = (run: string): string => join(runsFolder(stateDir), run, 'artifacts');
  return {...plan, name, store: plan.store === storeOf(plan.name) ? storeOf(name) : plan.store};
}

/** Replaces the stored plan of a run, which has more rollouts or another budget. */
export async function savePlan({folder, plan}: RunFolder): Promise<void> {
  await writePrivateFile(join(folder, PLAN), `${JSON.stringify(plan, undefined, 2)}\n`);
}

/** Replaces the budget of a run, which is the one thing that may change when it is resumed. */
export async function changeBudget({folder, plan}: RunFolder, budgetUsd: number): Promise<RunFolder> {
  const changed = {folder, plan: {...plan, budgetUsd}};
  await savePlan(changed);
  return changed;
}

/** Opens a run by its name; without a name the newest. Throws NOT_FOUND. */
export async function openRun(stateDir: string, name: string | undefined): Promise<RunFolder> {
  if (name !== undefined) assertName(name);
  const runs = await listRuns(stateDir);
  const found = name === undefined ? runs[0] : runs.find(({plan}) => plan.name === name);
  if (found !== undefined) return found;
  const known = runs.slice(0, 5).map(({plan}) => plan.name);
  const hint = known.length === 0 ? 'Start one: fettle lab run SUITE' : `The newest runs are ${known.join(', ')}.`;
  throw new FettleError({code: 'NOT_FOUND', message: name === undefined ? 'No runs yet.' : `No run is called ${name}.`, hint});
}

/** Lists the runs, newest first. A folder without a readable plan is left out. */
export async function listRuns(stateDir: string): Promise<readonly RunFolder[]> {
  const names = await readdir(runsFolder(stateDir)).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return [];
    throw thrown;
  });
  const runs = await Promise.all(
    names.map(async (name): Promise<RunFolder[]> => {
      const folder = join(runsFolder(stateDir), name);
      const plan = Plan.safeParse(parseJson((await readPrivateFile(join(folder, PLAN)).catch(() => undefined)) ?? ''));
      return plan.success && plan.data.name === name ? [{folder, plan: plan.data}] : [];
    }),
  );
  return runs.flat().sort((one, other) => other.plan.createdAt - one.plan.createdAt);
}

const PLAN = 'run.json';

const Plan = z.object({
  name: z.string(),
  suite: z.string(),
  suiteName: z.string(),
  tasks: z.array(
    z.object({
      id: z.string(),
      digest: z.string(),
      labels: z.record(z.string(), z.string()),
      prompt: z.string(),
      maxCostUsd: z.optional(z.number()),
    }),
  ),
  notRun: z.array(z.object({id: z.string(), reason: z.string()})),
  models: z.array(z.string()),
  toolsets: z.array(z.string()),
  attempts: z.number(),
  budgetUsd: z.optional(z.number()),
  store: z.string(),
  isShared: z.boolean(),
  selfPlay: z.optional(
    z.object({sources: z.array(z.string()), attempts: z.number(), isAgentic: z.boolean(), temperature: z.optional(z.number())}),
  ),
  createdAt: z.number(),
  version: z.string(),
});

const NAME = /^[a-z0-9][a-z0-9._-]{0,79}$/;

function assertName(name: string): void {
  if (NAME.test(name)) return;
  const hint = 'Use lower case letters, digits, ".", "_" and "-", at most 80 characters.';
  throw new FettleError({code: 'USAGE', message: `${JSON.stringify(name)} is not a name for a run.`, hint});
}
