import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import type {Timing} from '../../../src/schedule/times/timing.ts';

/** The parts of a job that tests choose; the others have the usual values. */
export interface JobChoice extends Partial<Omit<JobDefinition, 'action'>> {
  readonly prompt?: string;
  readonly reminder?: string;
}

/** A job of each hour, created at 0. */
export function job({prompt = 'Test.', reminder, ...choice}: JobChoice = {}): JobDefinition {
  const timing: Timing = {kind: 'every', seconds: 3600, anchor: 0};
  return {
    name: 'nightly',
    action: reminder === undefined ? {kind: 'prompt', prompt} : {kind: 'reminder', text: reminder},
    timing,
    workspace: '/',
    missed: 'once',
    overlap: 'skip',
    notify: 'failure',
    createdAt: 0,
    rights: {mode: 'ask', sandbox: 'workspace-write', allow: [], ask: [], deny: [], domains: [], verify: []},
    ...choice,
  };
}
