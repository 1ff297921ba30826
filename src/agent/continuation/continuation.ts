import type {End, EndVerdict, FinalAnswer} from '../turn-end.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {TodoList} from '../../tools/todo-list.ts';
import {describeCheck, type CheckResult} from './check-result.ts';
import {harnessEvent} from './harness-event.ts';
import {failedCheckText, openItemsText} from './continuation-text.ts';
import type {Check} from './run-check.ts';
import {itemLines, namedChecks, openItems} from './tracker.ts';

export interface ContinuationOptions {
  readonly todos: Pick<TodoList, 'read'>;
  /** Commands that the person has named for the run. */
  readonly commands: readonly string[];
  readonly check: (check: Check, signal: AbortSignal) => Promise<CheckResult>;
  /** Remembers the files of the workspace; what it gives says later whether they are different, true where that is not known. */
  readonly markTree: (signal: AbortSignal) => Promise<(signal: AbortSignal) => Promise<boolean>>;
  /** Writes down what a person has to know to go on, and says how; undefined where it could not be written. */
  readonly handOff: (blocker: Blocker) => Promise<string | undefined>;
  readonly emit: (event: ThreadEvent) => void;
  /** False: the task list is left alone, nothing is sent back, and the commands of the person run once, at the end. */
  readonly continues: () => boolean;
}

/** Why a run cannot go on by itself. */
export interface Blocker {
  readonly outcome: End['outcome'];
  readonly summary: string;
  readonly turnId: string;
  readonly results: readonly CheckResult[];
}

export interface Continuation {
  judge(answer: FinalAnswer, signal: AbortSignal): Promise<EndVerdict>;
  /** Of the newest round of checks, in order; ends with the first that did not pass. */
  readonly results: readonly CheckResult[];
  /** In the newest round every named command has exited with 0, and there was one. */
  readonly isVerified: boolean;
}

/**
 * Accepts an end only when the task list is complete and every named command has really exited with 0 (VT Code architecture ›
 * Continuation). Else the model goes on, within the limits of the run; where nothing has changed since the same objection, or after
 * {@link MAX_FAILURES} tries, the run ends and says why.
 */
export function createContinuation(options: ContinuationOptions): Continuation {
  let results: readonly CheckResult[] = [];
  let isVerified = false;
  let failures = 0;
  let last: Objection | undefined;

  const end = async (answer: FinalAnswer, {outcome, message = '', hint}: End): Promise<End> => {
    const how = await options.handOff({outcome, summary: message, turnId: answer.turnId, results});
    return {outcome, message, hint: [hint, how].filter((part) => part !== undefined).join('\n  ') || TELL};
  };

  const goOn = async (answer: FinalAnswer, objection: Refusal, signal: AbortSignal): Promise<EndVerdict> => {
    const {key, text, message} = objection;
    if (!options.continues()) return {outcome: 'failed', message, hint: LOOK};
    if (answer.objections > 0 && last?.key === key && !(await last.isChanged(signal)))
      return await end(answer, {outcome: 'blocked', message: `${message} Nothing has changed since it was said.`});
    last = {key, isChanged: await options.markTree(signal)};
    options.emit(harnessEvent(answer.turnId, {event: 'continuation_started', message: `going on: ${message}`}));
    return {sendBack: text};
  };

  const failedCheck = async (answer: FinalAnswer, checked: CheckResult, signal: AbortSignal): Promise<EndVerdict> => {
    // The loop sees that itself.
    if (checked.state === 'cancelled') return undefined;
    const message = `${describeCheck(checked)}.`;
    if (checked.state === 'denied')
      return await end(answer, {outcome: 'denied', message: `${message} ${checked.output}`, hint: checked.hint});
    failures = answer.objections === 0 ? 1 : failures + 1;
    if (failures > MAX_FAILURES)
      return await end(answer, {outcome: 'failed', message: `${message} The model could not mend it in ${MAX_FAILURES} tries.`});
    const key = JSON.stringify([checked.command, checked.state, checked.exitCode]);
    return await goOn(answer, {key, text: failedCheckText(checked), message}, signal);
  };

  const runChecks = async (answer: FinalAnswer, commands: readonly string[], signal: AbortSignal): Promise<EndVerdict> => {
    for (const command of commands) {
      const fromPerson = options.commands.includes(command);
      const checked = await options.check({command, fromPerson, turnId: answer.turnId}, signal);
      results = [...results, checked];
      if (checked.state !== 'passed') return await failedCheck(answer, checked, signal);
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
      const open = openItems(todos);
      if (open.length > 0 && open.every(({status}) => status === 'blocked'))
        return await end(answer, {outcome: 'blocked', message: `The model is blocked:\n${itemLines(open)}`});
      if (open.length === 0) return await runChecks(answer, namedChecks(options.commands, todos), signal);
      const message = `The task list has ${open.length} open ${open.length === 1 ? 'item' : 'items'}.`;
      return await goOn(answer, {key: JSON.stringify(open), text: openItemsText(open), message}, signal);
    },
  };
}

/** How often one turn may try to mend what does not pass. */
const MAX_FAILURES = 8;

interface Refusal {
  /** The same for the same objection. */
  readonly key: string;
  readonly text: string;
  readonly message: string;
}

interface Objection {
  readonly key: string;
  readonly isChanged: (signal: AbortSignal) => Promise<boolean>;
}

const LOOK = 'Its output stands in the session: fettle sessions show.';
const TELL = 'Look at what stands in its way, then go on with the session.';
