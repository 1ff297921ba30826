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
const NOT_CODE = /\/\*(?:[^]*?\*\/|[^]*)|\/\/.*|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|^[ \t]*#(?:[^\\\n/]|\\[^]|\/(?!\*))*/gmu;
/** Deeper texts are left as they are: each level is looked at by itself. */
const DEEPEST = 60;
const DEFINITION = /^\s*#\s*define\b/u;

/**
 * C with one branch where the branches of an `#if` open or close brackets that stand outside of it: a grammar reads all of them one after the
 * other. What is never compiled (`#if 0`) is left out, too; macros stay. Each character that stays keeps its place.
 */
export function oneBranch(text: string, isCpp: boolean): string {
  const code = text.replaceAll(NOT_CODE, (part) => part.replaceAll(/[^\n]/gu, ' ')).split('\n');
  const lines = {written: text.split('\n'), code, isCpp};
  const open: Branch[][] = [];
  for (const [index, line] of lines.written.entries()) {
    const [, word, condition = ''] = DIRECTIVE.exec(line) ?? [];
    if (word === undefined) continue;
    const group = open.at(-1);
    if (open.length > DEEPEST) return text;
    if (word.startsWith('if')) open.push([{condition: `${word} ${condition}`, from: index, to: index}]);
    else if (group !== undefined) {
      const last = group.at(-1);
      if (last !== undefined) last.to = index;
      if (word === 'endif') choose(lines, open.pop() ?? [], index);
      else group.push({condition: `${word} ${condition}`, from: index, to: index});
    }
  }
  return lines.written.join('\n');
}

function choose(lines: Lines, branches: readonly Branch[], end: number): void {
  const never = ({condition}: Branch): boolean => /^(?:el)?if 0\b/u.test(condition);
  const texts = branches.map((branch) => lines.code.slice(branch.from + 1, branch.to));
  // Of two beginnings of one declaration only the first is kept, too.
  const whole = texts.every((text) => isBalanced(text)) && (texts.length === 1 || texts.every((text) => isComplete(text)));
  if (whole) {
    for (const branch of branches.filter((one) => never(one))) blank(lines, branch.from + 1, branch.to);
    return;
  }
  const kept = branches.find((branch) => !never(branch) && (lines.isCpp || !/^if.*\b__cplusplus\b/u.test(branch.condition)));
  for (const branch of branches) blank(lines, branch.from, branch === kept ? branch.from + 1 : branch.to);
  blank(lines, end, end + 1);
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

/** Ends where a declaration, a statement, or an element of a list may end. */
function isComplete(lines: readonly string[]): boolean {
  const last = lines.findLast((line) => /\S/u.test(line));
  return last === undefined || /[;,:{}]\s*$/u.test(last);
}

function blank({written}: Lines, from: number, to: number): void {
  let isDefinition = false;
  for (let index = from; index < to; index++) {
    const line = written[index] ?? '';
    isDefinition = (isDefinition && written[index - 1]?.endsWith('\\') === true) || DEFINITION.test(line);
    if (!isDefinition) written[index] = line.replaceAll(/\S/gu, ' ');
  }
}
