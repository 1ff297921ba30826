/**
 * Returns true for an awk program that only computes and prints: it calls nothing that runs, reads or writes something else, no `print` is
 * redirected, and no variable reveals the environment. Text in strings and expressions does not count. False for syntax that awks read
 * differently, and for everything that is not understood here (POSIX › awk, gawk(1)).
 */
export function isPlainAwk(program: string): boolean {
  const state: State = {operand: true, prints: false, brackets: []};
  for (let at = 0; at < program.length;) {
    const length = next(program.slice(at), state);
    if (length === undefined) return false;
    at += length;
  }
  return program !== '';
}

interface State {
  /** A value is expected next, so a slash begins an expression and does not divide. */
  operand: boolean;
  /** A `print` has begun and not ended. */
  prints: boolean;
  /** For each open parenthesis, true if `if`, `while` or `for` precedes it. */
  readonly brackets: boolean[];
}

/** Reads one token; the characters of it, or undefined for one that is not harmless. */
function next(text: string, state: State): number | undefined {
  const blank = /^(?:[ \t\r]+|#[^\n\\]*(?=\n|$))/.exec(text);
  if (blank !== null) return blank[0].length;
  if (text.startsWith('/')) return slash(text, state);
  const value = /^(?:"(?:[^"\\\n]|\\[^\n])*"|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)/.exec(text);
  if (value !== null) return seen(value[0], state, false);
  const word = /^[A-Za-z_]\w*/.exec(text);
  return word === null ? sign(text, state) : name(word[0], state);
}

function seen(token: string, state: State, operand: boolean): number {
  state.operand = operand;
  return token.length;
}

/** `[` in an expression: whether a slash in it ends the expression is awk's own affair. `/=` may be an operator. */
function slash(text: string, state: State): number | undefined {
  if (!state.operand) return seen(text.startsWith('/=') ? '/=' : '/', state, true);
  const expression = /^\/(?!=)(?:[^/\\\n[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^/\]\\\n[])+\])*\//.exec(text);
  return expression === null ? undefined : seen(expression[0], state, false);
}

const DANGEROUS =
  /^(?:system|getline|close|fflush|ENVIRON|ARGV|ARGC|ARGIND|PROCINFO|SYMTAB|FUNCTAB|load|include|namespace|extension|BEGINFILE|ENDFILE|function|func)$/;
const KEYWORDS = /^(?:if|while|for|do|else|return|in|exit|delete|next|nextfile|break|continue|switch|case|default)$/;

function name(word: string, state: State): number | undefined {
  if (DANGEROUS.test(word)) return undefined;
  if (word === 'print' || word === 'printf') {
    if (state.brackets.length > 0) return undefined;
    state.prints = true;
    return seen(word, state, true);
  }
  if (/^(?:if|while|for)$/.test(word)) state.brackets.push(true);
  // A slash after these is read differently by each awk.
  return seen(word, state, KEYWORDS.test(word));
}

function sign(text: string, state: State): number | undefined {
  const [token = ''] = /^(?:\|\||&&|\+\+|--|[-+*%^=!<>]=|[-+*%^<>=!~?:,$;{}()[\]|\n])/.exec(text) ?? [];
  if (token === '' || token === '|' || writes(token, state)) return undefined;
  if (token === '(') state.brackets.push(false);
  if (token === ')') return closed(state);
  // A line that ends where a value is expected goes on.
  if (/^[;{}]$/.test(token) || (token === '\n' && !state.operand)) state.prints = false;
  return seen(token, state, !/^(?:\+\+|--|\])$/.test(token));
}

/** `print a > b` writes a file, `print (a > b)` compares. */
function writes(token: string, {prints, brackets}: State): boolean {
  return token.startsWith('>') && prints && brackets.length === 0;
}

function closed(state: State): number | undefined {
  if (state.brackets.pop() === undefined) return undefined;
  const isCondition = state.brackets.at(-1) === true;
  if (isCondition) state.brackets.pop();
  // After a condition a slash begins an expression; after a value it divides.
  return seen(')', state, isCondition);
}
