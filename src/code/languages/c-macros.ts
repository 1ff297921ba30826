import {blanks} from './blanks.ts';
import {oneBranch} from './c-branches.ts';
import {macrosInEnum} from './c-enums.ts';
import {outsideAngles, statementsOf} from './c-tokens.ts';
import type {Statement, Token} from './c-tokens.ts';

const BUILT_IN =
  /^(?:void|bool|_Bool|char|short|int|long|float|double|signed|unsigned|auto|wchar_t|char\d+_t|size_t|decltype|typeof|__typeof__)$/u;
const KEYWORDS =
  /^(?:const|volatile|static|extern|typedef|inline|register|restrict|_Noreturn|_Thread_local|thread_local|constexpr|consteval|constinit|virtual|explicit|friend|mutable|typename|template|using|namespace|operator|public|private|protected|final|override|noexcept|throw|try|requires|concept|default|delete|return|goto|case|if|else|for|while|do|switch|asm|alignas|_Alignas|__extension__|__inline|__inline__|__const|__restrict|__restrict__|__volatile__|__attribute__|__attribute|__asm__|__asm|__declspec|__signed__)$/u;
const TAGS = /^(?:struct|union|enum|class)$/u;
/** These begin a declaration: what stands before one, and is none, was a macro. */
const STARTS = /^(?:static|extern|typedef|template|using|namespace|friend|virtual|explicit|class|struct|union|enum)$/u;
/** Words of compilers that the grammar does not know. */
const UNKNOWN = /^__(?:signed|signed__|const|const__|volatile)$/u;
const BEHIND = /^(?:const|volatile|noexcept|override|final|throw|try|requires)$/u;
const SHOUTED = /^_*[A-Z][A-Z\d_]*$|^__\w+$/u;

