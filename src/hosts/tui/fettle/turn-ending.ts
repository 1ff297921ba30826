import type {RunResult} from '../../../agent/thread.ts';
import {createRedactor} from '../../../base/redact.ts';
import type {OutcomeCode} from '../../../protocol/events.ts';
import {endingLines} from '../../../sdk/verification/ending-lines.ts';
import type {ChangedLines} from '../../../sdk/undo/turn-changes.ts';
import type {TurnEnding} from '../host-adapter.ts';

/** Describes the end of a run for the person: its outcome, its changes, the verification, and how to continue at a limit. */
export function turnEnding(result: RunResult, changes: readonly ChangedLines[]): TurnEnding {
  const outcome = outcomeOf(result);
  const {text: redacted} = createRedactor({shapes: true});
  const hint = outcome === 'limit' ? 'Press Enter to go on: limits are counted for each task.' : (result.hint ?? '');
  const said = result.outcome === 'success' || isRefused(result) ? [] : [result.message ?? result.outcome, ...hint.split('\n')];
  // That a talk which changed nothing was not verified needs no words.
  const isTalk = changes.length === 0 && result.report?.verified === 'none';
  const report = isTalk ? {...result.report, verified: undefined} : result.report;
  const lines = [
    ...said.map((line) => line.trim()).filter((line) => line !== ''),
    ...changedLines(changes),
    ...endingLines({...result, report}).map(({text}) => text),
  ];
  return {outcome, lines: lines.map(redacted)};
}

/** A turn in which a call was denied has come to its end all the same; a prompt that was refused has not begun. */
function outcomeOf({outcome, denied}: RunResult): TurnEnding['outcome'] {
  if (outcome === 'denied') return denied.length > 0 ? 'success' : 'failed';
  return OUTCOMES[outcome] ?? 'failed';
}

/** True if the person denied every call: they need no message about it and no hint how to allow it. */
function isRefused({outcome, report: {denied = []} = {}}: RunResult): boolean {
  return outcome === 'denied' && denied.length > 0 && denied.every(({decided_by: by}) => by === 'person');
}

const OUTCOMES: Readonly<Partial<Record<OutcomeCode, TurnEnding['outcome']>>> = {
  success: 'success',
  cancelled: 'cancelled',
  turn_limit_reached: 'limit',
  token_limit_reached: 'limit',
  budget_limit_reached: 'limit',
  time_limit_reached: 'limit',
};

const MOST_FILES = 10;

function changedLines(changes: readonly ChangedLines[]): readonly string[] {
  const shown = changes.slice(0, MOST_FILES).map((change) => `  ${changeText(change)}`);
  const more = changes.length - shown.length;
  if (shown.length === 0) return [];
  return [
    changes.length === 1 ? 'Changed 1 file:' : `Changed ${changes.length} files:`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

/** `src/a.ts +3 −1`, `src/b.ts created +9`; a file that is created empty has no lines to count. */
function changeText({path, kind, added, removed}: ChangedLines): string {
  const parts = [kind === 'changed' ? '' : kind, added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''];
  return [path, ...parts].filter((part) => part !== '').join(' ');
}
