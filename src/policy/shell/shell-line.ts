import {shellParts, type FileRedirect, type ShellAssignment, type ShellCommand, type UnresolvedPart} from './shell-parts.ts';
import {shellChange} from './shell-change.ts';
import {programName, type ShellWord} from './shell-word.ts';
import {unwrap, type Unwrapped} from '../programs/unwrap.ts';
import {canAfford, withBudget} from '../budget.ts';

/** One command of a line, with its place in the judgement. */
export interface LineCommand extends ShellCommand {
  /** 'plain': needs to be allowed · 'wrapper': the wrapped command is evaluated instead · 'guess': can only be denied. */
  readonly role: 'plain' | 'wrapper' | 'guess';
  /** The wrapper in front of it, with its words: `env FOO=1` of `env FOO=1 npm test`. Absent if the line does not contain these words as such. */
  readonly wrapped?: {readonly words: readonly ShellWord[]} | undefined;
}

interface ShellLine {
  readonly assignments: readonly ShellAssignment[];
  readonly commands: readonly LineCommand[];
  readonly redirects: readonly FileRedirect[];
  readonly unresolved: readonly UnresolvedPart[];
}

/** Longer lines are parsed (a denied part is still found), but nobody could review them: they are asked about. Characters. */
const MAX_SHOWN = 8 * 1024;
/** Still longer ones would cost more time than a decision may take. */
export const MAX_READ = 16 * 1024;
/** Brackets in brackets. */
const MAX_NESTING = 100;
/** `sh -c 'sh -c "…"'`: nobody has a good reason for that. */
const MAX_DEPTH = 6;
/** Commands of a line, including those in wrappers. More are asked about; each of them can still be denied. */
const MAX_COMMANDS = 300;
const MAX_REDIRECTS = 200;
/** Steps for unwrapping one command, not counting its words. */
const STEPS_A_COMMAND = 3;
/** Words of one command that are compared with rules. */
const MAX_WORDS_READ = 1000;

/** Work of reading one line: twice what 300 commands need that a person would write. */
const MAX_STEPS = 3000;

/** Parses a line and unwraps its commands, at any depth. Parts that take too much work are `unresolved`. */
export function readLine(source: string): ShellLine {
  return withBudget(MAX_STEPS, () => readAll(source));
}

function readAll(source: string): ShellLine {
  const line: MutableLine = {assignments: [], commands: [], redirects: [], unresolved: [...strangeCharacters(source.slice(0, MAX_READ))]};
  if (source.length > MAX_READ) {
    line.unresolved.push({text: source.slice(0, 200), via: [], reason: `longer than ${MAX_READ} characters, not read`, hides: 'command'});
    return line;
  }
  if (source.length > MAX_SHOWN)
    line.unresolved.push({text: source.slice(0, 200), via: [], reason: `longer than ${MAX_SHOWN} characters`, hides: 'value'});
  if (nesting(source) > MAX_NESTING) {
    line.unresolved.push({text: source.slice(0, 200), via: [], reason: 'nested too deeply to evaluate', hides: 'command'});
    return line;
  }
  addSource(line, {source, via: []}, 0);
  return line;
}