/** `int (APIENTRY *name)(int)`. */
const CONVENTION = /(\(\s*)([A-Z_][A-Z\d_]+)(?=\s*\*\s*\w+\s*\)\s*\()/gu;

/** `f(_Xconst char *a)`, `f(IN const type *a)`, `f(OUT type &a)`. */
const IN_PARAMETER = [
  /([(,]\s*)([A-Za-z_]\w*)(?=\s+(?:unsigned|signed|int|char|short|long|float|double|void|struct|union|enum)\b)/gu,
  /([(,]\s*)(_*[A-Z][A-Z\d_]+)(?=\s+(?:const\s+[A-Za-z_]|[A-Za-z_][\w:]*(?:<[^<>()]*>)?(?:\s*[&*]|\s+\w+\s*[,)=[])))/gu,
  /(\*\s*)(_*[A-Z][A-Z\d_]{2,})(?=\s+[A-Za-z_])/gu,
];
/** `public Q_SLOTS:` and `signals:`, which Qt has. */
const SLOTS = [/(\b(?:public|private|protected)\s+)(Q_SLOTS|slots)\b(?=\s*:)/gu, /^([ \t]*)((?:Q_SIGNALS|signals)\s*:)(?=\s*$)/gmu];

/**
 * C without the macros that a grammar cannot read, since only the preprocessor knows what they stand for: attributes before and behind
 * declarations, whole declarations without a semicolon. What goes is replaced by blanks, so that each place stays.
 */
export function mendC(text: string): string {
  return withoutMacros(oneBranch(text, false));
}

export function mendCpp(text: string): string {
  return withoutMacros(oneBranch(text, true));
}

/** A word that is never a name. */
export function isReserved(word: string): boolean {
  return TAGS.test(word) || KEYWORDS.test(word) || /^(?:void|bool|char|short|int|long|float|double|signed|unsigned|auto)$/u.test(word);
}

type Place = Pick<Token, 'from' | 'to'>;

function withoutMacros(text: string): string {
  const gone = statementsOf(text)
    .flatMap((statement) => [...macrosOf(statement), ...enumerated(text, statement)])
    .sort((a, b) => a.from - b.from);
  let [rewritten, at] = ['', 0];
  for (const {from, to} of gone) {
    if (from < at) continue;
    rewritten += text.slice(at, from) + blanks(text.slice(from, to));
    at = to;
  }
  rewritten = (rewritten + text.slice(at)).replaceAll(CONVENTION, blankWord);
  for (const pattern of [...IN_PARAMETER, ...SLOTS]) rewritten = rewritten.replaceAll(pattern, blankWord);
  return rewritten;
}

function blankWord(found: string, before: string, word: string): string {
  return KEYWORDS.test(word) || BUILT_IN.test(word) || TAGS.test(word) ? found : before + blanks(word);
}

function enumerated(text: string, {tokens}: Statement): Place[] {
  const at = tokens.findIndex((token) => token.text === 'enum');
  const body = at < 0 ? undefined : tokens.slice(at).find((token) => token.is === 'group' && token.text === '{');
  return body === undefined ? [] : macrosInEnum(text, body);
}

function macrosOf({tokens, end}: Statement): Place[] {
  const [first, second] = tokens;
  if (end === ';' && tokens.length === 2 && second?.is === 'group' && /^[A-Z]+_[A-Z\d_]+$/u.test(first?.text ?? '')) return [...tokens];
  const start = startOf(tokens);
  const own = outsideAngles(tokens.slice(start));
  if ((end === '' || end === '}') && own.every(({is, text}) => is === 'group' || (is === 'word' && SHOUTED.test(text)))) return [...tokens];
  if (end === ':') return own.slice(0, -1).filter((token) => isOwnWord(token) || token.is === 'group');
  const gone = new Set([...tokens.slice(0, start), ...own.filter(({text}) => UNKNOWN.test(text)), ...beforeStarts(own), ...calls(own)]);
  const old = oldPrototype(own);
  const rest = own.filter((token) => !gone.has(token) && token.from !== old[0]?.from);
  const other = [
    ...old,
    ...inBases(rest),
    ...behindNamespace(rest),
    ...inAlias(rest),
    ...inHead(rest, end),
    ...beforeName(rest),
    ...behindParameters(rest),
  ];
  return [...gone, ...other];
}

/** Where the declaration itself begins, behind macros that look like calls: `DEFINE_LIST(a) static int b;`. */
function startOf(tokens: readonly Token[]): number {
  let start = 0;
  for (const [index, {is, text}] of tokens.entries()) {
    if (is === 'word' && STARTS.test(text) && calledBefore(tokens, index) !== undefined) start = index;
  }
  return start;
}

/** `a` of `a(b)`, when that stands just before. */
function calledBefore(tokens: readonly Token[], index: number): string | undefined {
  const [called, group] = index < 2 ? [] : tokens.slice(index - 2, index);
  return group?.is === 'group' && group.text === '(' && called?.is === 'word' && !KEYWORDS.test(called.text) ? called.text : undefined;
}

/** Calls where a declaration begins: `ALIGNED(8) int a;` has an attribute, of `LIST_OF(a) *b;` and `API(int) f(void);` the call is the type. */
function calls(tokens: readonly Token[]): Token[] {
  const gone: Token[] = [];
  const hasType = tokens.some(({text}) => BUILT_IN.test(text));
  for (const [index, token] of tokens.entries()) {
    if (calledBefore(tokens, index + 2) !== undefined && isOwnWord(token)) {
      const found = called(tokens, index, hasType);
      if (found.length === 0) break;
      gone.push(...found);
    } else if (token.is !== 'group' && !isBeforeType(token)) break;
  }
  return gone;
}

function called(tokens: readonly Token[], index: number, hasType: boolean): Token[] {
  const [macro, group, ...behind] = tokens.slice(index);
  if (macro === undefined || group === undefined || !beginsType(behind)) return [];
  if (!hasType && isNamed(behind)) return [group];
  return SHOUTED.test(macro.text) ? [macro, group] : [];
}

/** A type, or a name, and nothing that stands behind parameters: `const`, `NOTHROW;`. */
function beginsType(tokens: readonly Token[]): boolean {
  const first = tokens.find(({text}) => text !== '*' && text !== '&');
  const isAlone = tokens.length === 1 && SHOUTED.test(first?.text ?? '');
  return first?.is === 'word' && !isAlone && !BEHIND.test(first.text);
}

function isBeforeType({is, text}: Token): boolean {
  return is === 'word' && !BUILT_IN.test(text) && (KEYWORDS.test(text) || TAGS.test(text) || SHOUTED.test(text));
}

/** A name, and no type before it: `*name(int)`, `name[2]`, `name = 1`. */
function isNamed(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({text}) => text !== '*' && text !== '&');
  const [name, next, ...others] = tokens.slice(at);
  if (name === undefined || !isOwnWord(name) || (next?.is === 'group' && SHOUTED.test(name.text))) return false;
  if (next === undefined) return !SHOUTED.test(name.text);
  if (next.is === 'sign') return '=,'.includes(next.text);
  return next.is === 'group' && others.every(({is, text}) => is !== 'word' || (!BUILT_IN.test(text) && !STARTS.test(text)));
}

/** `WARNINGS_OFF NAMESPACE_BEGIN namespace a {`: no word of one's own stands before these. */
function beforeStarts(tokens: readonly Token[]): Token[] {
  const starts = tokens.map(({is, text}) => is === 'word' && STARTS.test(text));
  for (let index = tokens.length - 2; index >= 0; index--) {
    const [token, next] = [tokens[index], tokens[index + 1]];
    const isBefore = starts[index + 1] === true && (next === undefined || isOwnWord(next) || STARTS.test(next.text));
    if (isBefore && token !== undefined && isOwnWord(token)) starts[index] = true;
  }
  return tokens.filter((token, index) => starts[index] === true && isOwnWord(token));
}

/** `namespace a VISIBILITY(default) {`. */
function behindNamespace(tokens: readonly Token[]): Token[] {
  const at = tokens.findIndex(({text}) => text === 'namespace');
  return at < 0 || tokens.some(({is, text}) => is === 'sign' || text === 'using')
    ? []
    : tokens.slice(at + 2).filter(({is}) => is !== 'text');
}

/** `using name DEPRECATED("…") = type;`. */
function inAlias(tokens: readonly Token[]): Token[] {
  const value = tokens.findIndex(({text}) => text === '=');
  return tokens[0]?.text === 'using' && value > 2 ? tokens.slice(2, value).filter(({is}) => is === 'word' || is === 'group') : [];
}

/** `class API_EXPORT ALIGNED(8) Name final : Base {`. */
function inHead(tokens: readonly Token[], end: string): Token[] {
  const tag = tokens.findIndex(({text}) => TAGS.test(text));
  if (tag < 0 || (end !== '{' && tokens[tag]?.text !== 'class')) return [];
  const behind = tokens.slice(tag + 1);
  const other = behind.findIndex(({is, text}) => is === 'sign' || is === 'text' || text === 'final');
  const head = other < 0 ? behind : behind.slice(0, other);
  const last = head.at(-1);
  if (last === undefined || last.is === 'group' || (other >= 0 && !/^(?:final|:|<)$/u.test(behind[other]?.text ?? ''))) return [];
  const before = head.slice(0, -1);
  return before.filter((token, index) => isOwnWord(token) || (token.is === 'group' && isOwnWord(before[index - 1] ?? token)));
}

/** `int f OF((int a));`. */
function oldPrototype(tokens: readonly Token[]): Place[] {
  const at = tokens.findIndex(({holds}, index) => holds === 'brackets' && index > 1);
  const [name, macro, group] = at < 0 ? [] : tokens.slice(at - 2, at + 1);
  if (name?.is !== 'word' || macro?.is !== 'word' || group === undefined || !/^(?:_*[A-Z]+|_)$/u.test(macro.text)) return [];
  return [
    {from: macro.from, to: group.from + 1},
    {from: group.to - 1, to: group.to},
  ];
}

/** `class Name : public BASE(a) {`. */
function inBases(tokens: readonly Token[]): Token[] {
  const bases = tokens.findIndex(({text}) => text === ':');
  const isHead = tokens.slice(0, Math.max(bases, 0)).some(({text}) => TAGS.test(text));
  return isHead
    ? tokens.filter(({is, text}, index) => index > bases && is === 'group' && text === '(' && tokens[index - 1]?.is === 'word')
    : [];
}

function isOwnWord({is, text}: Token): boolean {
  return is === 'word' && !KEYWORDS.test(text) && !TAGS.test(text) && !BUILT_IN.test(text);
}

/** Of the words before the name one is the type; the others were macros. */
function beforeName(tokens: readonly Token[]): Token[] {
  const head = headOf(tokens);
  const operator = head.findIndex(({text}) => /(?:^|::)\s*operator$/u.test(text));
  const words = (operator < 0 ? head : head.slice(0, operator + 1)).filter(({is}) => is === 'word');
  if (head.some(({text}) => TAGS.test(text) || text === 'using' || text === 'namespace' || text === 'concept' || text === 'return'))
    return [];
  const named = words.filter(({text}) => !KEYWORDS.test(text));
  const others = (isUnnamed(tokens, head) ? named : named.slice(0, -1)).filter(({text}) => !BUILT_IN.test(text));
  const typed = isUnnamed(tokens, head) ? words : words.slice(0, -1);
  if (typed.some(({text}) => BUILT_IN.test(text))) return others;
  if (isConstructor(tokens, head)) return others;
  const type = others.find(({text}) => !/^_*[A-Z][A-Z\d_]+$/u.test(text)) ?? others[0];
  return others.filter((word) => word !== type);
}

/** Behind the words there is no name yet: `int (*f(void))(int)`, `a operator+`. */
function isUnnamed(tokens: readonly Token[], head: readonly Token[]): boolean {
  const last = head.at(-1);
  if (last === undefined || isReserved(last.text) || head.some(({text}) => /(?:^|::)\s*operator$/u.test(text))) return true;
  const [group, next] = tokens.slice(tokens.indexOf(last) + 1);
  return group?.holds === 'declarator' && next?.is === 'group';
}

/** What has no type before its name: `Name(int a) : a(a) {`, `~Name()`, `operator bool()`. */
function isConstructor(tokens: readonly Token[], head: readonly Token[]): boolean {
  const first = tokens.findIndex(({is, text}) => is === 'group' && text === '(');
  const isConversion = head.some(({text}, index) => text === 'operator' && head[index + 1]?.is === 'word');
  return (
    isConversion ||
    head.some(({text}) => text === '~') ||
    (first > 0 && tokens.slice(first + 1).find(({is}) => is !== 'word')?.text === ':')
  );
}

/** What stands before the parameters, the value, or the end. */
function headOf(tokens: readonly Token[]): Token[] {
  const head: Token[] = [];
  for (const token of tokens) {
    if (token.is === 'word' || token.text === '*' || token.text === '&' || token.text === '~') head.push(token);
    else if (token.is === 'group' && /^(?:__attribute(?:__)?|__declspec|alignas)$/u.test(head.at(-1)?.text ?? '')) continue;
    else break;
  }
  return head;
}

/** `int f(void) NOTHROW NONNULL((1));`. */
function behindParameters(tokens: readonly Token[]): Token[] {
  const first = tokens.findIndex(
    ({is, text}, index) => is === 'group' && text === '(' && !/^__?(?:attribute|declspec)/u.test(tokens[index - 1]?.text ?? ''),
  );
  if (first < 1 || tokens.slice(0, first).some(({text}) => text === '=' || text === ',')) return [];
  const behind = tokens.slice(first + 1);
  const other = behind.findIndex(({is}) => is === 'sign' || is === 'text');
  const near = other < 0 ? behind : behind.slice(0, other);
  const gone = near.filter((token, index) => isOwnWord(token) || (token.is === 'group' && isOwnWord(near[index - 1] ?? token)));
  return !tokens.some(({text}) => text === 'extern') && isOfOld(near, gone) ? [] : gone;
}

/** A definition of old names its parameters, and gives their types behind: `f(a) kind a; {…}`. */
function isOfOld(near: readonly Token[], gone: readonly Token[]): boolean {
  if (near.some(({text}) => BUILT_IN.test(text) || TAGS.test(text))) return true;
  return gone.length === 2 && gone.every(({is, text}) => is === 'word' && !SHOUTED.test(text));
}
