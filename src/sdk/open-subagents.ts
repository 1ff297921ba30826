import {TASK_FAMILY} from '../agent/agent-profiles.ts';
import {createAgentRunner, NO_FURTHER_AGENTS, type AgentRunnerOptions} from '../agent/subagent.ts';
import {advertisedTools} from '../tools/advertised-tools.ts';
import type {AgentRunner} from '../tools/agent-runner.ts';
import {createDispatcher} from '../tools/dispatcher.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import {createFileMemory} from '../tools/file-memory.ts';
import {restrictToolset} from '../tools/restrict-toolset.ts';
import {toolSchemas} from '../tools/schema.ts';
import {createTodoList} from '../tools/todo-list.ts';

export interface SubagentsOptions extends Omit<AgentRunnerOptions, 'toolsFor'> {
  /** Of the thread: subagents share its permissions, its person and the one question at a time. */
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
}

/** The subagents of a thread: some of its tools, on the same folder. What they read and plan is their own; nobody's editor moves. */
export function openSubagents({dispatcher, ...runner}: SubagentsOptions): AgentRunner {
  return createAgentRunner({
    ...runner,
    toolsFor(profile) {
      // A tool that starts subagents can be called, so that the answer is why it does not; models are not told of it.
      const toolset = restrictToolset(dispatcher.toolset, (tool) => profile.allows(tool) || tool.permission === TASK_FAMILY);
      const context = {
        ...dispatcher.context,
        files: createFileMemory(),
        todos: createTodoList(),
        agents: NO_FURTHER_AGENTS,
        editor: undefined,
        askUser: undefined,
      };
      const shown = restrictToolset(toolset, (tool) => profile.allows(tool));
      return {
        // Short tasks: not worth the words that tools made of other tools cost.
        schemas: toolSchemas({tools: advertisedTools(shown, {model: runner.provider.model, compositeTools: false, hasPerson: false})}),
        createDispatcher: (listener) => createDispatcher({...dispatcher, toolset, context, listener}),
      };
    },
  });
}
