import type {Todo} from '../../tools/ports/todo-list.ts';

/** Returns the items that keep a thread from ending; cancelled ones do not. */
export function openItems(todos: readonly Todo[]): readonly Todo[] {
  return todos.filter(({status}) => status !== 'completed' && status !== 'cancelled');
}

/** Returns the commands that must exit with 0: those of the person, then those of the items in their order, each once. */
export function namedChecks(ofPerson: readonly string[], todos: readonly Todo[]): readonly string[] {
  const ofItems = todos.filter(({status}) => status !== 'cancelled').flatMap(({verify = []}) => verify);
  return [...new Set([...ofPerson, ...ofItems].map((command) => command.trim()).filter((command) => command !== ''))];
}

/** Formats each item as a line `- [ ] text`, for models and files. */
export function itemLines(todos: readonly Todo[]): string {
  return todos.map(({content, status}) => `- ${MARKS[status]} ${content.replaceAll(/\s+/g, ' ').trim()}`).join('\n');
}

/** Formats the whole list as Markdown (VT Code › task tracker: `files:`, `outcome:`, `verify:` below each item). */
export function trackerMarkdown(todos: readonly Todo[]): string {
  const items = todos.map((todo) => [itemLines([todo]), ...details(todo)].join('\n'));
  return `# Tasks\n\n${items.join('\n')}\n`;
}

const MARKS = {pending: '[ ]', in_progress: '[/]', completed: '[x]', cancelled: '[-]', blocked: '[!]'} as const;

function details({files = [], outcome, verify = []}: Todo): string[] {
  return [
    ...(files.length === 0 ? [] : [`  - files: ${files.join(', ')}`]),
    ...(outcome === undefined || outcome === '' ? [] : [`  - outcome: ${outcome.replaceAll(/\s+/g, ' ')}`]),
    ...verify.map((command) => `  - verify: ${command.replaceAll(/\s+/g, ' ')}`),
  ];
}
