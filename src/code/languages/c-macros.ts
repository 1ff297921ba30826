import {oneBranch} from './c-branches.ts';
import {statementsOf} from './c-tokens.ts';
import type {Statement, Token} from './c-tokens.ts';

const BUILT_IN =
  /^(?:void|bool|_Bool|char|short|int|long|float|double|signed|unsigned|auto|wchar_t|char\d+_t|size_t|decltype|typeof|__typeof__)$/u;
const KEYWORDS =
  /^(?:const|volatile|static|extern|typedef|inline|register|restrict|_Noreturn|_Thread_local|thread_local|constexpr|consteval|constinit|virtual|explicit|friend|mutable|typename|template|using|namespace|operator|public|private|protected|final|override|noexcept|throw|try|requires|concept|default|delete|return|goto|case|if|else|for|while|do|switch|asm|alignas|_Alignas|__extension__|__inline|__inline__|__const|__restrict|__restrict__|__volatile__|__attribute__|__attribute|__asm__|__asm|__declspec|__signed__)$/u;
const TAGS = /^(?:struct|union|enum|class)$/u;
/** These begin a declaration: what stands before one, and is none, was a macro. */
const STARTS = /^(?:static|extern|typedef|template|using|namespace|friend|virtual|explicit|class|struct|union|enum)$/u;
const SHOUTED = /^_*[A-Z][A-Z\d_]*$|^__\w+$/u;

/** `int (APIENTRY *name)(int)`. */
const CONVENTION = /(\(\s*)([A-Z_][A-Z\d_]+)(?=\s+\*\s*\w+\s*\)\s*\()/gu;

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

function withoutMacros(text: string): string {
  const gone = statementsOf(text)
    .flatMap((statement) => macrosOf(statement))
    .sort((a, b) => a.from - b.from);
  let [mended, at] = ['', 0];
  for (const {from, to} of gone) {
    if (from < at) continue;
    mended += text.slice(at, from) + text.slice(from, to).replaceAll(/\S/gu, ' ');
    at = to;
  }
  return (mended + text.slice(at)).replaceAll(CONVENTION, (_, before: string, word: string) => before + ' '.repeat(word.length));
}

function macrosOf({tokens, end}: Statement): Token[] {
  const [first, second] = tokens;
  if (end === ';' && tokens.length === 2 && second?.is === 'group' && /^[A-Z]+_[A-Z\d_]+$/u.test(first?.text ?? '')) return [...tokens];
  const start = startOf(tokens);
  const own = tokens.slice(start);
  if (end === '' && own.every(({is, text}) => is === 'word' && SHOUTED.test(text))) return [...tokens];
  return [
    ...tokens.slice(0, start),
    ...beforeStarts(own),
    ...behindNamespace(own),
    ...inAlias(own),
    ...inHead(own, end),
    ...beforeName(own),
    ...behindParameters(own),
  ];
}

/** Where the declaration itself begins, behind macros that look like calls: `DEFINE_LIST(a) static int b;`. */
function startOf(tokens: readonly Token[]): number {
  let start = 0;
  for (const [index, {is, text}] of tokens.entries()) {
    const called = calledBefore(tokens, index);
    if (is !== 'word' || called === undefined) continue;
    const alone = index - 2 === start && SHOUTED.test(called) && !KEYWORDS.test(text);
    if (STARTS.test(text) || alone) start = index;
  }
  return start;
}

/** `a` of `a(b)`, when that stands just before. */
function calledBefore(tokens: readonly Token[], index: number): string | undefined {
  const [called, group] = index < 2 ? [] : tokens.slice(index - 2, index);
  return group?.is === 'group' && group.text === '(' && called?.is === 'word' && !KEYWORDS.test(called.text) ? called.text : undefined;
}

/** `NAMESPACE_BEGIN namespace a {`: no word of one's own stands before these. */
function beforeStarts(tokens: readonly Token[]): Token[] {
  return tokens.filter((token, index) => {
    const next = tokens[index + 1];
    return next?.is === 'word' && STARTS.test(next.text) && isOwnWord(token);
  });
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

/** `class API_EXPORT Name {`. */
function inHead(tokens: readonly Token[], end: string): Token[] {
  const tag = tokens.findIndex(({text}) => TAGS.test(text));
  const [macro, next, last] = tokens.slice(tag + 1);
  if (end !== '{' || tag < 0 || macro === undefined || next === undefined) return [];
  return isOwnWord(macro) && isHead(next, last) ? [macro, ...(next.is === 'group' ? [next] : [])] : [];
}

/** Behind a macro: its arguments and the name, or the name and what may follow it. */
function isHead(next: Token, last: Token | undefined): boolean {
  if (next.is === 'group') return last?.is === 'word';
  return isOwnWord(next) && (last === undefined || last.text === ':' || last.text === 'final');
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
  const others = named.slice(0, -1).filter(({text}) => !BUILT_IN.test(text));
  if (words.some(({text}) => BUILT_IN.test(text))) return others;
  const type = others.find(({text}) => !/^_*[A-Z][A-Z\d_]*$/u.test(text)) ?? others[0];
  return others.filter((word) => word !== type);
}

/** What stands before the parameters, the value, or the end; what is in angle brackets is left out. */
function headOf(tokens: readonly Token[]): Token[] {
  const head: Token[] = [];
  let angles = 0;
  for (const token of tokens) {
    if (token.text === '<') angles++;
    else if (token.text === '>') angles--;
    else if (angles > 0) continue;
    else if (token.is === 'word' || token.text === '*' || token.text === '&') head.push(token);
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
  return isOfOld(near, gone) ? [] : gone;
}

/** A definition of old names its parameters, and gives their types behind: `f(a) kind a; {…}`. */
function isOfOld(near: readonly Token[], gone: readonly Token[]): boolean {
  if (near.some(({text}) => BUILT_IN.test(text) || TAGS.test(text))) return true;
  return gone.length === 2 && gone.every(({is, text}) => is === 'word' && !SHOUTED.test(text));
}
