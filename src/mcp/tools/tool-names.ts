import {hash} from 'node:crypto';

/** Longest name of a function that providers take. */
const MAX_LENGTH = 64;

/**
 * Tools of one server → the names they are published under, `mcp__<server>__<tool>`: safe characters, at most 64 of them, unique, and
 * the same in every run whatever the order of the list. A name that had to be changed, and then is another's too, ends with a hash of the
 * original one. Of the same name twice the first one counts.
 */
export function publishedNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(tools)];
  const plain = distinct.map((tool) => `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`);
  const taken = Map.groupBy(plain, (name) => name.toLowerCase());
  return new Map(
    distinct.map((tool, index) => {
      const name = plain[index] ?? '';
      const fits = name.length <= MAX_LENGTH && taken.get(name.toLowerCase())?.length === 1 && tool !== '';
      return [tool, fits ? name : hashed(name, tool)];
    }),
  );
}

function hashed(name: string, original: string): string {
  const suffix = `_${hash('sha256', original).slice(0, 8)}`;
  return `${name.slice(0, MAX_LENGTH - suffix.length)}${suffix}`;
}
