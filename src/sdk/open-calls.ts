import {createToolCalls, type ToolCalls} from '../agent/tool-calls.ts';
import {createDispatcher} from '../tools/dispatcher.ts';
import {createOneAtATime} from '../tools/one-at-a-time.ts';
import {createTodoList, type Todo} from '../tools/todo-list.ts';
import type {AskUser} from '../tools/user-questions.ts';
import {openSubagents, type SubagentsOptions} from './open-subagents.ts';

export interface CallsOptions extends Omit<SubagentsOptions, 'scope'> {
  readonly askUser: AskUser | undefined;
  /** The task list as a resumed session left it. */
  readonly todos: readonly Todo[];
}

/** The tool calls of a thread, with the subagents that they may start: one permission is asked for at a time, whoever needs it. */
export function openCalls({askUser, todos, ...options}: CallsOptions): ToolCalls {
  const context = {...options.dispatcher.context, askUser, todos: createTodoList(todos)};
  const dispatcher = {...options.dispatcher, context, asking: createOneAtATime()};
  return createToolCalls({
    emit: options.emit,
    createDispatcher({listener, ...scope}) {
      const agents = openSubagents({...options, dispatcher, scope});
      return createDispatcher({...dispatcher, context: {...context, agents}, listener});
    },
  });
}
