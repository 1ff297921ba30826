import {span, type Line} from '../cells/line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {canRetry, stalledFor} from '../stall/stall.ts';
import {elapsed} from './duration-text.ts';

/** Shows how long the turn has run and how to stop it; undefined while nothing runs. */
export function workLine(state: ScreenState): Line | undefined {
  const {work, now, queue, size} = state;
  if (work === undefined) return undefined;
  const seconds = Math.floor((now - work.startedAt) / 1000);
  if (work.isCancelling) return [span('Cancelling · Ctrl-C again leaves', 'warning')];
  const silent = stalledFor(state);
  const typed = queue.length === 0 ? '' : ` · ${queue.length} queued`;
  if (silent !== undefined) {
    const retries = canRetry(state) ? ' · Alt-R retries' : '';
    if (size.columns < COLUMNS_FOR_STALL) return [span(`Silent ${silent} s${retries} · Ctrl-C`, 'warning')];
    return [span(`No data for ${silent} s${retries} · Ctrl-C cancels${typed}`, 'warning')];
  }
  return [span(`${WORDS[work.what]} · ${elapsed(seconds)} · Ctrl-C cancels${typed}`, 'dim')];
}

/** Below it the row has only the keys. */
export const COLUMNS_FOR_STALL = 60;

const WORDS = {turn: 'Working', shell: 'Running', command: 'Working'} as const;
