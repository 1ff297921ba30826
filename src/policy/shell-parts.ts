import {forEachChild, parse, type Command, type Redirect, type SyntaxNode} from 'unbash';
import {hidesCommand, isMisread} from './misread-word.ts';
import {readWord, unknownWord, type ShellWord} from './shell-word.ts';
import {syntaxRisk, type SyntaxRisk} from './syntax-risks.ts';
import {isSafeVariable} from './variables.ts';

/** A shell line taken apart, at every depth: lists, pipes, groups, loops, functions, substitutions. */
interface ShellParts {
  readonly assignments: readonly ShellAssignment[];
  readonly commands: readonly ShellCommand[];
  readonly redirects: readonly FileRedirect[];
  readonly unclear: readonly Unclear[];
}

export interface ShellCommand {
  /** As it was written, or, for what a wrapper runs, its words. */
  readonly text: string;
  /** The first one names the program. Never empty. */
  readonly words: readonly ShellWord[];
  /** In a loop or function: may run any number of times. */
  readonly repeated: boolean;
  /** What leads to it, from the line inwards: `$(…)`, `loop`, the name of a wrapper. */
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

/** What cannot be known before the line runs. */
export interface Unclear extends SyntaxRisk {
  readonly via: readonly string[];
  readonly text: string;
}

/** Reads a line with a full grammar of bash. Never throws; what it cannot read is in `unclear`. */
export function shellParts(source: string, via: readonly string[] = []): ShellParts {
  const found: Collector = {assignments: [], commands: [], redirects: [], unclear: [], size: 0};
  try {
    visit(parse(source), {source, repeated: false, depth: 0, found, via});
  } catch (thrown) {
    // Ours, or the stack of the parser, which reads recursively.
    if (!(thrown instanceof RangeError)) throw thrown;
    found.unclear.push({text: source, via, reason: 'too long or nested too deeply to be judged', hides: 'command'});
  }
  return found;
}

interface Collector {
  readonly assignments: ShellAssignment[];
  readonly commands: ShellCommand[];
  readonly redirects: FileRedirect[];
  readonly unclear: Unclear[];
  size: number;
}

interface Scope {
  /** The text in which the positions of the nodes count. */
  readonly source: string;
  readonly repeated: boolean;
  readonly depth: number;
  readonly found: Collector;
  readonly via: readonly string[];
}

/** Substitutions in substitutions. */
const MAX_DEPTH = 12;
/** Nodes of the syntax tree. */
const MAX_SIZE = 5000;

function visit(node: SyntaxNode, scope: Scope): void {
  const {found} = scope;
  found.size += 1;
  if (scope.depth > MAX_DEPTH || found.size > MAX_SIZE) throw new RangeError('more than a person would write');
  const inner = enter(node, scope);
  forEachChild(node, (child) => visit(child, inner));
}

function enter(node: SyntaxNode, scope: Scope): Scope {
  const {found} = scope;
  const risk = syntaxRisk(node);
  if (risk !== undefined) found.unclear.push({text: scope.source.slice(node.pos, node.end), via: scope.via, ...risk});
  if (node.type === 'Word' && hidesCommand(node)) found.unclear.push({text: node.text, via: scope.via, ...MISREAD});
  if (node.type === 'Script') return enterScript(node, scope);
  if (node.type === 'Command') collectCommand(node, scope);
  if (node.type === 'Redirect') collectRedirect(node, scope);
  const step = STEPS[node.type];
  const via = step === undefined ? scope.via : [...scope.via, step];
  return REPEATING.has(node.type) ? {...scope, via, repeated: true} : {...scope, via};
}

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
    scope.found.unclear.push({text: source.slice(error.pos), via: scope.via, reason: `cannot be read: ${error.message}`, hides: 'command'});
  }
  return {...scope, source, depth: scope.depth + 1};
}

const MISREAD = {reason: 'a word that bash may read in another way', hides: 'command'} as const;

function collectCommand(command: Command, {source, repeated, found, via}: Scope): void {
  const text = source.slice(command.pos, command.end);
  for (const part of command.prefix) {
    if (part.type === 'Assignment') found.assignments.push({text: part.text, via});
    if (part.type !== 'Assignment' || isSafeVariable(part.name, command.name !== undefined)) continue;
    found.unclear.push({text: part.text, via, reason: `sets ${part.name}, which can change what runs`, hides: 'value'});
  }
  if (command.name === undefined) return;
  const misread = [command.name, ...command.args].find((word) => word.type !== 'Assignment' && isMisread(word));
  if (misread !== undefined) found.unclear.push({text: misread.text, via, ...MISREAD});
  const words = [
    ...readWord(command.name),
    ...command.args.flatMap((arg) => (arg.type === 'Assignment' ? [assignmentWord(arg.text)] : readWord(arg))),
  ];
  if (words.length > 0) found.commands.push({text, words, repeated, via});
}

/** `NAME=value` behind `export` and its kin. */
function assignmentWord(text: string): ShellWord {
  return /[\\'"$`~*?[\]{}]/.test(text)
    ? {...unknownWord(text), prefix: text.slice(0, text.indexOf('=') + 1)}
    : {text, value: text, prefix: text, glob: false};
}

function collectRedirect(redirect: Redirect, {source, found, via}: Scope): void {
  const text = source.slice(redirect.pos, redirect.end);
  const [target, ...more] = redirect.target === undefined ? [] : readWord(redirect.target);
  if (target === undefined || more.length > 0 || (redirect.target !== undefined && isMisread(redirect.target))) {
    found.unclear.push({text, via, reason: 'a redirect whose file is not known', hides: 'value'});
    return;
  }
  const duplicates = redirect.operator === '>&' || redirect.operator === '<&';
  if (duplicates && /^(?:\d+-?|-)$/.test(target.value ?? '')) return;
  found.redirects.push({text, via, target, write: redirect.operator !== '<' && redirect.operator !== '<&'});
}
