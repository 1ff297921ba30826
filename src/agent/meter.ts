import {addSpending, excess, NOTHING_SPENT, type Excess, type Limits, type Spending} from './budget.ts';

/** Counts usage against limits. The usage of a subagent also counts for the run that started it, and both limits apply. */
export interface Meter {
  readonly limits: Limits;
  /** A run begins: the limits count from here. */
  startRun(): void;
  startTurn(): void;
  add(spent: Spending): void;
  /** Counts tool calls that are about to run. Returns the reason if there are too many. */
  takeCalls(count: number): Excess | undefined;
  /** Returns why no further request may be made; undefined if one may. */
  excess(): Excess | undefined;
  /** Spending of the current or last turn. */
  readonly turn: Spending;
  /** Spending of the whole run. */
  readonly run: Spending;
}

export interface MeterOptions {
  readonly limits: Limits;
  readonly now: () => number;
  /** The run that this one is a part of. */
  readonly parent?: Meter;
}

export function createMeter({limits, now, parent}: MeterOptions): Meter {
  let beganAt = now();
  let calls = 0;
  let turn = NOTHING_SPENT;
  let run = NOTHING_SPENT;
  return {
    limits,
    startRun() {
      beganAt = now();
      calls = 0;
      turn = NOTHING_SPENT;
      run = NOTHING_SPENT;
    },
    startTurn: () => void (turn = NOTHING_SPENT),
    add(spent) {
      turn = addSpending(turn, spent);
      run = addSpending(run, spent);
      parent?.add(spent);
    },
    takeCalls(count) {
      const {maxToolCalls = Infinity} = limits;
      if (calls + count > maxToolCalls) {
        const message = `The limit of ${maxToolCalls} tool calls is reached.`;
        return {outcome: 'turn_limit_reached', message, hint: 'Give a smaller task.'};
      }
      calls += count;
      return undefined;
    },
    excess: () => excess(limits, run, now() - beganAt) ?? parent?.excess(),
    get turn() {
      return turn;
    },
    get run() {
      return run;
    },
  };
}
