import type {CommandSession} from '../shells/command-session.ts';

/** Facts about the commands of a thread besides their output: which calls wait for them, and the actions of a person on them. */
export interface LiveSessions {
  /** Records that a call waits for the session, until the returned function is called. */
  attach(id: string, callId: string): () => void;
  /** Returns the calls that wait for the session now. */
  calls(id: string): readonly string[];
  /** Records that a person typed this many keys into the session, or ended it. The model is notified once. */
  note(id: string, act: PersonAct): void;
  /** Returns actions of a person that the model has not seen, one line each. */
  takeNotes(id: string): readonly string[];
  /** The same for all sessions, by their ids. */
  takeAllNotes(): ReadonlyMap<string, readonly string[]>;
  /** Called when the results of `list` or `calls` have changed. */
  changed(): void;
  /** Calls back when a session was started, has ended, or is waited for by another call. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

export type PersonAct = {readonly type: 'typed'; readonly keys: number} | {readonly type: 'ended'};

/** Creates live sessions that also report when a command has ended. */
export function createLiveSessions(): LiveSessions & {add(session: CommandSession): void} {
  const calls = new Map<string, readonly string[]>();
  const acts = new Map<string, Acts>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const take = (id: string): readonly string[] => {
    const lines = linesOf(acts.get(id));
    acts.delete(id);
    return lines;
  };
  return {
    changed,
    add(session) {
      const stop = session.onLive(() => {
        if (session.ended() === undefined) return;
        stop();
        changed();
      });
      changed();
    },
    attach(id, callId) {
      calls.set(id, [...(calls.get(id) ?? []), callId]);
      changed();
      return () => {
        const left = (calls.get(id) ?? []).filter((one) => one !== callId);
        if (left.length === 0) calls.delete(id);
        else calls.set(id, left);
        changed();
      };
    },
    calls: (id) => calls.get(id) ?? [],
    note(id, act) {
      const {keys, isEnded} = acts.get(id) ?? {keys: 0, isEnded: false};
      acts.set(id, act.type === 'ended' ? {keys, isEnded: true} : {keys: keys + act.keys, isEnded});
    },
    takeNotes: take,
    takeAllNotes: () => new Map([...acts.keys()].map((id) => [id, take(id)])),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Acts {
  readonly keys: number;
  readonly isEnded: boolean;
}

/** Leaves out the typed text: it may be a password, which the program does not show either. Echoed text is on the screen. */
function linesOf(acts: Acts | undefined): readonly string[] {
  if (acts === undefined) return [];
  const typed = acts.keys === 0 ? [] : [`the user typed ${acts.keys} ${acts.keys === 1 ? 'key' : 'keys'} into it`];
  return [...typed, ...(acts.isEnded ? ['the user ended it'] : [])];
}
