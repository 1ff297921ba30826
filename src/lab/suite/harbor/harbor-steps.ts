import {join} from 'node:path';
import type {SuiteFacts} from '../suite-facts.ts';
import type {TaskStep, Verification} from '../task.ts';
import {hasFile, hasFolder, readTaskText, taskProblem, type TaskToml} from '../task-text.ts';
import {hostValues} from './host-values.ts';
import type {HarborFields, HarborHealthcheck, HarborStep} from './harbor-schema.ts';
import {installingLine} from './installing-line.ts';
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
  readonly lacks: readonly string[];
}

/** Reads the steps of a Harbor task; one without `[[steps]]` has a single step. @throws FettleError CONFIG */
export async function harborSteps(source: StepsSource): Promise<HarborSteps> {
  const {folder, fields, toml, setUp} = source;
  const named = fields.steps ?? [];
  const twice = named.findIndex(({name}, index) => named.findIndex((other) => other.name === name) !== index);
  if (twice >= 0) throw taskProblem(`${toml.file}:${toml.lineOf(['steps', twice, 'name'])}: two steps are called ${named[twice]?.name}`);
  const places: readonly StepPlace[] =
    named.length === 0 ? [{folder, step: undefined}] : named.map((step) => ({folder: join(folder, 'steps', step.name), step}));
  const read: {step: TaskStep; lacks: readonly string[]}[] = [];
  for (const [index, place] of places.entries()) read.push(await readStep(source, place, index === 0 ? setUp : []));
  return {steps: read.map(({step}) => step), lacks: [...new Set(read.flatMap(({lacks}) => lacks))]};
}

interface StepPlace {
  readonly folder: string;
  /** undefined: the task itself is the only step. */
  readonly step: HarborStep | undefined;
}

async function readStep(
  source: StepsSource,
  place: StepPlace,
  setUp: readonly string[],
): Promise<{step: TaskStep; lacks: readonly string[]}> {
  const {fields, facts} = source;
  const instruction = join(place.folder, 'instruction.md');
  if (!(await hasFile(instruction))) throw taskProblem(`${instruction}: missing`);
  const prompt = await readTaskText(instruction);
  if (prompt.trim() === '') throw taskProblem(`${instruction}: empty`);
  const tests = await testFolders(source.folder, place);
  const {verify, lacks} = await verification(source, place, tests);
  const files = place.step !== undefined && (await hasFolder(join(place.folder, 'workdir'))) ? join(place.folder, 'workdir') : undefined;
  const hasSetUp = files !== undefined && (await hasFile(join(files, 'setup.sh')));
  const health = place.step === undefined ? fields.environment?.healthcheck : place.step.healthcheck;
  const min = place.step?.min_reward;
  return {
    step: {
      name: place.step?.name ?? 'task',
      prompt,
      files,
      setUp: [...setUp, ...(hasSetUp ? ['bash setup.sh'] : []), ...(health === undefined ? [] : [healthLine(health)])],
      verify,
      minReward: typeof min === 'number' ? min : undefined,
    },
    lacks: [
      ...(facts.containerEngine === undefined ? lacks : []),
      ...(min === undefined || typeof min === 'number' ? [] : [`steps.${place.step?.name}.min_reward is not one number.`]),
    ],
  };
}

/** The tests of the task, and above them those of the step. */
async function testFolders(task: string, {folder, step}: StepPlace): Promise<readonly string[]> {
  const folders = [join(task, 'tests'), ...(step === undefined ? [] : [join(folder, 'tests')])];
  const there = await Promise.all(folders.map(hasFolder));
  return folders.filter((_, index) => there[index]);
}

async function verification(
  {folder, fields}: StepsSource,
  {step}: StepPlace,
  tests: readonly string[],
): Promise<{verify: Verification; lacks: readonly string[]}> {
  const scripts = await Promise.all(tests.map(async (one) => ({file: join(one, 'test.sh'), isThere: await hasFile(join(one, 'test.sh'))})));
  const script = scripts.findLast(({isThere}) => isThere)?.file;
  if (script === undefined) throw taskProblem(`${join(folder, step === undefined ? '' : `steps/${step.name}`, 'tests/test.sh')}: missing`);
  const {values, missing} = hostValues({...fields.verifier?.env, ...step?.verifier?.env});
  const installs = installingLine(await readTaskText(script));
  return {
    verify: {
      command: 'bash /tests/test.sh',
      tests,
      testsAt: '/tests',
      rewardFiles: [`${VERIFIER_LOGS}/reward.json`, `${VERIFIER_LOGS}/reward.txt`],
      timeoutS: step?.verifier?.timeout_sec ?? fields.verifier?.timeout_sec ?? 600,
      env: values,
    },
    lacks: [
      ...(installs === undefined
        ? []
        : [`${script.slice(folder.length + 1)}:${installs.line}: its verification installs programs: ${installs.text}`]),
      ...missing.map((name) => `verifier.env: the variable ${name} of this machine, which tasks do not get.`),
    ],
  };
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
