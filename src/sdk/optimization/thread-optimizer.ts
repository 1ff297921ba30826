import {toFettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {TypicalTokens} from '../../optimization/typical-tokens.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {openOptimizer, type DecisionContext, type OpenedOptimizer} from './open-optimizer.ts';
import type {MadeChoice} from './thread-choices.ts';

/** Chooses for a thread, which never fails because something was learned wrong or cannot be read. */
export interface ThreadOptimizer {
  /** The first candidate where what was learned cannot be used. */
  select<Action extends string>(candidates: readonly Action[], context: DecisionContext): MadeChoice & {readonly action: Action};
  typicalTokens(decision: string, features: DecisionContext['features']): TypicalTokens | undefined;
  /** Returns why what was learned could not be used, as notices for the person. */
  close(): readonly string[];
}

/** Opens what was learned for the automatic choices of a thread. */
export async function openThreadOptimizer(session: SessionSettings): Promise<ThreadOptimizer> {
  const problems = new Set<string>();
  const orNothing = <Result>(use: () => Result): Result | undefined => {
    try {
      return use();
    } catch (thrown) {
      problems.add(problemText(thrown));
      return undefined;
    }
  };
  const optimizer = await openOptimizer({session}).catch((thrown: unknown): OpenedOptimizer | undefined => {
    problems.add(problemText(thrown));
    return undefined;
  });
  return {
    select(candidates, context) {
      const selected = orNothing(() => optimizer?.select(candidates, context));
      const action = candidates.find((one) => one === selected?.action) ?? candidates[0];
      if (action === undefined) throw new Error('there are no candidates');
      return selected === undefined ? {action, why: UNUSABLE} : {action, why: selected.why, choice: selected.choice};
    },
    typicalTokens: (decision, features) => orNothing(() => optimizer?.typicalTokens(decision, features)),
    close() {
      orNothing(() => optimizer?.close());
      return [...problems];
    },
  };
}

const UNUSABLE = 'the first of the list, since what was learned cannot be used';

/** Returns a notice for the person: why what was learned could not be used. */
export function problemText(thrown: unknown): string {
  const {message, hint} = toFettleError(thrown);
  return visibleText([message, hint].filter((part) => part !== undefined).join(' '));
}
