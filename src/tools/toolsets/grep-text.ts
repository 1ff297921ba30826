import type {SearchTextResult, TextMatch} from '../operations/search/search-text.ts';

/** Lists matches under the name of their file, as `12: a match` and `13- a context line`, with `--` between separate groups. */
export function groupedMatches(matches: SearchTextResult['matches']): string {
  const files = Map.groupBy(matches, (match) => match.path);
  return [...files].map(([path, found]) => `${path}\n${linesOf(found).join('\n')}`).join('\n\n');
}

interface ShownLine {
  readonly text: string;
  readonly isMatch: boolean;
}

function linesOf(matches: readonly TextMatch[]): string[] {
  const lines = new Map<number, ShownLine>();
  const add = (line: number, shown: ShownLine): void => {
    if (shown.isMatch || !lines.has(line)) lines.set(line, shown);
  };
  for (const {line, text, before, after} of matches) {
    before.forEach((around, index) => add(line - before.length + index, {text: around, isMatch: false}));
    add(line, {text, isMatch: true});
    after.forEach((around, index) => add(line + 1 + index, {text: around, isMatch: false}));
  }
  const withContext = matches.some(({before, after}) => before.length + after.length > 0);
  const ordered = [...lines].sort(([a], [b]) => a - b);
  return ordered.flatMap(([line, {text, isMatch}], index) => {
    const previous = ordered[index - 1]?.[0];
    const gap = withContext && previous !== undefined && line > previous + 1 ? ['--'] : [];
    return [...gap, `${line}${isMatch ? ':' : '-'} ${text}`];
  });
}
