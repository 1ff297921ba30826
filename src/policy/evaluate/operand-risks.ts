import {accessOf, MAX_WORDS} from '../programs/command-paths.ts';
import {normalizedCommand, ruleMatchesCommand} from '../rules/match-command.ts';
import type {ParsedRule} from '../rules/parse-rule.ts';
import {fitsPattern} from '../pattern.ts';
import {isNamed, type ProgramFacts} from '../programs/program-facts.ts';
import {isControlWord} from '../shell/shell-change.ts';
import {readLine} from '../shell/shell-line.ts';
import {pathTexts, pathsOf, type LineFolders} from '../shell/shell-paths.ts';
import {programName, type ShellWord, textAt} from '../shell/shell-word.ts';
import {charge} from '../budget.ts';
import {programFacts} from '../programs/known-programs.ts';
import type {Risk} from '../risks/risk.ts';

interface OperandContext {
  readonly folders: LineFolders;
  /** The deny rules of the tool. */
  readonly denied: readonly ParsedRule[];
}

/**
 * Finds operands and values of options that a rule with a star does not cover, whatever the program does with them: files outside of the
 * workspace (start files in the home folder among them), and, for a program that no table knows, command lines of a program that a deny
 * rule names.
 */
export function operandRisks(words: readonly ShellWord[], context: OperandContext): Risk[] {
  const facts = programFacts(programName(words));
  if (isEvaluatedElsewhere(words, facts)) return [];
  charge(words.length / WORDS_PER_STEP);
  const risks: Risk[] = [];
  for (let index = 1; index < Math.min(words.length, MAX_WORDS); index += 1) {
    const word = words[index];
    if (word === undefined || isText(words, index, facts)) continue;
    const reason =
      leadsOut({words, index, facts}, context.folders) ?? (facts === undefined ? runs(words, index, context.denied) : undefined);
    if (reason !== undefined) risks.push({index, reason});
  }
  return risks;
}

const WORDS_PER_STEP = 2;

/**
 * True for a program known to read, write or print, whose paths are evaluated by that, and for shell builtins and git, which have rules of their
 * own.
 */
function isEvaluatedElsewhere(words: readonly ShellWord[], facts: ProgramFacts | undefined): boolean {
  const name = programName(words);
  return name === '' || name === 'git' || facts?.kind === 'text' || isControlWord(words) || accessOf(words, false) !== 'unknown';
}

/** Options of any program whose value is text for people. */
const TEXTS = '--message --title --body --description --comment --subject --note --notes --summary';

function isText(words: readonly ShellWord[], index: number, facts: ProgramFacts | undefined): boolean {
  const texts = `${TEXTS} ${facts?.texts ?? ''}`;
  const inline = /^(--[\w-]+)=/.exec(textAt(words, index))?.[1];
  return isNamed(texts, inline ?? textAt(words, index - 1));
}

interface WordPlace {
  readonly words: readonly ShellWord[];
  readonly index: number;
  readonly facts: ProgramFacts | undefined;
}

function leadsOut({words, index, facts}: WordPlace, folders: LineFolders): string | undefined {
  const word = words[index];
  if (word === undefined || !MAY_LEAD_OUT.test(word.value ?? word.prefix)) return undefined;
  const isElsewhere = facts?.elsewhere === true && !isLocal(words, index, facts);
  const texts = pathParts(word).filter((text) => !(isElsewhere && text.startsWith('/')));
  const outside = texts.find((text) => pathsOf(text, folders)?.some(({path, inside}) => !inside && !HARMLESS_DEVICE.test(path)));
  return outside === undefined ? undefined : `${outside} is outside the workspace`;
}

const MAY_LEAD_OUT = /[/~]|\.\./;
const HARMLESS_DEVICE = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;

/** `docker compose -f /x`, `--file=/x`, `-f/x`. */
function isLocal(words: readonly ShellWord[], index: number, {local}: ProgramFacts): boolean {
  const [, long, short] = /^(--[\w-]+)=|^(-\w)./.exec(textAt(words, index)) ?? [];
  return isNamed(local, long ?? short ?? textAt(words, index - 1)) || (long === undefined && isNamed(local, textAt(words, index - 1)));
}

