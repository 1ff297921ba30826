import {remedyLine} from '../../agent/denials.ts';
import type {RunReport, RunResult} from '../../agent/thread.ts';

/** A line for a person; the style shows how serious it is. */
export interface EndingLine {
  readonly style: 'dim' | 'green' | 'yellow';
  readonly text: string;
}

/**
 * Returns the lines that explain the end of a run (design 1.4): what was verified, or that nothing was; which
 * files of its checks the run itself has changed; what was denied, left open, cancelled or failed. They may
 * contain secrets and control characters.
 */
export function endingLines({outcome, report = {}}: RunResult): readonly EndingLine[] {
  return [
    // If the run ended because of this, the message says so already.
    ...(report.reply_cut === true && outcome !== 'token_limit_reached' ? [CUT] : []),
    ...verifiedLines(outcome, report),
    ...(report.check_changes_unknown === true ? [UNKNOWN_CHANGES] : []),
    ...listed('Changed by this run, so look at it before you rely on the check:', (report.check_changes ?? []).map(changeText)),
    ...(report.evaluation === undefined ? [] : [EVALUATIONS[report.evaluation]]),
    ...listed('Tasks that were not completed:', (report.open_tasks ?? []).map(taskText)),
    ...listed('Subagents that did not finish:', (report.failed_agents ?? []).map(agentText)),
    // If the run ended as denied, the hint says so already.
    ...(outcome === 'denied' ? [] : listed('Denied on the way:', (report.denied ?? []).map(remedyLine))),
  ];
}

/** Returns the same result without the line that nothing was verified, for conversations and runs that only read. */
export function withoutNothing(result: RunResult): RunResult {
  const {report} = result;
  return report?.verified === 'none' ? {...result, report: {...report, verified: undefined}} : result;
}

type Check = NonNullable<RunReport['checks']>[number];

const UNKNOWN_CHANGES: EndingLine = {
  style: 'yellow',
  text: 'Unknown which files of the checks this run has changed: look before you rely on them.',
};

const CUT: EndingLine = {style: 'yellow', text: 'The last reply was cut off at the output limit of the model: it is not whole.'};

function verifiedLines(outcome: RunResult['outcome'], {verified, checks = []}: RunReport): readonly EndingLine[] {
  if (verified === undefined) return [];
  // A run that failed claims nothing.
  if (verified === 'none' && outcome !== 'success' && outcome !== 'denied') return [];
  if (verified === 'none') return [{style: 'dim', text: 'Nothing was verified: no check was named (--verify "COMMAND").'}];
  const texts = checks.map(checkText);
  return verified
    ? listed('Verified after the last change:', texts, 'green')
    : listed('Not verified:', texts.length === 0 ? ['no check ran after the last change'] : texts);
}

function checkText({command, state, exit_code: code, named_by: by, always_passes: always}: Check): string {
  const ended = state === 'passed' ? 'exited with 0' : state === 'failed' && code !== null ? `exited with ${code}` : STATES[state];
  const notes = [...(by === 'model' ? ['named by the model'] : []), ...(always === true ? ['it always passes, so it proves nothing'] : [])];
  return `\`${oneLine(command)}\` ${ended}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

const STATES: Readonly<Record<Check['state'], string>> = {
  passed: 'passed',
  failed: 'has no exit code',
  timed_out: 'did not end in time',
  denied: 'was not allowed to run',
  cancelled: 'was cancelled',
  not_run: 'was not run',
};

const EVALUATIONS: Readonly<Record<NonNullable<RunReport['evaluation']>, EndingLine>> = {
  passed: {style: 'green', text: 'The evaluator passed the work.'},
  failed: {style: 'yellow', text: 'The evaluator did not pass the work.'},
  not_evaluated: {style: 'yellow', text: 'The work was not evaluated: the evaluator gave no verdict.'},
};

function changeText({path, change, reason}: NonNullable<RunReport['check_changes']>[number]): string {
  return `${oneLine(path)} ${change} (${oneLine(reason)})`;
}

function taskText({content, status}: NonNullable<RunReport['open_tasks']>[number]): string {
  return `${oneLine(content)} (${TASKS[status]})`;
}

const TASKS = {
  pending: 'open',
  in_progress: 'begun',
  blocked: 'blocked',
  cancelled: 'cancelled by the model',
  removed: 'taken out of the list by the model',
} as const;

function agentText({agent_id: id, message}: NonNullable<RunReport['failed_agents']>[number]): string {
  return message === undefined ? id : `${id}: ${oneLine(message)}`;
}

const MAX_LISTED = 10;

function listed(title: string, texts: readonly string[], style: EndingLine['style'] = 'yellow'): readonly EndingLine[] {
  if (texts.length === 0) return [];
  const more = texts.length - MAX_LISTED;
  const shown = [...texts.slice(0, MAX_LISTED), ...(more > 0 ? [`… and ${more} more`] : [])];
  return [title, ...shown.map((text) => `  ${text}`)].map((text) => ({style, text}));
}

const MAX_CHARS = 160;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}
