import type {FileFacts} from '../file-facts.ts';

/** The name of a function whose overloads, which TypeScript wants beside each other, something else would part; undefined where there is none. */
export function partedOverloads(before: FileFacts, after: FileFacts): string | undefined {
  const would = neighbours(after);
  return [...neighbours(before)].find(([name, pairs]) => (would.get(name) ?? 0) < pairs)?.[0];
}

/** How often two declarations of a name follow each other in one place. */
function neighbours({language, symbols}: FileFacts): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (language !== 'typescript' && language !== 'tsx') return found;
  for (const siblings of Map.groupBy(symbols, ({parent}) => parent).values()) {
    for (const [index, {name, kind}] of siblings.entries()) {
      const isPair = (kind === 'function' || kind === 'method') && siblings[index + 1]?.name === name;
      if (isPair) found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  return found;
}
