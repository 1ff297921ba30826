// Looks something up in a JSON file without reading the whole of it into the conversation.
import {readFile, stat} from 'node:fs/promises';
import {defineCustomTool, FettleError, z} from 'fettle/tools';

export const jsonQuery = defineCustomTool({
  description: 'Look up values in a JSON file by a path such as `scripts.test`, `items[0].name` or `dependencies.*`.',
  args: z.object({
    path: z.string().describe('the JSON file'),
    query: z.string().describe('keys with dots, [n] for an element, * for all; empty: the whole value'),
  }),
  result: z.object({matches: z.number(), values: z.string()}),
  config: z.object({
    /** Files above this are refused. */
    max_bytes: z.number().default(20_000_000),
    max_values: z.number().default(50),
  }),
  sideEffect: 'read',
  permissionSubjects: ({path}) => [{path}],
  display: {status: 'Looking up', call: ({path, query}) => `${query} in ${path}`, result: ({matches}) => `${matches} found`},

  async run({path, query}, {workspace, config, signal}) {
    const file = await workspace.resolve(path, {scope: 'any', forWrite: false});
    const {size} = await stat(file.path);
    if (size > config.max_bytes) throw new FettleError({code: 'TOO_LARGE', message: `${path} has ${size} bytes.`});
    const root: unknown = JSON.parse(await readFile(file.path, {encoding: 'utf8', signal}));
    const found = steps(query).reduce<Found[]>((values, step) => values.flatMap((value) => follow(value, step)), [{at: '$', value: root}]);
    if (found.length === 0) throw new FettleError({code: 'NOT_FOUND', message: `${path} has nothing at ${query}.`, hint: keysHint(root)});
    const lines = found.slice(0, config.max_values).map(({at, value}) => `${at} = ${JSON.stringify(value)}`);
    return {matches: found.length, values: lines.join('\n')};
  },

  render: ({matches, values}) =>
    matches > values.split('\n').length ? `${values}\n[${matches} matches in all; narrow the query]` : values,
});

interface Found {
  readonly at: string;
  readonly value: unknown;
}

/** `a.b[0].*` → `a`, `b`, `0`, `*`. */
function steps(query: string): string[] {
  return query
    .replace(/^\$/, '')
    .split(/[.[\]]+/)
    .filter((step) => step !== '');
}

function follow({at, value}: Found, step: string): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const chosen = step === '*' ? entries : entries.filter(([key]) => key === step);
  return chosen.map(([key, inner]) => ({at: Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`, value: inner as unknown}));
}

function keysHint(root: unknown): string {
  if (typeof root !== 'object' || root === null) return 'The file holds a single value.';
  return Array.isArray(root) ? `The file is a list of ${root.length}.` : `At its top: ${Object.keys(root).slice(0, 20).join(', ')}.`;
}
