import type {TodoListItem} from '../../protocol/items.ts';

export type Todo = TodoListItem['items'][number];

/** The task list of a thread: the steps that a model plans, and its progress. */
export interface TodoList {
  read(): readonly Todo[];
  /** Replaces the whole list. */
  write(todos: readonly Todo[]): void;
}

/** @param todos the list as a resumed thread left it. */
export function createTodoList(todos: readonly Todo[] = []): TodoList {
  let current = todos;
  return {
    read: () => current,
    write: (next) => void (current = next),
  };
}

/**
 * Merges a model's new list into the old one. Files, outcome and checks that it does not repeat stay with their
 * item: a model that rewrites the list to complete an item loses none of them. Pinned items keep their text and
 * checks; a pinned item that is left out or cancelled stays in the list, open.
 */
export function mergedTodos(before: readonly Todo[], written: readonly Todo[]): readonly Todo[] {
  const taken = new Set<Todo>();
  const merged = written.map((item) => {
    const earlier = before.find((old) => !taken.has(old) && (old.content === item.content || (old.pinned === true && old.id === item.id)));
    if (earlier === undefined) return item;
    taken.add(earlier);
    return earlier.pinned === true ? pinnedAs(earlier, item.status) : {...facts(earlier), ...item};
  });
  const left = before.filter((old) => old.pinned === true && !taken.has(old));
  return [...merged, ...left];
}

/** A model must not cancel an item that it was given. */
function pinnedAs(item: Todo, status: Todo['status']): Todo {
  return {...item, status: status === 'cancelled' ? 'blocked' : status};
}

function facts({files, outcome, verify}: Todo): Pick<Todo, 'files' | 'outcome' | 'verify'> {
  return {
    ...(files === undefined ? {} : {files}),
    ...(outcome === undefined ? {} : {outcome}),
    ...(verify === undefined ? {} : {verify}),
  };
}
