import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {headOf} from '../../output/truncate-bytes.ts';
import {askUser} from '../../operations/meta/ask-user.ts';
import {runTask} from '../../operations/agent/run-task.ts';
import {todoList, type TodoResult} from '../../operations/meta/todo.ts';
import {toolSearch} from '../../operations/meta/tool-search.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import * as alias from '../../compat/parameter-aliases.ts';

const described = (text: string) => z.string().check(z.describe(text));

const MAX_FOUND = 5;
/** Longest query that is repeated. */
const MAX_QUERY_BYTES = 200;

const todo = defineTool({
  name: 'todo',
  description: 'Keep a task list for work of three steps or more. todos replaces the whole list; without it the list is shown.',
  input: z.object({
    todos: z.optional(
      z.array(
        z.object({
          content: z.string(),
          status: z.optional(z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'blocked'])),
          verify: z.optional(z.array(z.string()).check(z.describe('commands that must succeed before the run is done'))),
          id: z.optional(z.string()),
          priority: z.optional(z.enum(['low', 'medium', 'high'])),
          files: z.optional(z.array(z.string())),
          outcome: z.optional(z.string()),
        }),
      ),
    ),
    action: z.optional(z.enum(['read', 'write'])),
  }),
  aliases: alias.aliasesOf({todos: ['items', 'tasks', 'list', 'plan']}),
  operation: todoList,
  toArgs: ({todos, action}) => ({
    action: action ?? (todos === undefined ? ('read' as const) : ('write' as const)),
    todos: todos?.map(({id, status, priority, ...item}, index) => ({
      ...item,
      id: id ?? String(index + 1),
      status: status ?? 'pending',
      priority: priority ?? 'medium',
    })),
  }),
  render(result) {
    const done = result.todos.filter(({status}) => status === 'completed').length;
    return {text: todoLines(result), summary: `${done} of ${counted(result.todos.length, 'todo')} done`};
  },
});

const MARKS = {pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]', blocked: '[!]'} as const;

function todoLines({todos}: TodoResult): string {
  return todos.map(todoLine).join('\n') || '(no todos)';
}

function todoLine({status, content, verify = []}: TodoResult['todos'][number]): string {
  return `${MARKS[status]} ${content}${verify.length === 0 ? '' : ` (verify: ${verify.join('; ')})`}`;
}

const ask = defineTool({
  name: 'ask_user',
  description: 'Ask the user when only they can decide: 1-4 questions with 2-4 choices each. A free answer is always offered.',
  input: z.object({
    questions: z.array(
      z.object({
        question: z.string(),
        header: z.optional(described('a word or two')),
        options: z.array(z.object({label: z.string(), description: z.optional(z.string())})),
        multi_select: z.optional(z.boolean()),
      }),
    ),
  }),
  operation: askUser,
  toArgs: ({questions}) => ({
    questions: questions.map(({question, header, options, multi_select: multiSelect}) => ({
      question,
      header: header ?? '',
      options: options.map(({label, description}) => ({label, description: description ?? ''})),
      multiSelect: multiSelect ?? false,
    })),
  }),
  render({answers, cancelled}) {
    const text = answers.map(({question, answer}) => `${question}\n${answer}`).join('\n\n');
    return {
      text: cancelled ? 'The user closed the questions without an answer.' : text,
      summary: cancelled ? 'no answer' : counted(answers.length, 'answer'),
    };
  },
});

const task = defineTool({
  name: 'task',
  description:
    'Give a subagent a task and get its report. It sees only what the task says; explore (the default) only reads, worker also edits.',
  input: z.object({task: z.string(), agent: z.optional(z.string())}),
  aliases: alias.aliasesOf({task: ['prompt', 'message', 'objective'], agent: ['subagent_type', 'agent_name', 'agent_type']}),
  operation: runTask,
  toArgs: ({task: what, agent}) => ({task: what, agent: agent ?? 'explore'}),
  render: ({response, turnsUsed, completed}) => ({
    text: completed ? response : `${response}\n[stopped before it was done, after ${counted(turnsUsed, 'turn')}]`,
    summary: `${counted(turnsUsed, 'turn')}${completed ? '' : ', not completed'}`,
  }),
});

/** The tools of a conversation: its list, its person, its subagents, and the way to all other tools. */
export function sessionTools(deferred: () => Promise<readonly Tool[]>): readonly Tool[] {
  const search = defineTool({
    name: 'tool_search',
    description:
      'More tools exist: patches, search/replace blocks, move, copy, delete, many files at once, background commands, web pages, symbols, editor. Find them by words; then call them by name. If only listed tools can be called, pass name and arguments here.',
    input: z.object({
      query: z.optional(described('words or a name')),
      name: z.optional(described('tool to call')),
      arguments: z.optional(z.looseObject({})),
    }),
    aliases: alias.aliasesOf({query: ['q', 'search', 'keywords', 'pattern', 'select']}),
    operation: toolSearch(deferred),
    toArgs: ({query, name}) => ({query: query ?? name ?? '', limit: MAX_FOUND}),
    render({tools, names}, {query, name}) {
      const found = tools.map((tool) => `${tool.name}: ${tool.description}\n${JSON.stringify(tool.parameters)}`);
      const none = `Nothing fits "${headOf(query ?? name ?? '', MAX_QUERY_BYTES)}". There are: ${names.join(', ')}.`;
      const text = found.length === 0 ? none : `${found.join('\n\n')}\n\nCall them by name.`;
      return {text, summary: counted(found.length, 'tool')};
    },
  });
  return [todo, ask, task, search];
}
