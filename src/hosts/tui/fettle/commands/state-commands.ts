import type {CompactionReport} from '../../../../context/compaction/context-keeper.ts';
import type {Todo} from '../../../../tools/todo-list.ts';
import type {Conversation} from '../conversation.ts';
import {text, type OwnCommand} from './session-command.ts';

/** Where the session stands. */
export const STATE_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'compact',
    hint: '[WHAT MATTERS]',
    description: 'shorten the conversation now; the log keeps all of it',
    async run({conversation: {thread}}, typed, signal) {
      return text(compacted(await thread.compact(typed === '' ? undefined : typed, signal)));
    },
  },
  {
    name: 'todo',
    description: 'the task list',
    async run({conversation: {thread}}) {
      const todos = thread.todos();
      return todos.length === 0 ? text('There is no task list.') : text(...todos.map(todoLine));
    },
  },
  {
    name: 'plan',
    description: 'the plan of this session',
    run: async ({conversation: {thread}}) => text((await thread.plan()) ?? 'There is no plan. In the mode plan the model writes one.'),
  },
  {
    name: 'skills',
    description: 'what the model can load when it is needed',
    async run({conversation: {thread}}) {
      const {entries, problems} = await thread.commands.list();
      const skills = entries.filter(({kind}) => kind === 'skill').map(({name, description}) => `/${name}  ${description}`);
      return text(...(skills.length === 0 ? ['There are no skills.'] : skills), ...problems);
    },
  },
  {
    name: 'hooks',
    description: 'programs that have a say in what happens',
    async run({conversation}) {
      const lines = hookLines(conversation);
      return lines.length === 0 ? text('There are no hooks.') : text(...lines);
    },
  },
  {
    name: 'memory',
    description: 'what outlives old messages',
    run: async ({conversation: {thread}}) => text(memoryText(await thread.memory())),
  },
  {name: 'cost', description: 'tokens and money', run: async ({conversation}) => text(...costLines(conversation))},
];

/** As a model gets it, without its marks. */
function memoryText(record: string): string {
  const [, , ...lines] = record.split('\n').filter((line) => !/^<\/?session_memory>$/.test(line));
  return lines.join('\n').trim() || 'Nothing yet: it is written while the session goes on, and stands in for messages that were left out.';
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
  if (mode === 'none') return 'There is nothing to shorten yet.';
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
  const price = costUsd === null || costUsd === undefined ? 'The price is not known.' : `$${costUsd.toFixed(4)}`;
  return [
    price,
    `${input.toLocaleString('en')} tokens in (${cached.toLocaleString('en')} from a cache), ${output.toLocaleString('en')} out`,
    `The window of the model takes ${thread.window.tokens.toLocaleString('en')}.`,
  ];
}
