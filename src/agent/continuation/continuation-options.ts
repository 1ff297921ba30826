import type {ThreadEvent} from '../../protocol/events.ts';
import type {TodoList} from '../../tools/ports/todo-list.ts';
import type {TurnEnd} from '../turn-end.ts';
import type {CheckResult} from './check-result.ts';
import type {Check} from './run-check.ts';

/** The task list, the checks and the limits that decide whether a run goes on or ends. */
export interface ContinuationOptions {
  readonly todos: Pick<TodoList, 'read'>;
  /** Commands that the person has named for the run. */
  readonly commands: readonly string[];
  readonly check: (check: Check, signal: AbortSignal) => Promise<CheckResult>;
  /** Records the files of the workspace; the returned function returns later whether they differ, or true if that is unknown. */
  readonly snapshotTree: (signal: AbortSignal) => Promise<(signal: AbortSignal) => Promise<boolean>>;
  /** Writes the hand-off: how a person can continue; undefined if it could not be written. */
  readonly handOff: (blocker: Blocker) => Promise<string | undefined>;
  readonly emit: (event: ThreadEvent) => void;
  /** False if the model has no tool with which to tick items off. */
  readonly hasList: boolean;
  /** False: the task list is ignored, no answer is sent back, and the commands of the person run once, at the end. */
  readonly continues: () => boolean;
}

/** The reason why a run cannot go on by itself. */
export interface Blocker {
  readonly outcome: TurnEnd['outcome'];
  readonly summary: string;
  /** undefined: the turn is over. */
  readonly turnId: string | undefined;
  readonly results: readonly CheckResult[];
}
