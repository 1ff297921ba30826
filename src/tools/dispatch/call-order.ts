import {isReadOnly, type SideEffect} from '../../protocol/side-effect.ts';

export interface PlannedCall {
  readonly sideEffect: SideEffect;
  /** Two calls with the same key never run at the same time; undefined: alone. */
  readonly key: string | undefined;
}

const MAX_PARALLEL = 8;

/**
 * Splits the calls of one reply into steps that run one after the other; the calls of a step (given by their places) run at the same
 * time. Reads go with reads, writes of different files with each other; everything else is alone. The order of the calls is kept.
 */
export function planSteps(calls: readonly PlannedCall[]): readonly (readonly number[])[] {
  const steps: number[][] = [];
  for (const [index, call] of calls.entries()) {
    const step = steps.at(-1);
    const others = (step ?? []).map((place) => calls[place]);
    if (step !== undefined && step.length < MAX_PARALLEL && others.every((other) => other !== undefined && goTogether(other, call))) {
      step.push(index);
    } else steps.push([index]);
  }
  return steps;
}

function goTogether(a: PlannedCall, b: PlannedCall): boolean {
  if (a.key === undefined || b.key === undefined || a.key === b.key) return false;
  return (isReadOnly(a.sideEffect) && isReadOnly(b.sideEffect)) || (a.sideEffect === 'write' && b.sideEffect === 'write');
}