/** Brackets that are open at once, quoted or not: the parser reads each of them more than once. */
function nesting(source: string): number {
  let [depth, deepest] = [0, 0];
  for (const char of source) {
    if (char === '(' || char === '{' || char === '[') depth += 1;
    else if (depth > 0 && (char === ')' || char === '}' || char === ']')) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** bash 5.2 rewrites the text of a substitution before running it, and loses the separators after `<<E &`. */
function mergesCommands(source: string): boolean {
  if (!/[$<>]\(|`/.test(source)) return false;
  return source.split('\n').some((line) => {
    const at = line.indexOf('<<');
    return at >= 0 && /(?<![&>|<])&(?![&>])/.test(line.slice(at));
  });
}

/** Text that bash parses differently than it looks, with the reason. */
const MISLEADING: readonly {readonly fits: (source: string) => boolean; readonly reason: string}[] = [
  {fits: mergesCommands, reason: 'a here-document before & in a substitution: bash runs what follows together'},
  {fits: readsTwice, reason: 'a here-document in "((", which bash reads first as arithmetic: its text may be run as commands'},
  {fits: (source) => /\$\\\r?\n/.test(source), reason: 'a line break after $'},
  {fits: (source) => /\$\{\w+[%#/^,]+[^}"]*['"]/.test(source), reason: 'quotes in the pattern of a variable'},
  {fits: (source) => /\\\s[<>]\(/.test(source), reason: 'an escaped blank before a substitution'},
  {fits: (source) => /=\([^()]*\)[^\s;&|)<>]/.test(source), reason: 'text that joins a list in brackets'},
];

/** bash takes `((` for arithmetic, finds that it is none, and reads the same text again as two subshells: it has lost the here-document by then. */
function readsTwice(source: string): boolean {
  const withoutSums = source.replaceAll(/\(\([^()\n]*\)\)/g, '');
  const opens = withoutSums.search(/(?<!\$)\(\(/);
  const here = opens < 0 ? -1 : withoutSums.indexOf('<<', opens);
  return here >= 0 && withoutSums.includes('\n', here);
}

interface MutableLine extends ShellLine {
  readonly assignments: ShellAssignment[];
  readonly commands: LineCommand[];
  readonly redirects: FileRedirect[];
  readonly unresolved: UnresolvedPart[];
}

interface LineText {
  readonly source: string;
  readonly via: readonly string[];
}

function addSource(line: MutableLine, {source, via}: LineText, depth: number): void {
  const parts = shellParts(source, via);
  line.assignments.push(...parts.assignments);
  // Kept or dropped: bash is not of one mind.
  if (/(?<!\\)(?:\\\\)*\\$/.test(source))
    line.unresolved.push({text: source.slice(-200), via, reason: 'ends with a backslash', hides: 'value'});
  for (const {fits, reason} of MISLEADING)
    if (fits(source)) line.unresolved.push({text: source.slice(0, 200), via, reason, hides: 'command'});
  line.redirects.push(...parts.redirects);
  line.unresolved.push(...parts.unresolved);
  for (const command of parts.commands) {
    if (line.commands.length < MAX_COMMANDS && canAfford(STEPS_A_COMMAND)) addCommand(line, command, depth);
    else line.commands.push({...command, role: 'guess'});
  }
  if (line.redirects.length > MAX_REDIRECTS) {
    line.unresolved.push({text: source.slice(0, 200), via, reason: `has more than ${MAX_REDIRECTS} redirects`, hides: 'command'});
    line.redirects.length = MAX_REDIRECTS;
  }
  if (!canAfford(0)) line.unresolved.push({text: source.slice(0, 200), via, reason: 'is too complex to evaluate', hides: 'command'});
  if (line.commands.length > MAX_COMMANDS) {
    line.unresolved.push({text: source.slice(0, 200), via, reason: `has more than ${MAX_COMMANDS} commands`, hides: 'command'});
  }
}

function addCommand(line: MutableLine, parsed: ShellCommand & Pick<LineCommand, 'wrapped'>, depth: number): void {
  const command = parsed.words.length > MAX_WORDS_READ ? {...parsed, words: parsed.words.slice(0, MAX_WORDS_READ)} : parsed;
  if (command !== parsed) {
    line.unresolved.push({
      text: parsed.text.slice(0, 200),
      via: parsed.via,
      reason: `has more than ${MAX_WORDS_READ} words`,
      hides: 'command',
    });
  }
  if (programName(command.words) === '' || command.words[0]?.glob === true) {
    line.unresolved.push({
      text: command.text,
      via: command.via,
      reason: 'which program runs is known to the shell alone',
      hides: 'command',
    });
  }
  const change = shellChange(command.words);
  if (change !== undefined) line.unresolved.push({text: command.text, via: command.via, ...change});
  const inner = unwrap(command);
  const added: LineCommand = {...command, role: inner?.transparent === true ? 'wrapper' : 'plain'};
  line.commands.push(added);
  if (inner === undefined) return;
  if (inner.unresolved !== undefined)
    line.unresolved.push({text: command.text, via: command.via, reason: inner.unresolved, hides: 'command'});
  if (depth >= MAX_DEPTH) {
    line.unresolved.push({text: command.text, via: command.via, reason: 'too many commands inside commands', hides: 'command'});
    return;
  }
  addInner(line, {...inner, via: [...command.via, programName(command.words)], outer: added}, depth + 1);
}

type Inner = Unwrapped & {readonly via: readonly string[]; readonly outer: LineCommand};

function addInner(line: MutableLine, inner: Inner, depth: number): void {
  const {via, outer} = inner;
  if (inner.command !== undefined) addCommand(line, {...inner.command, via, wrapped: wrapperOf(inner.command, outer)}, depth);
  if (inner.line !== undefined) addSource(line, {source: inner.line, via}, depth);
  for (const guess of inner.guesses ?? []) line.commands.push({...guess, role: 'guess'});
  for (const text of inner.guessedLines ?? []) if (canAfford(STEPS_A_COMMAND)) addGuessedLine(line, text, depth);
}

/** The words in front of the inner command, those of the wrappers around the wrapper too. */
function wrapperOf(inner: ShellCommand, outer: LineCommand): LineCommand['wrapped'] {
  const count = outer.words.length - inner.words.length;
  const isTail = count > 0 && inner.words.every((word, index) => word === outer.words[count + index]);
  const around = outer.wrapped?.words ?? [];
  return isTail && outer.role === 'wrapper' ? {words: [...around, ...outer.words.slice(0, count)]} : undefined;
}

/** Text that something else may run as a line: all that is in it can be denied, none of it allows or asks. */
function addGuessedLine(line: MutableLine, text: string, depth: number): void {
  const inner: MutableLine = {assignments: [], commands: [], redirects: [], unresolved: []};
  addSource(inner, {source: text, via: []}, depth);
  for (const command of inner.commands.slice(0, MAX_COMMANDS)) line.commands.push({...command, role: 'guess'});
}

/** Controls, blanks that are none for bash, direction marks and invisible characters: the person would see another line than the shell. */
function strangeCharacters(source: string): UnresolvedPart[] {
  const found = STRANGE.exec(source);
  if (found === null) return [];
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return [{text: source.slice(0, 200), via: [], reason: `has an invisible or control character (U+${code})`, hides: 'command'}];
}

// Not U+FE0F, nor U+200D between emoji: they are part of everyday text.
const STRANGE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u180b-\u180f\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|[\u{e0000}-\u{e0fff}]|\p{Cs}/u;
