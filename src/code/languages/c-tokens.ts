/** A piece of C on the level of declarations. */
export interface Token {
  /** `group`: brackets with all that is in them. `text`: a string. */
  readonly is: 'word' | 'group' | 'sign' | 'text';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Statement {
  readonly tokens: readonly Token[];
  /** What it ends with: `;`, `{`, `}`, `:` behind `public`, or nothing at the end of the text. */
  readonly end: string;
}

const PIECES =
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
  if (opened !== '{' || isValue(cut.tokens)) cut.tokens.push({is: 'group', text: opened, from: cut.from, to: index + 1});
  else finish(cut, '{');
}

function outside(cut: Cut, piece: string, index: number): void {
  const isBracket = piece === '(' || piece === '[' || (piece === '{' && !holdsDeclarations(cut.tokens));
  if (isBracket) [cut.depth, cut.from] = [1, index];
  else if (';{}'.includes(piece) || (piece === ':' && ACCESS.has(cut.tokens.at(-1)?.text ?? ''))) finish(cut, piece);
  else {
    const is = isWord(piece) ? 'word' : piece.startsWith('"') ? 'text' : 'sign';
    cut.tokens.push({is, text: piece, from: index, to: index + piece.length});
  }
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
  const head = tokens.findIndex(({text}) => text === 'class' || text === 'struct' || text === 'union');
  return head >= 0 && !words.has('enum') && !words.has('=') && tokens.slice(head + 3).every(({is, text}) => is !== 'group' || text !== '(');
}

/** A body in brackets that a statement goes on behind: an initial value, an enumeration. */
function isValue(tokens: readonly Token[]): boolean {
  return tokens.some(({text}) => text === '=' || text === 'enum') || tokens.at(-1)?.text === ']';
}
