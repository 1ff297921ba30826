import {realpath, stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import type {JobDefinition, JobRights} from '../../../../schedule/jobs/job-definition.ts';
import {nameFrom, requireJobName} from '../../../../schedule/jobs/job-name.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import {systemTimeZone} from '../../../../schedule/times/local-time.ts';
import {jobRights, rightsLeftOut} from '../../../../sdk/schedule/job-rights.ts';
import {loadSettings, withModel} from '../../../../sdk/settings/load-settings.ts';
import type {ProjectSnapshot} from '../../../../sdk/trust/project-snapshot.ts';
import {flagsOf} from '../../command-line/run-options.ts';
import type {Io} from '../../io.ts';
import {readPrompt} from '../../read-prompt.ts';
import {presentProject} from './known-project.ts';
import type {AddOptions} from './schedule-options.ts';
import {timingOf} from './timing-of.ts';

export interface NewJob {
  readonly job: JobDefinition;
  /** The project that the job is added for; absent for a reminder. */
  readonly project: ProjectSnapshot | undefined;
}

/** Makes a job of the options of `add`, with the rights of this moment. Throws USAGE for what is missing or cannot be. @param taken Names of jobs. */
export async function newJob(io: Io, options: AddOptions, taken: readonly string[]): Promise<NewJob> {
  const createdAt = Date.now();
  if (options.name !== undefined) requireJobName(options.name);
  const action = await actionOf(io, options);
  const timing = timingOf(options, {now: createdAt, timeZone: systemTimeZone()});
  if (nextDue(timing, createdAt) === undefined)
    throw new FettleError({code: 'USAGE', message: 'Such a time never comes.', hint: 'Give another --cron or --at.'});
  const workspace = await workspaceOf(io, options);
  const rights = await rightsFor(io, {workspace, action, options});
  const name = options.name ?? nameFrom(action.kind === 'prompt' ? action.prompt : action.text, taken);
  const project = action.kind === 'prompt' ? await presentProject(io, {workspace}) : undefined;
  const {missed = 'once', overlap = 'skip', notify = 'always'} = options;
  return {job: {name, action, timing, workspace, missed, overlap, notify, createdAt, project: project?.digest, rights}, project};
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

interface RightsRequest {
  readonly workspace: string;
  readonly action: JobDefinition['action'];
  readonly options: AddOptions;
}

/** Returns the rights that options and configuration give to a run in the workspace now, and says what is left out of them. */
async function rightsFor(io: Io, {workspace, action, options}: RightsRequest): Promise<JobRights> {
  if (action.kind === 'reminder') return NONE;
  const session = withModel(await loadSettings({cwd: workspace, env: io.env, home: io.home, flags: flagsOf(options)}));
  for (const notice of [...session.notices, ...rightsLeftOut(session)]) io.note(notice);
  return await jobRights(session, options.verify ?? []);
}

const NONE: JobRights = {mode: 'plan', sandbox: 'read-only', allow: [], ask: [], deny: [], domains: [], verify: []};
