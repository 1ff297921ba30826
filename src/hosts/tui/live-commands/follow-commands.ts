import type {BackgroundCommands} from '../host-adapter.ts';
import type {Action} from '../model/action.ts';
import type {ScreenState} from '../model/screen-state.ts';

/**
 * Follows the commands whose screens are shown, and no others: those that a call waits for, and the one that is open in full. Called with each
 * state; while none of them is shown, nothing is asked of the session.
 */
export function createFollower(options: {
  readonly background: () => BackgroundCommands | undefined;
  readonly dispatch: (action: Action) => void;
}): {follow(state: ScreenState): void; close(): void} {
  const followed = new Map<string, () => void>();
  let of: BackgroundCommands | undefined;
  let seen: Pick<ScreenState, 'live' | 'overlay'> | undefined;
  const leave = (ids: Iterable<string>): void => {
    for (const id of ids) {
      followed.get(id)?.();
      followed.delete(id);
    }
  };
  return {
    follow(state) {
      const background = options.background();
      if (of === background && seen?.live.commands === state.live.commands && seen.overlay === state.overlay) return;
      if (of !== background) leave([...followed.keys()]);
      of = background;
      seen = state;
      const wanted = wantedIds(state);
      leave([...followed.keys()].filter((id) => !wanted.has(id)));
      for (const id of wanted) {
        if (followed.has(id) || background === undefined) continue;
        try {
          followed.set(
            id,
            background.watch(id, (content) => options.dispatch({type: 'live', id, content})),
          );
        } catch {
          // The command is gone: the next list will show that.
        }
      }
    },
    close: () => leave([...followed.keys()]),
  };
}

function wantedIds({live, overlay}: ScreenState): ReadonlySet<string> {
  const known = new Set(live.commands.map(({id}) => id));
  const waitedFor = live.commands.filter(({calls, isInteractive}) => isInteractive && calls.length > 0).map(({id}) => id);
  return new Set([...waitedFor, ...(overlay?.type === 'command' && known.has(overlay.id) ? [overlay.id] : [])]);
}
