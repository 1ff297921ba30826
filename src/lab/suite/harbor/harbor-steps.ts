import {join, relative} from 'node:path';
import type {SuiteFacts} from '../suite-facts.ts';
import type {TaskStep, Verification} from '../task.ts';
import {CR_LF, hasFile, hasFolder, readTaskText, taskProblem, type TaskToml} from '../task-text.ts';
import {hostValues} from './host-values.ts';
import type {HarborFields, HarborHealthcheck, HarborStep, HarborVerifier} from './harbor-schema.ts';
import {installsOf, WITH_LOCAL_PYTEST, type Installs} from './installing-line.ts';
import {VERIFIER_LOGS} from './scratch-folders.ts';

interface StepsSource {
  readonly folder: string;
  readonly fields: HarborFields;
  readonly toml: TaskToml;
  /** Shell lines before the first step. */
  readonly setUp: readonly string[];
  readonly facts: SuiteFacts;
}

interface HarborSteps {
  readonly steps: readonly TaskStep[];
  /** Programs that verifications install, and that this machine does not have: a container installs them. */
  readonly needs: readonly string[];
  readonly lacks: readonly string[];
}

/** Reads the steps of a Harbor task; one without `[[steps]]` has a single step. @throws FettleError CONFIG */
export async function harborSteps(source: StepsSource): Promise<HarborSteps> {
  const {fields, toml, setUp} = source;
  const named = fields.steps ?? [];
  const twice = named.findIndex(({name}, index) => named.findIndex((other) => other.name === name) !== index);
  if (twice >= 0) throw taskProblem(`${toml.file}:${toml.lineOf(['steps', twice, 'name'])}: two steps are called ${named[twice]?.name}`);
  const sources = named.length === 0 ? [onlyStep(source)] : named.map((step) => namedStep(source, step));
  const read: ReadStep[] = [];
  for (const [index, one] of sources.entries()) read.push(await readStep(source, one, index === 0 ? setUp : []));
  return {
    steps: read.map(({step}) => step),
    needs: [...new Set(read.flatMap(({needs}) => needs))],
    lacks: [...new Set(read.flatMap(({lacks}) => lacks))],
  };
}

/** A step with what it has of its own, and what it takes from the task. */
interface StepSource {
  readonly name: string;
  /** Holds its instruction. */
  readonly folder: string;
  readonly testFolders: readonly string[];
  /** Files that come before it, if it has any. */
  readonly files: string | undefined;
  readonly health: HarborHealthcheck | undefined;
  readonly verifier: HarborVerifier;
  readonly minReward: unknown;
}

/** The task itself is the only step. */
function onlyStep({folder, fields: {environment = {}, verifier = {}}}: StepsSource): StepSource {
  const tests = [join(folder, 'tests')];
  return {name: 'task', folder, testFolders: tests, files: undefined, health: environment.healthcheck, verifier, minReward: undefined};
}

function namedStep({folder, fields}: StepsSource, step: HarborStep): StepSource {
  const own = join(folder, 'steps', step.name);
  return {
    name: step.name,
    folder: own,
    testFolders: [join(folder, 'tests'), join(own, 'tests')],
    files: join(own, 'workdir'),
    health: step.healthcheck,
    verifier: {...fields.verifier, ...step.verifier, env: {...fields.verifier?.env, ...step.verifier?.env}},
    minReward: step.min_reward,
  };
}

interface ReadStep extends Pick<HarborSteps, 'needs' | 'lacks'> {
  readonly step: TaskStep;
}

async function readStep(task: StepsSource, source: StepSource, before: readonly string[]): Promise<ReadStep> {
  const {verify, needs, lacks} = await verification(task, source);
  const {name, minReward: min} = source;
  return {
    step: {
      name,
      prompt: await promptOf(source),
      ...(await filesOf(source, before)),
      verify,
      minReward: typeof min === 'number' ? min : undefined,
    },
    needs,
    lacks: [...lacks, ...(min === undefined || typeof min === 'number' ? [] : [`steps.${name}.min_reward is not one number.`])],
  };
}

async function promptOf({folder}: StepSource): Promise<string> {
  const file = join(folder, 'instruction.md');
  if (!(await hasFile(file))) throw taskProblem(`${file}: missing`);
  const prompt = await readTaskText(file);
  if (prompt.trim() === '') throw taskProblem(`${file}: empty`);
  return prompt;
}

async function filesOf({files, health}: StepSource, before: readonly string[]): Promise<Pick<TaskStep, 'files' | 'setUp'>> {
  const isThere = files !== undefined && (await hasFolder(files));
  const hasSetUp = isThere && (await hasFile(join(files, 'setup.sh')));
  return {
    files: isThere ? files : undefined,
    setUp: [...before, ...(hasSetUp ? ['bash setup.sh'] : []), ...(health === undefined ? [] : [healthLine(health)])],
  };
}

/** The tests of the task come first, those of the step above them. */
async function verification(
  {folder: task, facts}: StepsSource,
  {folder, testFolders, verifier}: StepSource,
): Promise<{verify: Verification; needs: readonly string[]; lacks: readonly string[]}> {
  const tests = await found(testFolders, hasFolder);
  const script = (
    await found(
      tests.map((one) => join(one, 'test.sh')),
      hasFile,
    )
  ).at(-1);
  if (script === undefined) throw taskProblem(`${join(folder, 'tests/test.sh')}: missing`);
  const {values, missing} = hostValues(verifier.env ?? {});
  const source = await readTaskText(script);
  if (source.includes('\r\n')) throw taskProblem(`${script}: ${CR_LF}`);
  const installs = installsOf(source);
  return {
    verify: {
      command: installs.kind === 'pytest' ? WITH_LOCAL_PYTEST : PLAIN_TESTS,
      tests,
      testsAt: '/tests',
      rewardFiles: [`${VERIFIER_LOGS}/reward.json`, `${VERIFIER_LOGS}/reward.txt`],
      timeoutS: verifier.timeout_sec ?? 600,
      env: values,
    },
    needs: missingPrograms(installs, relative(task, script), facts),
    lacks: missing.map((name) => `verifier.env: the variable ${name} of this machine, which tasks do not get.`),
  };
}

function missingPrograms(installs: Installs, script: string, {programs}: SuiteFacts): readonly string[] {
  if (installs.kind === 'other') return [`${script}:${installs.line}: its verification installs programs: ${installs.text}`];
  const needed = installs.kind === 'pytest' ? installs.programs : [];
  return needed.filter((name) => !programs.has(name)).map((name) => `${script}: ${name} is not on PATH.`);
}

/** Decides the digest of a task, however its tests are run here; containers run it as it is. */
export const PLAIN_TESTS = 'bash /tests/test.sh';

async function found(paths: readonly string[], isThere: (path: string) => Promise<boolean>): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(isThere));
  return paths.filter((_, index) => there[index]);
}

/** Harbor waits as a HEALTHCHECK of Docker does: so many failures in a row are one, those of the start period do not count. */
function healthLine({
  command,
  interval_sec: interval = 5,
  timeout_sec: limit = 30,
  start_period_sec: start = 0,
  retries = 3,
}: HarborHealthcheck): string {
  const tries = retries + Math.ceil(start / interval);
  return `n=0; until timeout ${limit} sh -c '${command.replaceAll("'", String.raw`'\''`)}'; do n=$((n + 1)); [ "$n" -lt ${tries} ] || exit 1; sleep ${interval}; done`;
}
