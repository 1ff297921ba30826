import {forEachChild, parse, type Assignment, type Command, type Redirect, type SyntaxNode, type Word} from 'unbash';
import {hidesCommand, isAmbiguous} from './ambiguous-word.ts';
import {listedFiles} from '../programs/listed-files.ts';
import {withLoop, loopCases, type LoopValues} from './loop-values.ts';
import {readsData, readSubstitution} from './data-substitution.ts';
import {numericVariables} from './numeric-variables.ts';
import {programName, readWord, type ShellWord, unknownWord} from './shell-word.ts';
import {syntaxRisk, type SyntaxRisk} from './unresolved-syntax.ts';
import {isSafeVariable} from './variables.ts';
import {charge} from '../budget.ts';

/** A shell line taken apart, at every depth: lists, pipes, groups, loops, functions, substitutions. */
interface ShellParts {
  readonly assignments: readonly ShellAssignment[];
  readonly commands: readonly ShellCommand[];
  readonly redirects: readonly FileRedirect[];
  readonly unresolved: readonly UnresolvedPart[];
}

export interface ShellCommand {
  /** The original text, or the words of a command that a wrapper runs. */
  readonly text: string;
  /** The first one names the program. Never empty. */
  readonly words: readonly ShellWord[];
  /** Files whose names the previous command writes into its input, each followed by a NUL. */
  readonly input?: readonly ShellWord[] | undefined;
  /** In a loop or function: may run any number of times. */
  readonly repeated: boolean;
  /** Path to the command, from the line inwards: `$(…)`, `loop`, the name of a wrapper. */
  readonly via: readonly string[];
}

export interface ShellAssignment {
  readonly text: string;
  readonly via: readonly string[];
}

export interface FileRedirect {
  readonly via: readonly string[];
  readonly text: string;
  readonly target: ShellWord;
  readonly write: boolean;
}

/** A part that cannot be known before the line runs. */
export interface UnresolvedPart extends SyntaxRisk {
  readonly via: readonly string[];
  readonly text: string;
}

/** Reads a line with a full grammar of bash. Never throws; parts it cannot read are in `unresolved`. */
export function shellParts(source: string, via: readonly string[] = []): ShellParts {
  const found = collected(source, via, true);
  // A declaration can name a variable in more ways than a search for its name finds.
  const declares = found.commands.some(({words}) => words.some(({value}) => DECLARES.has(value ?? '')));
  return found.resolved && declares ? collected(source, via, false) : found;
}

const DECLARES: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly', 'eval']);

function collected(source: string, via: readonly string[], resolves: boolean): Collector {
  const found: Collector = {
    assignments: [],
    commands: [],
    redirects: [],
    unresolved: [],
    data: new Set(),
    size: 0,
    resolves,
    resolved: false,
  };
  try {
    charge(source.length / CHARS_A_STEP);
    if (hereDocuments(source) > MAX_HERE_DOCUMENTS) throw new RangeError('the parser looks at each of them from each');
    const script = parse(source);
    const numeric = numericVariables(script, source);
    visit(script, {source, repeated: false, depth: 0, found, via, numeric, loops: new Map(), inputs: new Map()});
  } catch (thrown) {
    // Ours, the end of the work that a decision may cost, or the stack of the parser, which reads recursively.
    if (!(thrown instanceof RangeError)) throw thrown;
    found.unresolved.push({text: source, via, reason: 'too long or nested too deeply to evaluate', hides: 'command'});
  }
  return found;
}

function hereDocuments(source: string): number {
  return source.split('<<', MAX_HERE_DOCUMENTS + 2).length - 1;
}

const MAX_HERE_DOCUMENTS = 400;
/** Characters that the parser reads in one step. */
const CHARS_A_STEP = 20;

interface Collector {
  readonly assignments: ShellAssignment[];
  readonly commands: ShellCommand[];
  readonly redirects: FileRedirect[];
  readonly unresolved: UnresolvedPart[];
  /** Substitutions whose output is only read. */
  readonly data: Set<SyntaxNode>;
  size: number;
  /** True if loop variables may be substituted; `resolved` is true if one was. */
  readonly resolves: boolean;
  resolved: boolean;
}

interface Scope {
  /** The text in which the positions of the nodes count. */
  readonly source: string;
  readonly repeated: boolean;
  readonly depth: number;
  readonly found: Collector;
  readonly via: readonly string[];
  /** Variables that hold numbers. */
  readonly numeric: ReadonlySet<string>;
  /** Variables of the loops around, where their values are known. */
  readonly loops: LoopValues;
  /** Input words of the commands in the pipeline. */
  readonly inputs: ReadonlyMap<SyntaxNode, readonly ShellWord[]>;
}

/** Substitutions in substitutions. */
const MAX_DEPTH = 12;
/** Nodes of the syntax tree. */
const MAX_SIZE = 5000;

