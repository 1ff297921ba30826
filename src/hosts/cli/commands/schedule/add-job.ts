import {realpath, stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {wakeDaemon} from '../../../../schedule/daemon/wake-daemon.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {createJobFile, jobFile, readJobs} from '../../../../schedule/jobs/job-folder.ts';
import {nameFrom, requireJobName} from '../../../../schedule/jobs/job-name.ts';
import {jobText} from '../../../../schedule/jobs/job-text.ts';
import {parseJob} from '../../../../schedule/jobs/parse-job.ts';
import {describeTiming} from '../../../../schedule/times/describe-timing.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import {formatLocal, systemTimeZone} from '../../../../schedule/times/local-time.ts';
import type {Io} from '../../io.ts';
import {readPrompt} from '../../read-prompt.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';
import {rightsLine} from './describe-rights.ts';
import {forgetProject, keepProject, presentProject} from './known-project.ts';
import {noteMissingDaemon, schedulePlace, withStore} from './schedule-place.ts';
import type {AddOptions} from './schedule-options.ts';
import {timingOf} from './timing-of.ts';
import {rightsFor} from './rights-for.ts';

/** `fettle schedule add`: writes the file of a job with everything that it may do, and prints its name. */
export async function addJob(io: Io, options: AddOptions): Promise<number> {
  refuseInsideFettle(io, {cannot: 'add a job', instead: 'fettle schedule add'});
  const place = schedulePlace(io);
  const {folders} = place;
  const action = await actionOf(io, options);
  const createdAt = Date.now();
  const timing = timingOf(options, {now: createdAt, timeZone: systemTimeZone()});
  if (nextDue(timing, createdAt) === undefined)
    throw new FettleError({code: 'USAGE', message: 'Such a time never comes.', hint: 'Give another --cron or --at.'});
  const workspace = await workspaceOf(io, options);
  const rights = await rightsFor(io, {workspace, action, options});
  const taken = (await readJobs(folders.jobs)).map(({name}) => name);
  if (options.name !== undefined) requireJobName(options.name);
  const name = options.name ?? nameFrom(action.kind === 'prompt' ? action.prompt : action.text, taken);
  const snapshot = action.kind === 'prompt' ? await presentProject(io, {workspace}) : undefined;
  const {missed = 'once', overlap = 'skip', notify = 'always'} = options;
  const job: JobDefinition = {name, action, timing, workspace, missed, overlap, notify, createdAt, project: snapshot?.digest, rights};
  await store(job);
  if (snapshot === undefined) await forgetProject(folders, name);
  else await keepProject(folders, name, snapshot);
  wakeDaemon(folders);
  io.data(`${name}\n`);
  for (const line of summary(job)) io.note(visibleText(line));
  io.note(`  file  ${visibleText(jobFile(folders.jobs, name))}`);
  noteMissingDaemon(io, place);
  return EXIT.done;

  async function store(made: JobDefinition): Promise<void> {
    const text = jobText(made);
    const read = parseJob({name, file: name, bytes: new TextEncoder().encode(text)});
    if ('problems' in read)
      throw new FettleError({code: 'USAGE', message: read.problems.map((line) => line.replace(/^\S+: /, '')).join('\n')});
    await createJobFile(folders.jobs, name, text);
    // What an earlier job of this name left behind is none of the new one's.
    await withStore(place, (opened) => opened.forget(name));
  }
}

async function actionOf(io: Io, {prompt, reminder}: AddOptions): Promise<JobDefinition['action']> {
  if (prompt !== undefined) return {kind: 'prompt', prompt: await readPrompt(io, prompt)};
  if (reminder !== undefined && reminder.trim() !== '') return {kind: 'reminder', text: reminder.trim()};
  const hint = 'Such as: fettle schedule add --prompt "update the dependencies" --cron "0 7 * * 1-5"';
  throw new FettleError({code: 'USAGE', message: 'There is nothing to do: give --prompt or --reminder.', hint});
}

async function workspaceOf({cwd}: Io, {workspace = '.'}: AddOptions): Promise<string> {
  const path = resolve(cwd, workspace);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && (await stat(real)).isDirectory()) return real;
  throw new FettleError({code: 'USAGE', message: `${visibleText(path)} is not a folder.`, hint: 'Name the folder of the runs.'});
}

/** When it runs next, and what it may do. */
function summary({name, action, timing, workspace, createdAt, rights}: JobDefinition): readonly string[] {
  const zone = systemTimeZone();
  const dues: number[] = [];
  for (let due = nextDue(timing, createdAt); due !== undefined && dues.length < SHOWN; due = nextDue(timing, due)) dues.push(due);
  const next = `  next  ${dues.map((due) => formatLocal(due, zone)).join(', ')}`;
  if (action.kind === 'reminder') return [`Added the reminder ${name}: ${describeTiming(timing, zone)}.`, next];
  const asks =
    rights.mode === 'ask'
      ? ['        nobody is there to ask: what no rule allows is denied; --mode accept-edits or full-auto allows more']
      : [];
  return [`Added ${name}: ${describeTiming(timing, zone)}, in ${workspace}.`, next, `  may   ${rightsLine(rights)}`, ...asks];
}

const SHOWN = 3;
