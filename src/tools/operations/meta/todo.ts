import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';
import {mergedTodos, type Todo} from '../../ports/todo-list.ts';

export const MAX_TODOS = 100;
/** Longest text or id of an item: the list is shown, stored and sent again with each change. */
const MAX_TODO_CHARS = 2000;

/** Most lines of the files and the checks of an item, each. */
const MAX_LINES = 20;

const todo = z.object({
  id: z.string(),
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']),
  priority: z.enum(['low', 'medium', 'high']),
  files: z.optional(z.array(z.string())),
  outcome: z.optional(z.string()),
  /** Commands that must exit with 0. */
  verify: z.optional(z.array(z.string())),
  pinned: z.optional(z.boolean()),
});

const args = z.object({
  action: z.enum(['read', 'write']),
  /** For `write`: the whole new list. */
  todos: z.optional(z.array(todo)),
});

const result = z.object({
  message: z.string(),
  todos: z.array(todo),
});

export type TodoArgs = z.infer<typeof args>;
export type TodoResult = z.infer<typeof result>;

/**
 * Reads the task list of the thread, or replaces it (vibe tool system › Todo Tool) except for the fields that
 * {@link mergedTodos} keeps. An item may have files, an outcome and commands that verify it (VT Code › task
 * tracker). Throws BAD_ARGS without a list to write, for more than 100 items, for one of more than 2,000
 * characters or 20 files or commands, and for a duplicate id; the list is then unchanged.
 */
export const todoList = plainOperation<TodoArgs, TodoResult>({
  id: 'ui.todo',
  permission: 'todo',
  args,
  result,
  sideEffect: 'pure',
  subjects: async () => [],
  serialKey: () => 'todo',
  async *run({action, todos}, ctx) {
    if (action === 'write') {
      const next = checked(mergedTodos(ctx.todos.read(), normalized(todos)));
      ctx.todos.write(next);
      yield {type: 'item', item: {type: 'todo_list', items: [...next]}};
    }
    const list = [...ctx.todos.read()];
    return {message: `${action === 'write' ? 'Updated' : 'Retrieved'} ${list.length} todos`, todos: list};
  },
});

function normalized(todos: TodoArgs['todos']): readonly Todo[] {
  if (todos !== undefined) return todos;
  throw new FettleError({code: 'BAD_ARGS', message: 'No list was given.', hint: 'Give all items in todos.'});
}

function checked(todos: readonly Todo[]): readonly Todo[] {
  if (todos.length > MAX_TODOS) {
    const message = `${todos.length} items are more than the ${MAX_TODOS} that a list may have.`;
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Leave out completed items, or combine small steps.'});
  }
  const long = todos.find((item) => textsOf(item).some((text) => text.length > MAX_TODO_CHARS));
  if (long !== undefined) {
    const message = `The todo ${JSON.stringify(long.id.slice(0, 40))} has more than the ${MAX_TODO_CHARS} characters of an item.`;
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Use one line for each; details belong in a file.'});
  }
  const full = todos.find(({files = [], verify = []}) => Math.max(files.length, verify.length) > MAX_LINES);
  if (full !== undefined) {
    const message = `The todo ${JSON.stringify(full.id.slice(0, 40))} has more than the ${MAX_LINES} files or commands of an item.`;
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Split it into several items.'});
  }
  const ids = todos.map(({id}) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return todos;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `The id ${JSON.stringify(twice)} is used twice.`,
    hint: 'Give each item an id of its own.',
  });
}

function textsOf({id, content, outcome = '', files = [], verify = []}: Todo): readonly string[] {
  return [id, content, outcome, ...files, ...verify];
}
