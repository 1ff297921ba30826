import type {FileFacts, UseFact} from '../file-facts.ts';
import type {Position, SymbolKind} from '../symbol.ts';

/** Names of two sorts. */
export type Sides = readonly [ReadonlySet<string>, ReadonlySet<string>];

/**
 * The first place of a file where one value is of a class of either side: types that are written as alternatives, values made for one place, a
 * variable or a result that gets both. undefined where the two sides keep apart.
 */
export function meetingPlace({text, facts}: {readonly text: string; readonly facts: FileFacts}, sides: Sides): Position | undefined {
  const written = facts.symbols.find(({typeName}) => areAlternatives(typeName, sides));
  if (written !== undefined) return written.nameRange.start;
  const lines = text.split('\n');
  const uses = facts.uses.filter(({kind, name}) => !PASSED.has(kind) && sides.some((side) => side.has(name)));
  const told = facts.uses.find(({receiverType}) => areAlternatives(receiverType, sides));
  return (told ?? besideEachOther(uses, lines, sides) ?? intoOne(uses, {lines, facts}, sides))?.range.start;
}

const PASSED: ReadonlySet<string> = new Set(['import', 'export', 'extends', 'implements']);

export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{ID_Continue}$]+/gu) ?? [];
}

/** Words of a type: `A|B`, also as an argument (`Map<string,A|B>`) and behind one (`A<T>|B`). */
function areAlternatives(words: string | undefined, sides: Sides): boolean {
  for (let rest = words ?? ''; rest.includes('|');) {
    if ((rest.match(CHAIN) ?? []).some((chain) => haveBoth(wordsIn(chain), sides))) return true;
    const inner = rest.replaceAll(/<[^<>]*>|\[[^[\]]*\]|\((?<one>[^(),]*)\)|\([^()]*\)|\btypeof /g, '$<one>');
    if (inner === rest) return false;
    rest = inner;
  }
  return false;
}

const CHAIN = /[\p{ID_Continue}$.]+(?:\|[\p{ID_Continue}$.]+)+/gu;

function haveBoth(names: readonly string[], sides: Sides): boolean {
  return sides.every((side) => names.some((name) => side.has(name)));
}

/** `c ? new A() : new B()`, `[new A(), new B()]`, `A() if c else B()` */
function besideEachOther(uses: readonly UseFact[], lines: readonly string[], sides: Sides): UseFact | undefined {
  return uses.find((use, index) => {
    const next = uses
      .slice(index + 1)
      .find(({range}) => range.start.line > use.range.start.line || range.start.character > use.range.start.character);
    return next !== undefined && haveBoth([use.name, next.name], sides) && BESIDE.test(between(use.range.end, next.range.start, lines));
  });
}

const BESIDE = /^(?:\s*\([^;{}]*\))?\s*(?:(?:[:,]|\|\||\?\?)\s*new\s+|if\b[^\n]*\belse\s+|or\s+)$/;

function between(start: Position, end: Position, lines: readonly string[]): string {
  if (end.line - start.line > MOST_LINES) return ';';
  const whole = lines.slice(start.line, end.line + 1).join('\n');
  const after = (lines[end.line] ?? '').length - end.character;
  return whole.slice(start.character, whole.length - after);
}

const MOST_LINES = 10;

/** `a = new A()` and `a = new B()`, `return new A()` and `return new B()` of one function. */
function intoOne(
  uses: readonly UseFact[],
  {lines, facts}: {readonly lines: readonly string[]; readonly facts: FileFacts},
  sides: Sides,
): UseFact | undefined {
  const met = new Map<string, string>();
  return uses.find(({name, within, range: {start}}) => {
    const target = targetOf((lines[start.line] ?? '').slice(0, start.character), around(within, facts));
    const other = target === undefined ? undefined : met.get(target);
    if (target !== undefined) met.set(target, name);
    return other !== undefined && haveBoth([other, name], sides);
  });
}

/** What a variable is declared with stands in it. */
function around(within: number, {symbols}: Pick<FileFacts, 'symbols'>): number {
  const symbol = symbols[within];
  return symbol !== undefined && VALUES.has(symbol.kind) ? around(symbol.parent, {symbols}) : within;
}

const VALUES: ReadonlySet<SymbolKind> = new Set(['variable', 'constant']);

/** A member of an object is one in the whole file, a variable in its function. */
function targetOf(before: string, within: number): string | undefined {
  if (within >= 0 && /\breturn\s+(?:new\s+)?$/.test(before)) return `${within} return`;
  const {once, target} = /(?<once>\bconst\s+)?(?<target>[\p{ID_Continue}$.#]+)\s*(?::[^=]*)?=\s*(?:new\s+)?$/u.exec(before)?.groups ?? {};
  if (target === undefined || once !== undefined) return undefined;
  return target.includes('.') ? target : `${within} ${target}`;
}
