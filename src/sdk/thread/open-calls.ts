import {createToolCalls, type ToolCalls} from '../../agent/tool-calls.ts';
import {lateDispatcher} from '../../tools/dispatch/late-dispatcher.ts';
import {createOneAtATime} from '../../tools/mutex.ts';
import type {AgentRunner} from '../../tools/ports/agent-runner.ts';
import type {DispatchListener} from '../../tools/dispatch/dispatch.ts';
import type {TodoList} from '../../tools/ports/todo-list.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import {openSubagents} from '../subagents/open-subagents.ts';
import type {SubagentsOptions} from '../subagents/subagents-options.ts';

export interface CallsOptions extends Omit<SubagentsOptions, 'scope'> {
  readonly askUser: AskUser | undefined;
  readonly todos: TodoList;
  /** Called with the subjects of the calls of the thread itself, not of its subagents. */
  readonly onSubjects?: DispatchListener['onSubjects'];
  /** Hooks that run when an agent starts and ends. */
  readonly aroundAgents?: (runner: AgentRunner) => AgentRunner;
}

/** Opens the tool calls of a thread, with the subagents that they may start. Only one approval is asked for at a time, whichever of them needs it. */
export function openCalls({askUser, todos, onSubjects, aroundAgents = asItIs, ...options}: CallsOptions): ToolCalls {
  const context = {...options.dispatcher.context, askUser, todos};
  const dispatcher = {...options.dispatcher, context, asking: createOneAtATime()};
  return createToolCalls({
    emit: options.emit,
    createDispatcher({listener, ...scope}) {
      const agents = aroundAgents(openSubagents({...options, dispatcher, scope}));
      return lateDispatcher({...dispatcher, context: {...context, agents}, listener: {...listener, onSubjects}});
    },
  });
}

function asItIs(runner: AgentRunner): AgentRunner {
  return runner;
}
