import type {Todo} from '../../tools/ports/todo-list.ts';
import {describeCheck, type CheckResult} from './check-result.ts';
import {itemLines} from './open-items.ts';

/** Builds the message for a model that answered while items are open. */
export function openItemsText(open: readonly Todo[]): string {
  return `Not finished: the task list has open items.
${itemLines(open.slice(0, MAX_ITEMS))}${open.length > MAX_ITEMS ? `\n… and ${open.length - MAX_ITEMS} more` : ''}

Do them and update the list, then answer again. What you cannot do: mark it blocked and say why.`;
}

const MAX_ITEMS = 30;

/** Builds the message for a model whose work fails a check. */
export function failedCheckText(check: CheckResult): string {
  return `Not verified: ${describeCheck(check)}.
<output>
${check.output.trim()}
</output>

Fix the cause, not the check, then answer again. It is then rerun.`;
}
