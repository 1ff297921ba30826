import type {JobDefinition, JobRights} from '../../../../schedule/jobs/job-definition.ts';
import {jobRights, rightsLeftOut} from '../../../../sdk/schedule/job-rights.ts';
import {loadSettings, withModel} from '../../../../sdk/settings/load-settings.ts';
import {flagsOf} from '../../command-line/run-options.ts';
import type {Io} from '../../io.ts';
import type {AddOptions} from './schedule-options.ts';

interface RightsRequest {
  readonly workspace: string;
  readonly action: JobDefinition['action'];
  readonly options: AddOptions;
}

/** Returns the rights that options and configuration give to a run in the workspace now, and says what is left out of them. */
export async function rightsFor(io: Io, {workspace, action, options}: RightsRequest): Promise<JobRights> {
  if (action.kind === 'reminder') return NONE;
  const session = withModel(await loadSettings({cwd: workspace, env: io.env, home: io.home, flags: flagsOf(options)}));
  for (const notice of [...session.notices, ...rightsLeftOut(session)]) io.note(notice);
  return await jobRights(session, options.verify ?? []);
}

const NONE: JobRights = {mode: 'plan', sandbox: 'read-only', allow: [], ask: [], deny: [], domains: [], verify: []};
