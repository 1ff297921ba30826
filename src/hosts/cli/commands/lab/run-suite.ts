import {availableParallelism} from 'node:os';
import {join, resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import {reportText} from '../../../../lab/report/text/report-text.ts';
import {makePlan} from '../../../../lab/run/make-plan.ts';
import {coordinateRun, type RunEnd} from '../../../../lab/run/coordinate-run.ts';
import {createRun, openRun, type RunFolder} from '../../../../lab/run/run-folder.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import type {Suite} from '../../../../lab/suite/task.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {CHOOSE} from '../../command-line/run-options.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, machineFacts, withEngine, type LabFolders} from './lab-place.ts';
import {pageOf, reportOf, resultsOf} from './run-results.ts';
import {openRunner} from './runner.ts';
import {showProgress} from './show-progress.ts';

export interface LabRunFlags {
  readonly models?: string;
  readonly toolsets?: string;
  readonly tasks?: string;
  readonly attempts?: string;
  readonly workers?: string;
  readonly budget?: string;
  readonly name?: string;
  /** false: `--no-isolation`. */
  readonly isolation: boolean;
  /** A name, or `CHOOSE` for the newest. */
  readonly resume?: string;
}

/**
 * `fettle lab run`: carries out a run, or the rest of one, prints its report and writes the page. Exit code 0 if every rollout was judged, 1 if the
 * infrastructure failed for some, 4 if the budget ended it, 130 after Ctrl-C.
 */
export async function runSuite(io: Io, path: string | undefined, flags: LabRunFlags): Promise<number> {
  const settings = await loadSettings({cwd: io.cwd, env: io.env, home: io.home});
  const folders = labFolders(settings.paths);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const signal = interrupts.signal();
    const start = {io, settings, folders, flags};
    const {run, suite} = await (flags.resume === undefined ? newRun(start, path, signal) : earlierRun(start, path, signal));
    const end = await carryOut(start, {run, suite}, signal);
    return await conclude(start, run, end);
  } finally {
    interrupts.dispose();
  }
}

interface Start {
  readonly io: Io;
  readonly settings: SessionSettings;
  readonly folders: LabFolders;
  readonly flags: LabRunFlags;
}

interface ReadRun {
  readonly run: RunFolder;
  readonly suite: Suite;
}

async function newRun({io, settings, folders, flags}: Start, path: string | undefined, signal: AbortSignal): Promise<ReadRun> {
  if (path === undefined) throw new FettleError({code: 'USAGE', message: 'No suite is named.', hint: 'fettle lab run SUITE'});
  const suite = await readSuite(resolve(io.cwd, path), await machineFacts(io, folders), signal);
  const plan = makePlan({
    suite,
    models: listOf(flags.models) ?? [chosenModel(settings)],
    toolsets: listOf(flags.toolsets) ?? ['fettle'],
    tasks: listOf(flags.tasks),
    attempts: whole('--attempts', flags.attempts) ?? 1,
    budgetUsd: amount(flags.budget),
    name: flags.name,
    now: Date.now(),
    version: VERSION,
  });
  return {run: await createRun(settings.paths.stateDir, plan), suite};
}

/** The plan says everything but the number of workers; an option that would change it is refused. */
async function earlierRun({io, settings, folders, flags}: Start, path: string | undefined, signal: AbortSignal): Promise<ReadRun> {
  const given = ['models', 'toolsets', 'tasks', 'attempts', 'budget', 'name'] as const;
  const other = given.find((name) => flags[name] !== undefined);
  if (other !== undefined || path !== undefined) {
    const message = `A run is continued as it was begun: ${path === undefined ? `--${String(other)}` : 'the suite'} cannot be given.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Leave it out, or start a new run.'});
  }
  const run = await openRun(settings.paths.stateDir, flags.resume === CHOOSE ? undefined : flags.resume);
  return {run, suite: await readSuite(run.plan.suite, await machineFacts(io, folders), signal)};
}

async function carryOut(start: Start, {run, suite}: ReadRun, signal: AbortSignal): Promise<RunEnd> {
  const {io, folders, flags} = start;
  const {plan} = run;
  const runner = await openRunner(start, {run, suite});
  const workers = whole('--workers', flags.workers) ?? Math.max(1, Math.floor(availableParallelism() / 2));
  const progress = showProgress(io, plan, workers);
  try {
    return await withEngine(
      folders,
      async (engine) => await coordinateRun({plan, engine, runner, workers, onProgress: progress.update}, signal),
      new AbortController().signal,
    );
  } finally {
    progress.end();
    await runner.isolation?.close();
  }
}

/** Writes the page and the report, and says how the run ended. */
async function conclude({io, folders}: Start, run: RunFolder, {end, counts}: RunEnd): Promise<number> {
  const signal = new AbortController().signal;
  const reported = reportOf(await withEngine(folders, async (engine) => await resultsOf(run.plan, engine, signal), signal));
  const file = join(run.folder, 'report.html');
  await writePrivateFile(file, await pageOf(reported, signal));
  io.data(reportText(reported.report));
  io.note(`The page with plots: ${file}`);
  const {name, budgetUsd} = run.plan;
  if (end === 'aborted') io.note(`Stopped. To continue: fettle lab run --resume ${name}`);
  if (end === 'budget') io.note(`Stopped: the budget of $${budgetUsd} is spent.`);
  if (end === 'done' && counts.parked > 0) io.note(`To try again what the infrastructure failed: fettle lab run --resume ${name}`);
  return {aborted: EXIT.interrupted, budget: EXIT.limit, done: counts.parked > 0 ? EXIT.failed : EXIT.done}[end];
}

function chosenModel({settings}: SessionSettings): string {
  if (settings.model !== undefined) return settings.model;
  throw new FettleError({
    code: 'USAGE',
    message: 'No model is named.',
    hint: 'Use --models provider/model,…; `--models script` uses the recorded replies of each task.',
  });
}

/** Splits a list at commas; undefined if there is none. */
function listOf(text: string | undefined): readonly string[] | undefined {
  const words = text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words === undefined || words.length === 0 ? undefined : [...new Set(words)];
}

function whole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new FettleError({
    code: 'USAGE',
    message: `${option} ${text}: a whole number from 1 on is needed.`,
    hint: 'See `fettle lab run --help`.',
  });
}

function amount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const usd = Number(text);
  if (Number.isFinite(usd) && usd > 0) return usd;
  throw new FettleError({
    code: 'USAGE',
    message: `--budget ${text}: an amount of US dollars above 0 is needed.`,
    hint: 'For example --budget 5.',
  });
}
