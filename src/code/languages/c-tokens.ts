/** A piece of C on the level of declarations. */
export interface Token {
  /** `group`: brackets with all that is in them. `text`: a string. */
  readonly is: 'word' | 'group' | 'sign' | 'text';
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Of a group: it holds a declarator, `(*name)`, or parameters in brackets of their own, `((int a))`. */
  readonly holds?: 'declarator' | 'brackets' | undefined;
}

export interface Statement {
  readonly tokens: readonly Token[];
  /** What it ends with: `;`, `{`, `}`, `:` behind `public`, or nothing at the end of the text. */
  readonly end: string;
}

export const PIECES =
  /\/\/(?:[^\\\n]|\\[^])*|\/\*(?:[^]*?\*\/|[^]*)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|^[ \t]*#(?:[^\\\n]|\\[^])*|[A-Za-z_$][\w$]*(?:\s*::\s*~?[A-Za-z_$][\w$]*)*|\d[\w.']*|[^\s]/gmu;
/** No one writes a longer declaration: what comes of such a text is left as it is. */
const LONGEST = 400;
const ACCESS: ReadonlySet<string> = new Set(['public', 'private', 'protected', 'signals', 'slots', 'Q_SIGNALS', 'Q_SLOTS']);

interface Cut {
  readonly text: string;
  readonly statements: Statement[];
  tokens: Token[];
  /** How many brackets are open: round ones, and bodies that hold no declarations. */
  depth: number;
  /** Where the outermost of them begins. */
  from: number;
}

/** What stands outside of the bodies of functions, enumerations and initial values, cut into statements. */
export function statementsOf(text: string): Statement[] {
  const cut: Cut = {text, statements: [], tokens: [], depth: 0, from: 0};
  for (const {0: piece, index} of text.matchAll(PIECES)) {
    if (/^(?:\/\/|\/\*|[ \t]*#)/u.test(piece)) continue;
    if (cut.tokens.length > LONGEST) cut.tokens = [];
    if (cut.depth > 0) inside(cut, piece, index);
    else outside(cut, piece, index);
  }
  finish(cut, '');
  return cut.statements;
}

function inside(cut: Cut, piece: string, index: number): void {
  if ('([{'.includes(piece)) cut.depth++;
  if (')]}'.includes(piece)) cut.depth--;
  if (cut.depth > 0) return;
  const opened = cut.text[cut.from] ?? '';
  const [from, to] = [cut.from, index + 1];
  if (opened !== '{' || isValue(cut.tokens))
    cut.tokens.push({is: 'group', text: opened, from, to, holds: heldIn(cut.text.slice(from, to))});
  else finish(cut, '{');
}

function heldIn(group: string): Token['holds'] {
  if (/^\(\s*(?:\w+\s+)?\*/u.test(group)) return 'declarator';
  return /^\(\s*\([^]*\)\s*\)$/u.test(group) ? 'brackets' : undefined;
}

function outside(cut: Cut, piece: string, index: number): void {
  const isBracket = piece === '(' || piece === '[' || (piece === '{' && !holdsDeclarations(cut.tokens));
  if (isBracket) [cut.depth, cut.from] = [1, index];
  else if (isEnd(cut, piece)) finish(cut, piece);
  else {
    if (isMacroLine(cut, piece, index)) finish(cut, '');
    const is = isWord(piece) ? 'word' : piece.startsWith('"') ? 'text' : 'sign';
    cut.tokens.push({is, text: piece, from: index, to: index + piece.length});
  }
}

function isEnd({tokens}: Cut, piece: string): boolean {
  return ';{}'.includes(piece) || (piece === ':' && ACCESS.has(tokens.at(-1)?.text ?? ''));
}

/** `DECLARE(a)` on a line of its own, before another one. */
function isMacroLine({text, tokens}: Cut, piece: string, index: number): boolean {
  const [first, group, other] = tokens;
  return first?.text === piece && group?.text === '(' && other === undefined && text.slice(group.to, index).includes('\n');
}

function finish(cut: Cut, end: string): void {
  if (cut.tokens.length > 0) cut.statements.push({tokens: cut.tokens, end});
  cut.tokens = [];
}

function isWord(piece: string): boolean {
  return /^[A-Za-z_$]/u.test(piece);
}

/** Whether brackets behind these hold declarations: of a namespace, a class, a block `extern "C"`. */
function holdsDeclarations(tokens: readonly Token[]): boolean {
  const words = new Set(tokens.map(({text}) => text));
  if (words.has('namespace') || (words.has('extern') && tokens.at(-1)?.is === 'text')) return true;
  if (!words.has('class') && !words.has('struct') && !words.has('union')) return false;
  const outer = outsideAngles(tokens);
  const head = outer.findIndex(({text}) => text === 'class' || text === 'struct' || text === 'union');
  const bases = outer.findIndex(({text}) => text === ':');
  const named = outer.slice(head + 3, bases < 0 ? outer.length : bases);
  return head >= 0 && !words.has('enum') && !hasValue(outer) && named.every(({is, text}) => is !== 'group' || text !== '(');
}

/** A body in brackets that a statement goes on behind: an initial value, an enumeration. */
function isValue(tokens: readonly Token[]): boolean {
  if (tokens.at(-1)?.text === ']') return true;
  const outer = outsideAngles(tokens);
  return hasValue(outer) || (outer.some(({text}) => text === 'enum') && !outer.some(({is, text}) => is === 'group' && text === '('));
}

/** `a = …`, but no `operator=`, which has a body. */
function hasValue(outer: readonly Token[]): boolean {
  const at = outer.findIndex(({text}) => text === '=');
  return at >= 0 && !outer.slice(0, at).some(({text}) => /(?:^|::)\s*operator$/u.test(text));
}

/** Without what stands in angle brackets: `template <class A = int>`. */
export function outsideAngles(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({text}, index) => {
    const before = tokens[index - 1]?.text ?? '';
    if (text === '<' && !/(?:^|::)\s*operator$/u.test(before) && before !== '<') depth++;
    else if (text === '>' && depth > 0 && before !== '-') return --depth < 0;
    return depth === 0;
  });
}
