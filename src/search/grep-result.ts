import type {GrepMatch, GrepQuery, GrepResult} from './engine.ts';
import {compareCodePoints} from './path-order.ts';
import type {PrintedLine} from './ripgrep/ripgrep-output.ts';

/** Lines found in one file, ascending: matches, and the context around them. */
export interface FileLines {
  readonly path: string;
  readonly lines: readonly PrintedLine[];
}

/** The first `maxMatches` of all by path, then line. */
export function grepResult(files: readonly FileLines[], query: GrepQuery, {timedOut}: {timedOut: boolean}): GrepResult {
  const matches: GrepMatch[] = [];
  for (const file of files.toSorted((a, b) => compareCodePoints(a.path, b.path))) {
    if (matches.length > query.maxMatches) break;
    matches.push(...matchesIn(file, query.contextLines));
  }
  return {matches: matches.slice(0, query.maxMatches), truncated: matches.length > query.maxMatches, timedOut};
}

function matchesIn({path, lines}: FileLines, context: number): GrepMatch[] {
  const texts = context === 0 ? undefined : new Map(lines.map(({line, text}) => [line, text]));
  const around = (from: number, to: number): string[] =>
    texts === undefined ? [] : Array.from({length: to - from + 1}, (_, i) => texts.get(from + i)).filter((text) => text !== undefined);
  return lines
    .filter(({isMatch}) => isMatch)
    .map(({line, text}) => ({path, line, text, before: around(line - context, line - 1), after: around(line + 1, line + context)}));
}
