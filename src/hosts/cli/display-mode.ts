import type {Io} from './io.ts';

/** The display of a session: line by line, or as a screen, inline in the scrollback or on the alternate screen; `auto`: as the settings say. */
export type ScreenChoice = 'lines' | 'inline' | 'alternate' | 'auto';

export interface ScreenFlags {
  readonly surface?: ScreenChoice;
  readonly screenReader?: true;
}

/** A screen needs a terminal on both sides that can move its cursor; a screen reader is served best by plain lines. */
export function screenChoice({surface = 'auto', screenReader}: ScreenFlags, {env}: Pick<Io, 'env'>, isTerminal: boolean): ScreenChoice {
  const term = env['TERM'] ?? '';
  if (screenReader === true || !isTerminal || term === '' || term === 'dumb') return 'lines';
  return surface;
}
