/** The patterns of a schema, ready to be tried. */
export interface PatternTable {
  readonly patterns: ReadonlyMap<string, CompiledPattern>;
  /** Those that this engine does not have, or that are too large. */
  readonly unchecked: readonly string[];
}

export interface CompiledPattern {
  /** States of its automaton: trying a text costs at most this for each character. */
  readonly size: number;
  test(text: string): boolean;
}

const MAX_PATTERNS = 200;
const MAX_CHARS = 1000;
/** The sum of all counts of repetition (`{2,500}`): each one multiplies states. */
const MAX_REPETITIONS = 2000;

/** Compiles patterns (ECMA-262) for an engine that runs in linear time; the engine is loaded if there are any. */
export async function compilePatterns(sources: ReadonlySet<string>): Promise<PatternTable> {
  const patterns = new Map<string, CompiledPattern>();
  const unchecked: string[] = [];
  if (sources.size === 0) return {patterns, unchecked};
  const {RE2JS} = await import('re2js');
  let repetitions = 0;
  for (const source of sources) {
    const own = repetitionsIn(source);
    if (source.length > MAX_CHARS || repetitions + own > MAX_REPETITIONS || patterns.size >= MAX_PATTERNS) {
      unchecked.push(source);
      continue;
    }
    repetitions += own;
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
      patterns.set(source, {size: compiled.programSize(), test: (text) => compiled.matcher(text).find()});
    } catch {
      unchecked.push(source);
    }
  }
  return {patterns, unchecked};
}

function repetitionsIn(source: string): number {
  return [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  );
}
