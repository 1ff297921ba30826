import type {Action, Effect} from '../model/action.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {update} from '../model/update.ts';
import {frameOf, tailLines} from '../views/frame.ts';
import {pagerLines} from '../views/pager.ts';
<<<<<<< HEAD
import {createFrames} from './frames.ts';
=======
import {createLibraryLoader} from './library-loader.ts';
>>>>>>> 99dbee7 (Terminal: diffs and the languages of code are read when the first of them comes; results say what the row has not said)
import type {Surface} from './surface.ts';

/** At most as often the screen follows events; a key is shown at once. Milliseconds. */
const EVENT_FRAME = 33;
const TICK = 1000;

export interface DriveOptions {
  readonly initial: ScreenState;
  readonly surface: Surface;
  /** The screen of its own that the pager is shown on. Opened and closed as needed. */
  readonly openPager: () => Surface;
  /** Carries out what the model of the screen asks for. Must not throw. */
  readonly perform: (effect: Effect) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Takes actions one after the other, and puts the state on the screen. Nothing runs while nothing happens. */
export interface Drive {
  readonly state: () => ScreenState;
  dispatch(action: Action): void;
  /** The whole screen anew, after another program had the terminal. */
  redraw(): void;
  /** Draws what is left, and stops. */
  close(): void;
}

export function createDrive({initial, surface, openPager, perform, now}: DriveOptions): Drive {
  let state = initial;
  let pager: Surface | undefined;
  let ticks: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** The size changed while the pager covered the conversation: what stood there has moved. */
  let isMoved = false;

  const leavePager = (): void => {
    pager?.end({erase: true});
    pager = undefined;
  };
  const draw = (): void => {
    if (isClosed) return;
    if (state.overlay?.type === 'pager') {
      pager ??= openPager();
      return pager.draw({above: [], live: pagerLines(state, state.overlay), cursor: undefined});
    }
    leavePager();
    if (isMoved) return redraw();
    const frame = frameOf(state);
    surface.draw(frame);
    ({state} = update(state, {type: 'drawn', printed: frame.printed}, now()));
  };
<<<<<<< HEAD
  const frames = createFrames(draw, now);
=======
  const libraries = createLibraryLoader(() => dispatch({type: 'tick'}));
  const leavePager = (): void => {
    pager?.end({erase: true});
    pager = undefined;
  };
  const drawIn = (delay: number): void => {
    const at = now() + delay;
    if (isClosed || (due !== undefined && due.at <= at)) return;
    due?.cancel();
    if (delay <= 0) {
      const immediate = setImmediate(draw);
      due = {at, cancel: () => clearImmediate(immediate)};
    } else {
      const timer = setTimeout(draw, delay);
      due = {at, cancel: () => clearTimeout(timer)};
    }
  };
>>>>>>> 99dbee7 (Terminal: diffs and the languages of code are read when the first of them comes; results say what the row has not said)
  const redraw = (): void => {
    if (isClosed) return;
    if (pager !== undefined && state.overlay?.type === 'pager') {
      isMoved = true;
      return pager.redraw({live: pagerLines(state, state.overlay), cursor: undefined}, []);
    }
    leavePager();
    isMoved = false;
    const {live, cursor, above, printed} = frameOf(state);
    surface.redraw({live, cursor}, [...tailLines(state, state.size.rows), ...above].slice(-state.size.rows));
    ({state} = update(state, {type: 'drawn', printed}, now()));
  };
  const keepTicking = (): void => {
    if (state.work !== undefined && !isClosed) ticks ??= setInterval(() => dispatch({type: 'tick'}), TICK);
    else {
      clearInterval(ticks);
      ticks = undefined;
    }
  };
  const dispatch = (action: Action): void => {
    const change = update(state, action, now());
    ({state} = change);
    for (const effect of change.effects) (effect.type === 'redraw' ? redraw : perform)(effect);
    keepTicking();
<<<<<<< HEAD
    if (!isClosed) frames.drawIn(action.type === 'event' ? Math.max(0, frames.drawnAt() + EVENT_FRAME - now()) : 0);
=======
    if (!isClosed) libraries.want(state);
    drawIn(action.type === 'event' ? Math.max(0, drawnAt + EVENT_FRAME - now()) : 0);
>>>>>>> 99dbee7 (Terminal: diffs and the languages of code are read when the first of them comes; results say what the row has not said)
  };
  return {
    state: () => state,
    dispatch,
    redraw,
    close() {
      if (state.overlay?.type === 'pager') state = {...state, overlay: undefined};
      frames.flush();
      isClosed = true;
      keepTicking();
      surface.end({erase: true});
    },
  };
}
