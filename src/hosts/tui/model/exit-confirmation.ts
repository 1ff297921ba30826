import type {ScreenState} from './screen-state.ts';

/** A second Ctrl-C within it leaves. Milliseconds. */
const LEAVE_WITHIN = 2000;

/** Returns true if Ctrl-C leaves now: it was pressed a moment ago. */
export function isLeaveArmed({leaveArmedAt, now}: Pick<ScreenState, 'leaveArmedAt' | 'now'>): boolean {
  return leaveArmedAt !== undefined && now - leaveArmedAt <= LEAVE_WITHIN;
}
