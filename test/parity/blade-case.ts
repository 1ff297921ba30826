import type {DispatchResult} from '../../src/tools/dispatch/dispatch.ts';

/** One promise of "zblade tool calls" about a tool: what is called, and what comes of it. The parity table is made from these rows. */
export interface BladeCase {
  readonly tool: string;
  /** The parameter that the row is about; '-': the tool as a whole. */
  readonly parameter: string;
  readonly what: 'required' | 'alias' | 'default' | 'cap' | 'value' | 'refused' | 'result';
  /** The words of the seed that the row proves. */
  readonly seed: string;
  readonly args: object;
  /** Calls before it, on the same files. */
  readonly before?: readonly (readonly [string, object])[];
  /** What the model is shown (folder names, times and process ids replaced), or what `pick` takes out of the result. */
  readonly expect: unknown;
  readonly pick?: (result: DispatchResult) => unknown;
  /** What a file holds afterwards; null: it is gone. */
  readonly file?: readonly [string, string | null];
  /** Instead of the real ones: a search that runs out of time, a subagent that repeats its limits. */
  readonly stub?: 'slow search' | 'agents';
}

type Row = Omit<BladeCase, 'tool' | 'seed' | 'parameter' | 'what'>;

/** Rows of one section of the seed. */
export function rowsOf(tools: readonly string[], seed: string) {
  return (parameter: string, what: BladeCase['what'], row: Row): readonly BladeCase[] =>
    tools.map((tool) => ({tool, parameter, what, seed, ...row}));
}

/** The same call with each spelling of one parameter. */
export function spelledAs(make: ReturnType<typeof rowsOf>, parameter: string, {names, ...row}: Row & {readonly names: readonly string[]}) {
  return names.flatMap((name) => {
    const args = Object.fromEntries(Object.entries(row.args).map(([key, value]) => [key === parameter ? name : key, value]));
    return make(parameter, 'alias', {...row, args});
  });
}

/** The files that every row starts with. */
export const BLADE_FILES: Readonly<Record<string, string>> = {
  'src/main.rs': 'fn main() {\n    hello();\n}\n',
  'src/ten.txt': Array.from({length: 10}, (_, index) => `line ${index + 1}\n`).join(''),
  'src/deep/er/leaf.ts': 'export const leaf = 1;\n',
  'docs/Notes.md': 'needle in docs\n',
  'docs/empty.md': '',
  'node_modules/dep/index.js': 'needle in dep\n',
  'vendor/v.go': 'needle in vendor\n',
  '.hidden/h.txt': 'hidden\n',
  '.gitignore': 'node_modules\nignored.log\n',
  'ignored.log': 'needle ignored\n',
  '.zblade/context/project_index.md': `# Project Index: demo\n${'😀'.repeat(13_000)}`,
};

/** 510 files for the limits of lists, kept apart: most rows do not need them. */
export const MANY_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({length: 510}, (_, index) => [`many/f${String(index).padStart(3, '0')}.txt`, `word ${index}\n`]),
);
