import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import type {RunRecord} from '../../../../schedule/store/run-record.ts';

/** A run for programs: moments are in RFC 3339. */
export function runJson({due, startedAt, endedAt, ...rest}: RunRecord): object {
  return {...rest, due: stamp(due), startedAt: stamp(startedAt), endedAt: stamp(endedAt)};
}

/** The definition of a job for programs: moments are in RFC 3339. */
export function jobJson({timing, createdAt, ...rest}: JobDefinition): object {
  return {...rest, timing: timingJson(timing), createdAt: stamp(createdAt)};
}

/** A moment in RFC 3339; undefined stays so. */
export function stamp(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : new Date(moment).toISOString();
}

function timingJson(timing: JobDefinition['timing']): object {
  if (timing.kind === 'cron') return timing;
  return timing.kind === 'at' ? {...timing, at: stamp(timing.at)} : {...timing, anchor: stamp(timing.anchor)};
}
