import type {WorkEvent} from '../../../../lab/engine/engine.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import {plainLine} from '../../../../lab/report/text/text-table.ts';
import {rolloutName, type RunPlan} from '../../../../lab/run/run-plan.ts';
import {durationText, progressLine, type RunProgress} from '../../../../lab/run/run-progress.ts';
import type {Io} from '../../io.ts';

/** Shows a run while it goes on: one line of a terminal that is replaced; elsewhere a line for each rollout that has ended. */
export interface ShownProgress {
  update(progress: RunProgress, event: WorkEvent | undefined): void;
  end(): void;
}

export function showProgress(io: Pick<Io, 'note' | 'status'>, plan: RunPlan, workers: number): ShownProgress {
  const began = performance.now();
  let latest: RunProgress | undefined;
  let isTerminal = false;
  const draw = (): void => {
    if (latest !== undefined) isTerminal = io.status(progressLine(latest, performance.now() - began));
  };
  // The time left changes while a long rollout runs.
  const timer = setInterval(() => isTerminal && draw(), REDRAW_MS);
  io.note(`Run ${plan.name}: ${workers} at a time. Ctrl-C stops it; it can be continued.`);
  return {
    update(progress, event) {
      latest = progress;
      const line = event === undefined ? undefined : eventLine(event);
      const isTrouble = event?.is !== 'accepted';
      if (line !== undefined && isTerminal && isTrouble) io.status('');
      if (line !== undefined && (!isTerminal || isTrouble)) io.note(line);
      draw();
    },
    end() {
      clearInterval(timer);
      if (isTerminal) io.status('');
      if (latest !== undefined) io.note(progressLine(latest, performance.now() - began));
    },
  };
}

const REDRAW_MS = 1000;

/** Describes what has happened to a rollout in one line; undefined: nothing to be said. */
export function eventLine(event: WorkEvent): string | undefined {
  switch (event.is) {
    case 'accepted':
      return event.isFirst ? resultLine(event.result) : undefined;
    case 'retried':
      return `retried in ${durationText(event.afterMs / 1000)}  ${named(event.result)}`;
    case 'parked':
      return `not judged  ${named(event.result)}`;
    case 'left':
      return `left to other workers  ${plainLine(`${rolloutName(event.key)}: ${event.reason}`)}`;
    case 'unreachable':
      return `The database does not answer, waiting for it: ${plainLine(event.reason)}`;
    case 'reachable':
      return 'The database answers again.';
    case 'newer':
      return `The run ${event.run} was begun by a newer version of Fettle, which has to go on with it.`;
    default:
      return undefined;
  }
}

function named({key, note}: RolloutResult): string {
  return plainLine(`${rolloutName(key)}${note === undefined ? '' : `: ${note}`}`);
}

function resultLine(result: RolloutResult): string {
  const {outcome, failure, agentMs, verifyMs, costUsd} = result;
  const cost = costUsd === null || costUsd === 0 ? '' : `  $${costUsd.toFixed(3)}`;
  const why = failure === undefined || failure === 'wrong-answer' ? '' : ` (${failure})`;
  return `${outcome}${why}  ${plainLine(rolloutName(result.key))}  ${durationText((agentMs + verifyMs) / 1000)}${cost}`;
}
