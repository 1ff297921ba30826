import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {RunRecord} from '../../../../schedule/store/run-record.ts';
import type {JobState} from '../../../../schedule/store/schedule-store.ts';
import {describeTiming} from '../../../../schedule/times/describe-timing.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import {systemTimeZone} from '../../../../schedule/times/local-time.ts';
import type {Io} from '../../io.ts';
import {rightsLines} from './describe-rights.ts';
import {runLine} from './describe-run.ts';
import {momentText} from './moment-text.ts';
import {jobJson, runJson} from './schedule-json.ts';
import {foundJob, noteMissingDaemon, schedulePlace, usableJob, withStore} from './schedule-place.ts';

/** `fettle schedule show NAME`: the task, the times, the rights, and the last runs of a job. */
export async function showJob(io: Io, name: string, options: {readonly json?: true}): Promise<number> {
  const place = schedulePlace(io);
  const {file} = await foundJob(place, name);
  const job = await usableJob(place, name);
  const {state, runs} = await withStore(place, (store) => ({state: store.state(job), runs: store.runs(job, SHOWN)}));
  if (options.json === true) {
    io.data(
      `${JSON.stringify({file, job: jobJson(job), paused: state.paused, waiting: state.waiting, runs: runs.map(runJson)}, null, 2)}\n`,
    );
    return EXIT.done;
  }
  for (const line of lines(job, {file, state, runs, now: Date.now()})) io.data(`${visibleText(line)}\n`);
  noteMissingDaemon(io, place);
  return EXIT.done;
}

const SHOWN = 10;

interface Shown {
  readonly file: string;
  readonly state: JobState;
  readonly runs: readonly RunRecord[];
  readonly now: number;
}

function lines(job: JobDefinition, {file, state, runs, now}: Shown): readonly string[] {
  const {name, action, timing, workspace, missed, overlap, notify, rights} = job;
  const text = action.kind === 'prompt' ? action.prompt : action.text;
  const isPrompt = action.kind === 'prompt';
  return [
    name,
    ...text.split('\n').map((line) => `  | ${line}`),
    '',
    `  when      ${describeTiming(timing, systemTimeZone())}`,
    `  next      ${nextText(job, state, now)}`,
    ...(isPrompt ? [`  folder    ${workspace}`] : []),
    `  missed    ${missed}: ${MISSED[missed]}`,
    ...(isPrompt ? [`  overlap   ${overlap}: ${OVERLAP[overlap]}`, `  notify    ${notify}: ${NOTIFY[notify]}`] : []),
    `  file      ${file}`,
    ...(isPrompt ? ['', 'A run has these rights and no others:', ...rightsLines(rights).map((line) => `  ${line}`)] : []),
    '',
    ...(runs.length === 0 ? ['It has not run.'] : ['Runs, the newest first:', ...runs.map((run) => runLine(run, now))]),
  ];
}

function nextText({name, timing}: JobDefinition, {paused, waiting}: JobState, now: number): string {
  if (waiting !== undefined) return `waits for you: ${waiting} \`fettle schedule resume ${name}\``;
  if (paused) return `paused; \`fettle schedule resume ${name}\``;
  const next = nextDue(timing, now);
  return next === undefined ? 'none' : momentText(next, now);
}

const MISSED: Readonly<Record<JobDefinition['missed'], string>> = {
  skip: 'due times that passed while nothing ran are left out',
  once: 'of the due times that passed while nothing ran, one is made up for',
  all: 'due times that passed while nothing ran are made up for, the newest 100 at most',
};

const OVERLAP: Readonly<Record<JobDefinition['overlap'], string>> = {
  skip: 'a due time is left out while an earlier run goes on',
  queue: 'a due time waits for the earlier run, 10 at most',
  'cancel-old': 'a due time ends the earlier run',
};

const NOTIFY: Readonly<Record<JobDefinition['notify'], string>> = {
  always: 'you are told of every run',
  failure: 'you are told of runs that fail',
  never: 'you are not told',
};