/** Returns the word, its value, and the parts after separators in it (`type=bind,src=../x`, `png:../x`, `file:///x`). Addresses are left out. */
function pathParts(word: ShellWord): readonly string[] {
  const text = word.value ?? word.prefix;
  const bare = text.replace(/\b(?:file|sqlite\d?|duckdb):\/{2,}(?=\/)/gi, 'file:').replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;|]*/gi, '');
  const glued = /^-[A-Za-z]{2,6}((?:\.\.\/|~).*)$/s.exec(bare)?.[1];
  const whole = [...(bare === text ? pathTexts(word) : []), ...(glued === undefined ? [] : [glued])];
  const parts = bare.split(/[=:,;|@]/).filter((part) => /^(?:\/|~|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(part));
  return [...new Set([...whole, ...parts])];
}

function runs(words: readonly ShellWord[], index: number, denied: readonly ParsedRule[]): string | undefined {
  const value = textAt(words, index);
  if (RUNNING_OPTION.test(value)) return `the option ${value} may run a program`;
  return index === 1 && RUNNING_COMMAND.test(value) ? `the subcommand ${value} may run a program` : runsDenied(words, index, denied);
}

/** Names with the same meaning in most programs: their value is run or loaded. */
const RUNNING_OPTION =
  /^--?(?:exec(?:ute)?|eval|pager|editor|shell|rsh|require|preload|loader|(?:load-?)?plugins?|post-?renderer|(?:pre|post)-?processor|rules-?dir|init-(?:script|file)|on[A-Z]\w*|on-[a-z-]+|(?:[a-z]+-)*(?:hooks?|cmd|command|exec|program))(?:=|$)/;
const RUNNING_COMMAND = /^(?:exec|eval|repl|shell|x)$/;

/** A value that is read as a command line of a denied program: `--hook 'sudo id'`, `--config alias.x='!sudo id'`, `PROG sudo id`. */
function runsDenied(words: readonly ShellWord[], index: number, denied: readonly ParsedRule[]): string | undefined {
  const value = textAt(words, index);
  charge(denied.length / RULES_A_STEP);
  const bare = value.replaceAll(/[\\'"]/g, '');
  const rules = denied.filter((rule) => {
    const part = longestPart(rule);
    return part !== '' && bare.includes(part);
  });
  if (rules.length === 0) return undefined;
  const isOperand = !value.startsWith('-') && !/^-[^=]+$/.test(textAt(words, index - 1));
  const rule = isOperand && !/\s/.test(value) ? deniedFrom(words, index, rules) : deniedIn(value, rules);
  return rule === undefined ? undefined : `${value} may run what ${rule.rule.text} denies`;
}

const RULES_A_STEP = 5;

/** The longest text that occurs in the name of every program that the rule matches, whatever its stars match. */
function longestPart(rule: ParsedRule): string {
  const known = longestParts.get(rule);
  if (known !== undefined) return known;
  const [program = ''] = rule.words;
  const longest = program.split('*').reduce((most, part) => (part.length > most.length ? part : most), '');
  longestParts.set(rule, longest);
  return longest;
}

const longestParts = new WeakMap<ParsedRule, string>();

/** A single word is a command line together with the words after it. */
function deniedFrom(words: readonly ShellWord[], index: number, rules: readonly ParsedRule[]): ParsedRule | undefined {
  const inner = words.slice(index, index + MAX_INNER_WORDS);
  charge(inner.length * STEPS_AN_INNER_WORD);
  const face = normalizedCommand({text: inner.map(({text}) => text).join(' '), words: inner, repeated: false, via: []});
  return rules.find((rule) => ruleMatchesCommand(rule, face) === 'yes');
}

/** Words after a word that are compared with deny rules. */
const MAX_INNER_WORDS = 32;
const STEPS_AN_INNER_WORD = 3;

function deniedIn(value: string, rules: readonly ParsedRule[]): ParsedRule | undefined {
  for (const line of linesIn(value)) {
    charge(STEPS_A_LINE);
    const programs = readLine(line).commands.flatMap(({words}) => [textAt(words, 0), programName(words)]);
    const found = rules.find(({words: [pattern = '']}) => programs.some((program) => program !== '' && fitsPattern(pattern, program)));
    if (found !== undefined) return found;
  }
  return undefined;
}

const STEPS_A_LINE = 90;

/** The value itself, and the parts after the separators in it; marks in front of a line (`!sudo id`, `|sudo id`) are left out. */
function linesIn(value: string): readonly string[] {
  const starts = [0];
  if (/^-[A-Za-z][^-]/.test(value)) starts.push(2);
  for (const {index} of value.matchAll(/[=:,]/g)) if (starts.length < MAX_STARTS) starts.push(index + 1);
  return starts.map((start) => value.slice(start).replace(/^[!|@:;&\s]+/, '')).filter((line) => line !== '' && !line.startsWith('-'));
}

const MAX_STARTS = 5;
