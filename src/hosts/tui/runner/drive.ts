import type {Action, ScreenEffect} from '../model/action.ts';
import {isLeaveArmed} from '../model/exit-confirmation.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {coverOf, coverShowsDialog, isWatching} from '../pager/cover-of.ts';
import {updateScreen} from '../pager/update-screen.ts';
import {frameOf, tailLines} from '../views/frame.ts';
import {createCoverScreen} from '../surface/cover-screen.ts';
import {createFrames, type Frames} from './frames.ts';
import {createLibraryLoader, loadLibraries} from './library-loader.ts';
import type {Surface} from '../surface/surface.ts';

/** At most as often the screen follows events; a key is shown at once. Milliseconds. */
const EVENT_FRAME = 33;
/** Frames that are dear come less often: three quarters of the time are left to keys. */
const BETWEEN = 4;
const TICK = 1000;

export interface DriveOptions {
  readonly initial: ScreenState;
  readonly surface: Surface;
  /** The alternate screen, for views that need the whole screen. Opened and closed as needed. */
  readonly openPager: () => Surface;
  /** Performs the effects of the model. Must not throw. */
  readonly perform: (effect: ScreenEffect) => void;
  /** Sees each state after a change. Must not throw, and not dispatch before it returns. */
  readonly observe?: ((state: ScreenState) => void) | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Takes actions one after the other, and puts the state on the screen. Nothing runs while nothing happens. */
export interface Drive {
  readonly state: () => ScreenState;
  dispatch(action: Action): void;
  /** Resolves when the result of an action can be drawn at its best: final rows are never drawn again. */
  prepare(action: Action): Promise<void>;
  /** Redraws the whole screen, after another program had the terminal. */
  redraw(): void;
  /** Draws the remaining changes, and stops. */
  close(): void;
}

export function createDrive({initial, surface, openPager, perform, observe, now}: DriveOptions): Drive {
  let state = initial;
  const covering = createCoverScreen(openPager);
  let isClosed = false;
  let isMoved = false; // the size changed while something covered the conversation, or was about to
  const drawn = (printed: ScreenState['printed']): void => {
    ({state} = updateScreen(state, {type: 'drawn', printed}, now()));
  };
  const draw = (): void => {
    if (isClosed) return;
    const cover = coverOf(state);
    if (cover !== undefined) {
      covering.show(cover);
      return coverShowsDialog(state) ? drawn(state.printed) : undefined;
    }
    covering.leave();
    if (isMoved) return redraw();
    const frame = frameOf(state);
    surface.draw(frame);
    drawn(frame.printed);
  };
  const frames = createFrames(draw, now);
  const wantLibraries = createLibraryLoader(() => dispatch({type: 'tick'}));
  const redraw = (): void => {
    if (isClosed) return;
    const cover = coverOf(state);
    isMoved = cover !== undefined;
    if (cover !== undefined) return covering.redraw(cover);
    covering.leave();
    drawn(redrawn(surface, state));
  };
  const tick = createTicks(() => dispatch({type: 'tick'}));
  const dispatch = (action: Action): void => {
    const {state: next, effects} = updateScreen(state, action, now());
    state = next;
    for (const effect of effects) (effect.type === 'redraw' ? redraw : perform)(effect);
    if (isClosed) return;
    tick(state.work !== undefined || isLeaveArmed(state) || isWatching(state));
    observe?.(state);
    wantLibraries(state);
    frames.drawIn(delayOf(action, frames, now()));
  };
  return {
    state: () => state,
    dispatch,
    prepare: async (action) => await loadLibraries(updateScreen(state, action, now()).state),
    redraw,
    close() {
      if (coverOf(state) !== undefined) state = {...state, overlay: undefined, dialogs: []};
      try {
        frames.flush();
      } finally {
        isClosed = true;
        tick(false);
        covering.leave();
        surface.end({erase: true});
      }
    },
  };
}

/** Redraws the whole screen; returns the final rows. */
function redrawn(surface: Surface, state: ScreenState): ScreenState['printed'] {
  const {live, cursor, above, printed} = frameOf(state);
  surface.redraw({live, cursor}, [...tailLines(state, state.size.rows), ...above].slice(-state.size.rows));
  return printed;
}

/** A key is shown at once; what arrives by itself waits, the longer the dearer a frame was. Milliseconds. */
function delayOf({type}: Action, frames: Frames, now: number): number {
  if (!ARRIVES.has(type)) return 0;
  return Math.max(0, frames.drawnAt() + Math.max(EVENT_FRAME, BETWEEN * frames.took()) - now);
}

/** Actions that come by themselves, and often. */
const ARRIVES: ReadonlySet<Action['type']> = new Set(['event', 'shell', 'live', 'background']);

/** Ticks while there is something to count; otherwise the clock is stopped. */
function createTicks(tick: () => void): (isCounting: boolean) => void {
  let ticks: NodeJS.Timeout | undefined;
  return (isCounting) => {
    if (isCounting) ticks ??= setInterval(tick, TICK);
    else {
      clearInterval(ticks);
      ticks = undefined;
    }
  };
}
