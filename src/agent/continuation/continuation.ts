import type {EndVerdict, FinalAnswer} from '../turn-end.ts';
import type {CheckResult} from './check-result.ts';
import type {ContinuationOptions} from './continuation-options.ts';
import {createRejectionLog} from './send-back-or-block.ts';
import {openItemsText} from './continuation-text.ts';
import {itemLines, namedChecks, openItems} from './open-items.ts';

export interface Continuation {
  judge(answer: FinalAnswer, signal: AbortSignal): Promise<EndVerdict>;
  /** Results of the newest round of checks, in order; ends with the first that did not pass. */
  readonly results: readonly CheckResult[];
  /** True if in the newest round every named command has exited with 0, and there was at least one. */
  readonly isVerified: boolean;
}

/**
 * Accepts an end only when the task list is complete and every named command has really exited with 0 (VT Code
 * architecture › Continuation). Otherwise the model goes on, within the limits of the run. If nothing has
 * changed since the same rejection, or after eight attempts to fix a failure, the run ends with the reason.
 */
export function createContinuation(options: ContinuationOptions): Continuation {
  let results: readonly CheckResult[] = [];
  let isVerified = false;
  const rejections = createRejectionLog({...options, results: () => results});

  const runChecks = async (answer: FinalAnswer, commands: readonly string[], signal: AbortSignal): Promise<EndVerdict> => {
    for (const command of commands) {
      const fromPerson = options.commands.includes(command);
      const checked = await options.check({command, fromPerson, turnId: answer.turnId}, signal);
      results = [...results, checked];
      if (checked.state !== 'passed') return await rejections.checkFailed(answer, checked, signal);
    }
    isVerified = commands.length > 0;
    return undefined;
  };

  return {
    get results() {
      return results;
    },
    get isVerified() {
      return isVerified;
    },
    async judge(answer, signal) {
      results = [];
      isVerified = false;
      const todos = options.continues() ? options.todos.read() : [];
      const open = options.hasList ? openItems(todos) : [];
      if (open.length === 0) return await runChecks(answer, namedChecks(options.commands, todos), signal);
      if (open.every(({status}) => status === 'blocked'))
        return await rejections.end(answer, {outcome: 'blocked', message: `The model is blocked:\n${itemLines(open)}`});
      const message = `The task list has ${open.length} open ${open.length === 1 ? 'item' : 'items'}.`;
      return await rejections.object(answer, {key: JSON.stringify(open), text: openItemsText(open), message}, signal);
    },
  };
}
