import {listCommands} from '../../src/hosts/tui/fettle/commands/command-table.ts';
import type {ApprovalQuestion} from '../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../src/hosts/tui/model/action.ts';
import {describeRule} from '../../src/policy/rules/describe-rule.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {ThreadItem, ToolOutcome} from '../../src/protocol/items.ts';

/** What happens up to a picture, in order: the seconds that pass, then an action. */
export type Scene = readonly (readonly [seconds: number, action: Action])[];

/** A task, what was looked at, and an edit that waits for its answer. */
export function conversation(): Scene {
  return [
    ...opened(),
    [0, {type: 'submit', text: 'a test of this project fails: find out why and fix it'}],
    ...call({name: 'bash', input: {command: 'node --test'}, seconds: 0.4, outcome: 'error', output: FAILED_TEST, summary: 'exit code 1'}),
    [0.1, started({id: 'thought', type: 'reasoning', text: ''})],
    [2.9, completed({id: 'thought', type: 'reasoning', text: 'The units are joined into a pattern.'})],
    ...call({name: 'grep', input: {pattern: 'UNITS', path: 'src'}, seconds: 0.2, outcome: 'success', output: '', summary: '6 matches'}),
    ...call({name: 'read', input: {path: 'src/parse.js'}, seconds: 0, outcome: 'success', output: '', summary: '19 lines'}),
    [0.5, completed({id: 'cause', type: 'agent_message', text: CAUSE})],
    [0.2, started(invocation({name: 'edit', input: {path: 'src/parse.js'}}))],
    [0.1, {type: 'approval', question: EDIT}],
  ];
}

/** A turn at work: a task list, an answer with code, a subagent, a command with its output, and what is typed ahead. */
export function working(): Scene {
  const tests = invocation({name: 'bash', input: {command: 'npm test'}});
  const output = (delta: string): Action =>
    event({type: 'item.updated', item_id: tests.id, item_type: tests.type, stream: 'stdout', delta});
  return [
    ...opened(),
    [0, {type: 'submit', text: 'add weeks to the durations, with tests'}],
    [1, completed({id: 'todo', type: 'todo_list', items: TODO})],
    [0.5, completed({id: 'plan', type: 'agent_message', text: WEEKS})],
    [0.5, event(REVIEWER)],
    [0.1, started(tests)],
    [1.1, output('✔ format writes the longest units first\n')],
    [0.7, output('✔ parse reads what format wrote\n')],
    ...typed('then update the changelog'),
    [0, {type: 'key', key: {type: 'key', name: 'enter'}}],
    ...typed('and bump the version'),
  ];
}

/** A command with a part that no rule allows, and the rules that would be stored. */
export function asked(): Scene {
  return [
    ...opened(),
    [0, {type: 'submit', text: 'install what the tests need and run them'}],
    [0.2, started(invocation({name: 'bash', input: {command: 'npm ci && npm test'}}))],
    [0.1, {type: 'approval', question: COMMAND}],
  ];
}

/** The commands behind a slash, narrowed by what is typed. */
export async function palette(): Promise<Scene> {
  const commands = await listCommands({commands: {list: async () => ({entries: CUSTOM, problems: []}), task: async () => ''}});
  return [...opened(), [0, {type: 'commands', commands}], ...typed('/co')];
}

function opened(): Scene {
  const info = {
    model: 'anthropic/claude-sonnet-5-5',
    mode: 'ask',
    sandbox: 'workspace-write',
    branch: 'main',
    contextTokens: 18_400,
    contextWindow: 200_000,
  };
  return [[0, {type: 'switched', folder: 'durations', info}]];
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly summary: string;
}

function call({name, input, seconds, outcome, output, summary}: Call): Scene {
  const item = invocation({name, input});
  const ids = {id: `${item.id}:output`, call_id: item.id, tool_call_id: item.id, tool_name: name};
  return [
    [0.1, started(item)],
    [seconds, completed({...item, status: 'completed', outcome})],
    [0, completed({...ids, type: 'tool_output', output, summary, is_error: outcome !== 'success', status: 'completed'})],
  ];
}

function invocation({name, input}: Pick<Call, 'name' | 'input'>): Extract<ThreadItem, {type: 'tool_invocation'}> {
  const id = `${name}-call`;
  return {id, type: 'tool_invocation', tool_name: name, tool_call_id: id, arguments: JSON.stringify(input), status: 'in_progress'};
}

function started(item: ThreadItem): Action {
  return event({type: 'item.started', item});
}

function completed(item: ThreadItem): Action {
  return event({type: 'item.completed', item});
}

function event(one: ThreadEvent): Action {
  return {type: 'event', event: one};
}

function typed(text: string): Scene {
  return Array.from(
    text,
    (letter) => [0, {type: 'key', key: {type: 'key', name: letter === ' ' ? 'space' : letter, text: letter}}] as const,
  );
}

function offered(rule: string): ApprovalQuestion['rules'] {
  return [{rule, meaning: describeRule(rule)}];
}

const FAILED_TEST = '✖ parse reads what format wrote (0.4ms)\n  RangeError: no duration: 1s 250ms\n      at parse (src/parse.js:14:11)';
const CAUSE =
  'In the pattern `m` stands before `ms`, and an alternation takes the **first** name that matches, not the longest. I sort the names where the pattern is made.';
const WEEKS =
  "A week is seven days. The table needs one more entry:\n\n```js\nconst UNITS = [\n  {name: 'w', milliseconds: 7 * DAY}, // longest first\n```\n";

const EDIT: ApprovalQuestion = {
  id: 'edit-call',
  tool: 'edit',
  reason: 'src/parse.js: no rule allows this write',
  subject: [{text: 'write '}, {text: 'src/parse.js'}],
  diffs: [
    {
      path: 'src/parse.js',
      before: 'const NAMES = UNITS.map((unit) => unit.name);\n',
      after: 'const NAMES = UNITS.map((unit) => unit.name).sort(longestFirst);\n',
    },
  ],
  rules: offered('edit:src/parse.js'),
};

const COMMAND: ApprovalQuestion = {
  id: 'bash-call',
  tool: 'bash',
  reason: 'npm ci: no rule allows it',
  subject: [{text: 'npm ci', risky: true}, {text: ' && npm test'}],
  diffs: [],
  rules: offered('bash:npm ci *'),
};

const TODO = [
  {id: '1', content: 'Read how units are defined', status: 'completed', priority: 'high'},
  {id: '2', content: 'Add weeks to the table and to format', status: 'in_progress', priority: 'high'},
  {id: '3', content: 'Tests for parse and format', status: 'pending', priority: 'high'},
] as const satisfies Extract<ThreadItem, {type: 'todo_list'}>['items'];

const REVIEWER: ThreadEvent = {
  type: 'agent.status',
  thread_id: 'thread',
  agent_id: 'reviewer-1',
  agent: 'reviewer',
  child_thread_id: 'child',
  status: 'running',
  run_id: 'run',
  task: 'look for callers that assume days are the longest unit',
};

const CUSTOM = [
  {name: 'commit', description: 'commit what was changed', argumentHint: '[SCOPE]', kind: 'command', source: 'project'},
] as const;
