import {blanks} from './blanks.ts';
import {NOT_CODE} from './c-directives.ts';

/** A part of a text between `#if`, `#elif`, `#else` and `#endif`: lines from and up to, the latter excluded. */
interface Branch {
  readonly condition: string;
  readonly from: number;
  to: number;
}

interface Lines {
  readonly written: string[];
  /** Without comments, strings and directives. */
  readonly code: readonly string[];
  readonly isCpp: boolean;
}

const DIRECTIVE = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)/u;
/** Deeper texts are left as they are: each level is looked at by itself. */
const DEEPEST = 60;
const DEFINITION = /^\s*#\s*define\b/u;

/**
 * C with one branch where the branches of an `#if` open or close brackets that stand outside of it: a grammar reads all of them one after the
 * other. What is never compiled (`#if 0`) is left out, too; macros stay. Each character that stays keeps its place.
 */
export function oneBranch(text: string, isCpp: boolean): string {
  const code = text.replaceAll(NOT_CODE, (part) => blanks(part)).split('\n');
  const lines = {written: text.split('\n'), code, isCpp};
  const open: Group[] = [];
  let around = '';
  for (const [index, line] of lines.written.entries()) {
    const [, word, condition = ''] = DIRECTIVE.exec(line) ?? [];
    const group = open.at(-1);
    if (open.length > DEEPEST) return text;
    if (word === undefined) around = bracketsBehind(around, code[index] ?? '');
    else if (word.startsWith('if'))
      open.push({branches: [{condition: `${word} ${condition}`, from: index, to: index}], around, behind: ''});
    else if (group !== undefined) {
      nextBranch(group, {condition: `${word} ${condition}`, index, around});
      around = word === 'endif' ? group.behind : group.around;
      if (word === 'endif') choose(lines, group, index);
      if (word === 'endif') open.pop();
    }
  }
  return lines.written.join('\n');
}

/** What stands from an `#if` to its `#endif`. */
interface Group {
  readonly branches: Branch[];
  /** The brackets that are open before it and behind its first branch: `=` is the one of a value. */
  readonly around: string;
  behind: string;
}

interface Next {
  readonly condition: string;
  readonly index: number;
  readonly around: string;
}

function nextBranch(group: Group, {condition, index, around}: Next): void {
  const last = group.branches.at(-1);
  if (last !== undefined) last.to = index;
  if (group.branches.length === 1) group.behind = around;
  if (!condition.startsWith('endif')) group.branches.push({condition, from: index, to: index});
}

/** The brackets that are open behind a line, when these were before it. */
function bracketsBehind(around: string, line: string): string {
  // What begins a line is outside of all of them, whatever went wrong before.
  let open = line.startsWith('}') ? '' : around;
  for (const [piece] of line.matchAll(/=\s*\{|[(){}]/gu)) {
    if (piece === ')' || piece === '}') open = open.slice(0, -1);
    else if (open.length < DEEPEST) open += piece[0] ?? '';
  }
  return open;
}

function choose(lines: Lines, {branches, around}: Group, end: number): void {
  const never = ({condition}: Branch): boolean => /^(?:el)?if 0\b/u.test(condition);
  const texts = branches.map((branch) => lines.code.slice(branch.from + 1, branch.to));
  // Of two beginnings of one declaration only the first is kept, too.
  const isWithin = /[(=]/u.test(around) || texts.some((text) => isBody(text));
  const whole = !isWithin && texts.every((text) => isBalanced(text) && isComplete(text));
  if (whole) {
    for (const branch of branches.filter((one) => never(one))) blank(lines, branch.from + 1, branch.to);
    return;
  }
  const kept = branches.find((branch) => !never(branch) && (lines.isCpp || !/^if.*\b__cplusplus\b/u.test(branch.condition)));
  for (const branch of branches) blank(lines, branch.from, branch === kept ? behindDirective(lines, branch) : branch.to);
  blank(lines, end, end + 1);
}

/** A condition may go on in the next lines. */
function behindDirective({written}: Lines, {from, to}: Branch): number {
  let behind = from + 1;
  while (behind < to && /\\\r?$/u.test(written[behind - 1] ?? '')) behind++;
  return behind;
}

function isBalanced(lines: readonly string[]): boolean {
  let [braces, parentheses] = [0, 0];
  for (const line of lines) {
    for (const sign of line.match(/[(){}]/gu) ?? []) {
      if (sign === '{' || sign === '}') braces += sign === '{' ? 1 : -1;
      else parentheses += sign === '(' ? 1 : -1;
      if (braces < 0 || parentheses < 0) return false;
    }
  }
  return braces === 0 && parentheses === 0;
}

/** `typedef struct a` stands before it. */
function isBody(lines: readonly string[]): boolean {
  return /^\s*\{/u.test(lines.find((line) => /\S/u.test(line)) ?? '');
}

/** Ends where a declaration, a statement, or an element of a list may end; or with a macro on a line of its own. */
function isComplete(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => /\S/u.test(line));
  return last === undefined || /[;,:{}]\s*$|^\s*[A-Z][A-Z\d_]*(?:\([^()]*\))?\s*$/u.test(last);
}

function blank({written}: Lines, from: number, to: number): void {
  let isDefinition = false;
  for (let index = from; index < to; index++) {
    const line = written[index] ?? '';
    isDefinition = (isDefinition && written[index - 1]?.endsWith('\\') === true) || DEFINITION.test(line);
    if (!isDefinition) written[index] = blanks(line);
  }
}
