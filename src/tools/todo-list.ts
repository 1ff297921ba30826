import type {TodoListItem} from '../protocol/items.ts';

export type Todo = TodoListItem['items'][number];

/** The task list of a thread: what a model plans and how far it is. */
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
