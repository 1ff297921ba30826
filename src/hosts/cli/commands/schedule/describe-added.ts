import {visibleText} from '../../../../base/visible-text.ts';
import type {JobDefinition} from '../../../../schedule/jobs/job-definition.ts';
import {describeTiming} from '../../../../schedule/times/describe-timing.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import {formatLocal, systemTimeZone} from '../../../../schedule/times/local-time.ts';
import {rightsLine} from './describe-rights.ts';

/** Describes a job that was added: when it runs next, what it may do, its file. One line each. */
export function describeAdded(job: JobDefinition, file: string): readonly string[] {
  return [...summary(job), `  file  ${file}`].map(visibleText);
}

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
