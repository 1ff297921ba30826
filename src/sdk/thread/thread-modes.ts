import {FettleError} from '../../base/errors.ts';
import type {Mode} from '../../policy/decision.ts';
import type {ModeSwitch} from '../../tools/ports/mode-switch.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** The mode of a thread, as a person switches it. */
export interface ThreadModes {
  current(): Mode;
  /**
   * Sets the mode from the next decision on; `begin` makes sure that the log has its first event. Throws DENIED
   * for a mode that the thread may not have.
   */
  set(mode: Mode, begin: () => void): void;
  /** True if a person has switched since this was asked last. */
  wasSwitched(): boolean;
}

export interface ModesOptions {
  /** Emits an event for each change. */
  readonly modes: ModeSwitch | undefined;
  readonly session: Pick<SessionSettings, 'settings'>;
}

/** A person switches between plan, ask and accept-edits; to full-auto only where the thread was started with it, and so with its sandbox. */
export function createThreadModes({modes, session: {settings}}: ModesOptions): ThreadModes {
  let isSwitched = false;
  return {
    current: () => modes?.current() ?? settings.mode,
    set(mode, begin) {
      if (mode === 'full-auto' && settings.mode !== 'full-auto') {
        throw new FettleError({
          code: 'DENIED',
          message: 'A session that was not started in full-auto cannot switch to it: its commands may have no sandbox.',
          hint: 'Start it with: fettle --mode full-auto.',
        });
      }
      if (modes === undefined || mode === modes.current()) return;
      begin();
      modes.set(mode);
      isSwitched = true;
    },
    wasSwitched() {
      const was = isSwitched;
      isSwitched = false;
      return was;
    },
  };
}