function visit(node: SyntaxNode, scope: Scope): void {
  const {found} = scope;
  found.size += 1;
  charge(1);
  if (scope.depth > MAX_DEPTH || found.size > MAX_SIZE) throw new RangeError('more than a person would write');
  const inner = enter(node, scope);
  forEachChild(node, (child) => visit(child, inner));
}

function enter(node: SyntaxNode, scope: Scope): Scope {
  const {found} = scope;
  collectRisks(node, scope);
  if (node.type === 'Script') return enterScript(node, scope);
  if (node.type === 'Command') collectCommand(node, scope);
  if (node.type === 'Redirect') {
    if (node.operator === '<' && node.target !== undefined) addData(node.target, scope);
    collectRedirect(node, scope);
  }
  const step = STEPS[node.type];
  const inner = step === undefined ? scope : {...scope, via: [...scope.via, step]};
  if (node.type === 'For' && found.resolves) return {...inner, repeated: true, loops: withLoop(node, scope.source, scope.loops)};
  if (node.type === 'Pipeline') return {...inner, inputs: inputsOf(node.commands)};
  return REPEATING.has(node.type) ? {...inner, repeated: true} : inner;
}

function collectRisks(node: SyntaxNode, scope: Scope): void {
  const risk = syntaxRisk(node, scope.numeric);
  if (risk !== undefined && !scope.found.data.has(node)) addUnresolved(node, scope, risk);
  if (scope.depth > 1 && isTimedCompound(node)) addUnresolved(node, scope, TIMED_COMPOUND);
  if (node.type === 'Word' && hidesCommand(node)) addUnresolved(node, scope, MISREAD);
}

function addUnresolved(node: SyntaxNode, {source, via, found}: Scope, risk: SyntaxRisk): void {
  found.unresolved.push({text: source.slice(node.pos, node.end), via, ...risk});
}

/** Behind `$(time` bash 5.2 takes `case`, `{`, `if` for programs, so the substitution ends elsewhere: at the first `)` of the patterns. */
function isTimedCompound(node: SyntaxNode): boolean {
  return (
    node.type === 'Pipeline' &&
    (node.prefixes ?? []).some(({type}) => type === 'Time') &&
    node.commands.some(({type}) => type !== 'Command')
  );
}

const TIMED_COMPOUND = {
  reason: 'times more than one command in a substitution, which bash reads in another way',
  hides: 'command',
} as const;

function isStderr({descriptor}: Redirect): boolean {
  return descriptor?.type === 'FileDescriptor' && descriptor.value === 2;
}

/** `find … -print0 | xargs -0 …`: the commands that get names of files. */
function inputsOf(commands: readonly SyntaxNode[]): ReadonlyMap<SyntaxNode, readonly ShellWord[]> {
  const inputs = new Map<SyntaxNode, readonly ShellWord[]>();
  for (const [index, command] of commands.slice(0, MAX_PIPED).entries()) {
    const before = commands[index - 1];
    if (before?.type !== 'Command' || command.type !== 'Command' || before.name === undefined || before.prefix.length > 0) continue;
    if (command.redirects.length > 0 || before.redirects.some((redirect) => redirect.type !== 'Redirect' || !isStderr(redirect))) continue;
    const files = listedFiles(wordsOf(before, UNRESOLVED));
    if (files !== undefined) inputs.set(command, files);
  }
  return inputs;
}

/** Most commands of a pipeline; the input of those after them is unknown. */
const MAX_PIPED = 50;

/** The syntax that leads to other commands, as it is shown to a person. */
const STEPS: Readonly<Partial<Record<SyntaxNode['type'], string>>> = {
  CommandExpansion: '$(…)',
  ProcessSubstitution: '<(…)',
  Subshell: '(…)',
  Function: 'function',
  For: 'loop',
  Select: 'loop',
  While: 'loop',
  ArithmeticFor: 'loop',
  Coproc: 'coproc',
  HereDocBody: 'here-document',
};

const REPEATING: ReadonlySet<string> = new Set(['Function', 'For', 'Select', 'While', 'ArithmeticFor']);

function enterScript(script: Extract<SyntaxNode, {type: 'Script'}>, scope: Scope): Scope {
  const source = script.source ?? scope.source;
  for (const error of script.errors ?? []) {
    scope.found.unresolved.push({
      text: source.slice(error.pos),
      via: scope.via,
      reason: `cannot be read: ${error.message}`,
      hides: 'command',
    });
  }
  return {...scope, source, depth: scope.depth + 1};
}

const MISREAD = {reason: 'a word that bash may read in another way', hides: 'command'} as const;

