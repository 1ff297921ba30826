/** The choices of this process, for outcomes that name none. */
export interface OpenChoices {
  add(action: string, choice: string): void;
  /** The newest choice of an action that has no outcome, else the one that had its outcome last; undefined if it was not chosen here. */
  newest(action: string): string | undefined;
  /** Notes that a choice has its outcome. */
  settle(action: string, choice: string): void;
}

interface ChoicesOfAction {
  /** Without an outcome, the newest last. */
  readonly open: string[];
  settled: string | undefined;
}

/** So many choices of an action are remembered that never have an outcome. */
const MOST_OPEN = 1000;

export function openChoices(): OpenChoices {
  const known = new Map<string, ChoicesOfAction>();
  return {
    add(action, choice) {
      const of = known.get(action) ?? {open: [], settled: undefined};
      known.set(action, of);
      of.open.push(choice);
      if (of.open.length > MOST_OPEN) of.open.shift();
    },
    newest(action) {
      const of = known.get(action);
      return of?.open.at(-1) ?? of?.settled;
    },
    settle(action, choice) {
      const of = known.get(action);
      const at = of?.open.lastIndexOf(choice) ?? -1;
      if (of === undefined || at === -1) return;
      of.open.splice(at, 1);
      of.settled = choice;
    },
  };
}
