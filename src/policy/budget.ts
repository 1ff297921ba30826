/**
 * Counts the work of a decision, so that none takes long, whatever the input (design › budgets: 20 ms for hostile input). Steps are counted,
 * never time: the same call always gets the same answer. A step is about a microsecond of an ordinary machine. A decision is made in one go, so
 * one count is enough; outside of {@link withBudget} nothing is bounded. The work of a part is taken from the whole, but a part never gets more
 * than its own share.
 */
export function withBudget<T>(steps: number, work: () => T): T {
  const before = left;
  const most = Math.min(steps, before);
  left = most;
  try {
    return work();
  } finally {
    left = before - (most - Math.max(0, left));
  }
}

/** Takes steps; throws a {@link BudgetExceeded} if there are none left. */
export function charge(steps: number): void {
  left -= steps;
  if (left < 0) throw new BudgetExceeded();
}

/** The same as a question: true if they could be taken. */
export function canAfford(steps: number): boolean {
  left -= steps;
  return left >= 0;
}

/** The same kind of error as a stack overflow in a parser: both mean that nobody would write such a line. */
export class BudgetExceeded extends RangeError {
  override readonly name = 'BudgetExceeded';
}

let left = Infinity;