function collectCommand(command: Command, {source, repeated, found, via, loops, inputs}: Scope): void {
  const text = source.slice(command.pos, command.end);
  for (const part of command.prefix) {
    if (part.type === 'Assignment') found.assignments.push({text: part.text, via});
    if (part.type !== 'Assignment' || isSafeVariable(part.name, command.name !== undefined, assignedText(part))) continue;
    // `IFS= read -r line`: for this builtin alone.
    if (part.name === 'IFS' && command.name?.value === 'read') continue;
    found.unresolved.push({text: part.text, via, reason: `sets ${part.name}, which can change what runs`, hides: 'value'});
  }
  if (command.name === undefined) return;
  noteData(command, {source, found});
  const misread = [command.name, ...command.args.slice(0, MAX_ARGS)].find((word) => word.type !== 'Assignment' && isAmbiguous(word));
  if (misread !== undefined) found.unresolved.push({text: misread.text, via, ...MISREAD});
  if (command.args.length > MAX_ARGS)
    found.unresolved.push({text: text.slice(0, 200), via, reason: `has more than ${MAX_ARGS} words`, hides: 'command'});
  collectWords(command, {text, repeated, found, via, loops, inputs});
}

/** The value of a plain assignment, if it is known. */
function assignedText({value, append, index}: Assignment): string | undefined {
  if (value.type !== 'Word' || append === true || index !== undefined) return undefined;
  const [word, ...more] = readWord(value);
  return more.length > 0 || word?.glob === true ? undefined : word?.value;
}

/** `diff <(a) <(b)`: the commands inside are evaluated, and their output is data. */
function noteData({name, args}: Command, scope: Pick<Scope, 'source' | 'found'>): void {
  const program = name === undefined ? '' : programName(readWord(name));
  for (const [index, word] of args.slice(0, MAX_ARGS).entries()) {
    if (word.type !== 'Assignment' && readsData(program, args[index - 1]?.text ?? '')) addData(word, scope);
  }
}

/** Not where something is glued to it: for bash that is one word, and another file. */
function addData(word: Word, {source, found}: Pick<Scope, 'source' | 'found'>): void {
  const part = readSubstitution(word);
  const isAlone =
    /(?<!\\)\s$/.test(source.slice(Math.max(0, word.pos - 2), word.pos)) &&
    /^(?:$|[\s;&|)]|[<>](?!\())/.test(source.slice(word.end, word.end + 2));
  if (part !== undefined && isAlone) found.data.add(part);
}

function collectWords(
  command: Command,
  {text, repeated, found, via, loops, inputs}: Omit<Scope, 'source' | 'depth' | 'numeric'> & {readonly text: string},
): void {
  for (const values of found.commands.length < MAX_RESOLVED ? loopCases(text, loops) : [UNRESOLVED]) {
    found.resolved ||= values.size > 0;
    const words = wordsOf(command, values);
    charge(words.length / WORDS_PER_STEP);
    const shown = values.size === 0 ? text : words.map((word) => word.value ?? word.text).join(' ');
    if (words.length > 0) found.commands.push({text: shown, words, repeated, via, input: inputs.get(command)});
  }
}

/** Commands of a line up to which variables of loops are put in. */
const MAX_RESOLVED = 80;
const UNRESOLVED: ReadonlyMap<string, ShellWord> = new Map();

/** Words of a command that are read: more than are ever compared with rules. */
const MAX_ARGS = 1024;
const WORDS_PER_STEP = 4;

function wordsOf({name, args}: Command, values: ReadonlyMap<string, ShellWord>): ShellWord[] {
  const rest = args.slice(0, MAX_ARGS).flatMap((arg) => (arg.type === 'Assignment' ? [assignmentWord(arg.text)] : readWord(arg, values)));
  return name === undefined ? [] : [...readWord(name, values), ...rest];
}

/** `NAME=value` after `export` and the like. */
function assignmentWord(text: string): ShellWord {
  return /[\\'"$`~*?[\]{}]/.test(text)
    ? {...unknownWord(text), prefix: text.slice(0, text.indexOf('=') + 1)}
    : {text, value: text, prefix: text, glob: false};
}

function collectRedirect(redirect: Redirect, {source, found, via}: Scope): void {
  const text = source.slice(redirect.pos, redirect.end);
  const [target, ...more] = redirect.target === undefined ? [] : readWord(redirect.target);
  if (target === undefined || more.length > 0 || isMisreadTarget(redirect)) {
    found.unresolved.push({text, via, reason: 'a redirect whose file is not known', hides: 'value'});
    return;
  }
  if (redirect.operator !== '>&' && redirect.operator !== '<&') {
    found.redirects.push({text, via, target, write: redirect.operator !== '<'});
    return;
  }
  if (/^(?:\d+-?|-)$/.test(target.value ?? '')) return;
  if (!PLAIN_FILE.test(target.value ?? '')) found.unresolved.push({text, via, ...MISREAD});
  found.redirects.push({text, via, target, write: redirect.operator === '>&'});
}

/**
 * bash expands the word after `>&` twice: `>&'$(id)'` runs a program, `>&'~/x'` leaves the folder; and it ends the word after the dash of
 * `2>&-x`.
 */
const PLAIN_FILE = /^[\w./@%+=:,][\w./@%+=:,-]*$/;

function isMisreadTarget({target}: Redirect): boolean {
  return target !== undefined && isAmbiguous(target);
}
