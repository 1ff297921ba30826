import type {CompactionReport} from '../../../../context/compaction/compaction.ts';
import type {Todo} from '../../../../tools/ports/todo-list.ts';
import type {Conversation} from '../conversation.ts';
import {text, type OwnCommand} from './session-command.ts';

/** Slash commands that show the state of the session. */
export const STATE_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'compact',
    hint: '[WHAT MATTERS]',
    description: 'summarise the conversation to free context; the log keeps all of it',
    async run({conversation: {thread}}, typed, signal) {
      return text(compacted(await thread.compact(typed === '' ? undefined : typed, signal)));
    },
  },
  {
    name: 'todo',
    description: 'show the task list',
    whileWorking: 'always',
    async run({conversation: {thread}}) {
      const todos = thread.todos();
      return todos.length === 0 ? text('No task list yet.') : text(...todos.map(todoLine));
    },
  },
  {
    name: 'plan',
    description: 'show the plan of this session',
    whileWorking: 'always',
    run: async ({conversation: {thread}}) => text((await thread.plan()) ?? 'No plan yet. In plan mode (/mode plan) the model writes one.'),
  },
  {
    name: 'skills',
    description: 'list the skills that the model can load',
    whileWorking: 'always',
    async run({conversation: {thread}}) {
      const {entries, problems} = await thread.commands.list();
      const skills = entries.filter(({kind}) => kind === 'skill').map(({name, description}) => `/${name}  ${description}`);
      return text(...(skills.length === 0 ? ['No skills found.'] : skills), ...problems);
    },
  },
  {
    name: 'hooks',
    description: 'list the hooks in force',
    whileWorking: 'always',
    async run({conversation}) {
      const lines = hookLines(conversation);
      return lines.length === 0 ? text('No hooks configured.') : text(...lines);
    },
  },
  {
    name: 'memory',
    description: 'show the session memory, which survives compaction',
    whileWorking: 'always',
    run: async ({conversation: {thread}}) => text(memoryText(await thread.memory())),
  },
  {
    name: 'cost',
    description: 'show token usage and cost',
    whileWorking: 'always',
    run: async ({conversation}) => text(...costLines(conversation)),
  },
];

/** As a model gets it, without its marks. */
function memoryText(record: string): string {
  const [, , ...lines] = record.split('\n').filter((line) => !/^<\/?session_memory>$/.test(line));
  return lines.join('\n').trim() || 'Empty so far: it grows with the session, and stands in for messages that compaction removes.';
}

const MARKS: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
  blocked: '[!]',
};

function todoLine({content, status}: Todo): string {
  return `${MARKS[status]} ${content}`;
}

function compacted({mode, before, after}: CompactionReport): string {
  if (mode === 'none') return 'Nothing to summarise yet.';
  return `${HOW[mode]}: about ${before.toLocaleString('en')} tokens before, ${after.toLocaleString('en')} now. The log keeps all of it.`;
}

const HOW = {
  trim: 'Old results were left out',
  local: 'The older part was summarised',
  provider: 'The older part was shortened by the provider',
  mechanical: 'The older part was left out without a summary',
} as const;

function hookLines({settings: {settings, trust, trusted}}: Conversation): readonly string[] {
  const own = Object.entries(settings.hooks).map(([event, hooks]) => `${event}  ${hooks.length} in the settings`);
  const files = trust.items.filter(({kind}) => kind === 'hook' || kind === 'middleware');
  return [...own, ...files.map(({path}) => `${path}  ${trusted ? 'of the project' : 'of the project, not trusted: it does not run'}`)];
}

function costLines({facts: {usage, costUsd}, thread}: Conversation): readonly string[] {
  const {input_tokens: input, cached_input_tokens: cached, output_tokens: output} = usage;
  const price = costUsd === null || costUsd === undefined ? 'Cost unknown: no price for this model.' : `$${costUsd.toFixed(4)}`;
  return [
    price,
    `${input.toLocaleString('en')} input tokens (${cached.toLocaleString('en')} cached), ${output.toLocaleString('en')} output tokens`,
    `Context window: ${thread.window.tokens.toLocaleString('en')} tokens`,
  ];
}
