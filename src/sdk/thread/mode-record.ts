import type {Mode} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {ModeSwitch} from '../../tools/ports/mode-switch.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';

/** The mode of a thread according to its log. */
export interface ModeRecord {
  /** Takes each event of the log of a resumed thread. */
  observe(event: ThreadEvent): void;
  /**
   * Restores the mode in which the thread was left, if it allows no more than the settings do; a plan that a
   * person has accepted stays accepted. A mode chosen for this run (by a flag or a variable) takes precedence, and
   * a log never widens any mode but `plan`.
   */
  restore(modes: ModeSwitch | undefined, session: Pick<SessionSettings, 'origins'>): void;
}

export function createModeRecord(): ModeRecord {
  let last: Mode | undefined;
  return {
    observe(event) {
      if (event.type === 'mode.changed') last = MODES.find((mode) => mode === event.to);
    },
    restore(modes, {origins}) {
      const source = origins['mode']?.source;
      if (last === undefined || modes === undefined || source === 'flag' || source === 'env') return;
      const now = modes.current();
      const isNarrower = MODES.indexOf(last) < MODES.indexOf(now);
      if (isNarrower || (now === 'plan' && last !== 'full-auto')) modes.set(last);
    },
  };
}

/** Ordered from the mode that allows least to the one that allows most. */
const MODES: readonly Mode[] = ['plan', 'ask', 'accept-edits', 'full-auto'];

/** Returns the same context, but emits an event for each change of the mode. */
export function withModeEvents(context: ToolSurroundings, threadId: string, emit: (event: ThreadEvent) => void): ToolSurroundings {
  const {modes} = context;
  if (modes === undefined) return context;
  const set = (next: Mode): void => {
    const from = modes.current();
    modes.set(next);
    if (next !== from) emit({type: 'mode.changed', thread_id: threadId, from, to: next});
  };
  return {...context, modes: {current: () => modes.current(), set}};
}

type ToolSurroundings = OpenedTools['dispatcher']['context'];
