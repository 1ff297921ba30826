import type {Io} from '../io.ts';
import {existingFolder} from './existing-folder.ts';
import {EXEC_OPTIONS, type OptionFacts} from './option-facts.ts';
import type {ExecOptions} from './run-options.ts';

/**
 * Runs `fettle exec …` without the parser of all commands, which takes a tenth of the time to the first request. Only for a line of known
 * options and plain words; undefined: anything else, and everything that is wrong, is for that parser.
 */
export async function quickExec(argv: readonly string[], io: Io): Promise<number | undefined> {
  const line = readExecLine(argv);
  if (line === undefined) return undefined;
  const {words, options} = line;
  const cwd = await existingFolder(io, options.cwd);
  const {exec} = await import('../commands/exec.ts');
  return await exec({...io, cwd}, words.join(' '), options.cwd === undefined ? options : {...options, cwd});
}

export interface ExecLine {
  readonly words: readonly string[];
  readonly options: ExecOptions;
}

/** Reads what `exec` takes as its parser would; undefined where a line is not as simple as that. */
export function readExecLine([command, ...argv]: readonly string[]): ExecLine | undefined {
  if (command !== 'exec') return undefined;
  const words: string[] = [];
  const found = new Map<string, Value>();
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    const option = OPTIONS.get(token);
    if (!token.startsWith('-')) words.push(token);
    else if (option === undefined || !take(option, option.takesValue ? argv[(at += 1)] : '', found)) return undefined;
  }
  const excluded = [...OPTIONS.values()].some(({key, conflicts}) => conflicts !== undefined && found.has(key) && found.has(conflicts));
  return excluded ? undefined : {words, options: Object.fromEntries(found)};
}

type Value = true | string | readonly string[];

/** False: for the other parser. */
function take({key, takesValue, choices, repeats}: KnownOption, value: string | undefined, found: Map<string, Value>): boolean {
  if (value === undefined || value.startsWith('-') || (takesValue && choices?.includes(value) === false)) return false;
  const earlier = found.get(key);
  if (repeats === true) found.set(key, [...(Array.isArray(earlier) ? (earlier as readonly string[]) : []), value]);
  else found.set(key, takesValue ? value : true);
  return repeats === true || earlier === undefined;
}

interface KnownOption extends OptionFacts {
  /** As the parsed options name it. */
  readonly key: string;
  readonly takesValue: boolean;
}

/** By each of their names. Negated ones are left out: two options make one value. */
const OPTIONS: ReadonlyMap<string, KnownOption> = new Map(
  EXEC_OPTIONS.flatMap((facts) => {
    const [, short, long = '', value] = /^(?:(-\w), )?(--[\w-]+)(?: (<.*>))?$/.exec(facts.flags) ?? [];
    const known: KnownOption = {...facts, key: keyOf(long), takesValue: value !== undefined};
    const names = short === undefined ? [long] : [short, long];
    return long.startsWith('--no-') ? [] : names.map((name) => [name, known] as const);
  }),
);

function keyOf(long: string): string {
  return long.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
