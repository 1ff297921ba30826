import type {KeymapProblem} from './keymap.ts';

/** A problem of the user's key bindings, as a sentence for them. */
export function keymapProblemText(problem: KeymapProblem): string {
  switch (problem.type) {
    case 'unknown_action':
      return `there is no action ${JSON.stringify(problem.action)}${problem.nearest === undefined ? '; ? lists what keys do' : `; did you mean ${problem.nearest}?`}`;
    case 'unknown_key':
      return `there is no key ${JSON.stringify(problem.key)}; keys are such as ctrl+x, alt+enter, f5`;
    case 'conflict':
      return `${problem.key} does ${problem.actions[0]} already; give ${problem.actions[1]} another key`;
    case 'unreachable':
      return `no key is left; name one, or an empty list`;
  }
}

/** The action that a problem is about, as it was written. */
export function keymapProblemAction(problem: KeymapProblem): string {
  return problem.type === 'conflict' ? problem.actions[1] : problem.action;
}
