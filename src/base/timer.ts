/** Milliseconds of the longest timer there is: Node lets a longer one go off at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
