import {span, type Line} from '../cells/line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {elapsed} from './elapsed.ts';

/** Without an event for as long, the person is told that nothing comes. Milliseconds. */
export const STALLED_AFTER = 10_000;

/** How long the turn has run and how to stop it; undefined while nothing runs. */
export function workLine({work, now, queue, dialogs}: ScreenState): Line | undefined {
  if (work === undefined) return undefined;
  const seconds = Math.floor((now - work.startedAt) / 1000);
  if (work.isCancelling) return [span('Cancelling · Ctrl-C again leaves', 'warning')];
  const silent = now - work.heardAt;
  const typed = queue.length === 0 ? '' : ` · ${queue.length} queued`;
  if (work.what === 'turn' && dialogs.length === 0 && silent >= STALLED_AFTER) {
    return [span(`Nothing has come for ${Math.floor(silent / 1000)} s · Ctrl-C cancels${typed}`, 'warning')];
  }
  return [span(`${WORDS[work.what]} · ${elapsed(seconds)} · Ctrl-C cancels${typed}`, 'dim')];
}

const WORDS = {turn: 'Working', shell: 'Running', command: 'Working'} as const;
