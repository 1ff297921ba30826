import {findAll} from './find-all.ts';
import type {BlockSplit} from './parse-blocks.ts';

/**
 * The same block with the lines of the file where both halves have a line `...`: what is left out so stays as it is. undefined if the
 * halves do not leave out equally often, or a part between is not in the file exactly once, after the part before it.
 */
export function fillElisions(plain: string, {search, replace}: BlockSplit): BlockSplit | undefined {
  const wanted = partsOf(search);
  const replacement = partsOf(replace);
  if (wanted.length < 2 || wanted.length !== replacement.length || wanted.some((part) => part.length === 0)) return undefined;
  const text = `\n${plain}\n`;
  const gaps: string[][] = [];
  let end: number | undefined;
  for (const part of wanted) {
    const needle = `\n${part.join('\n')}\n`;
    const [at, another] = findAll(text, needle);
    if (at === undefined || another !== undefined) return undefined;
    if (end !== undefined) {
      if (at < end) return undefined;
      gaps.push(at === end ? [] : text.slice(end + 1, at).split('\n'));
    }
    end = at + needle.length - 1;
  }
  return {search: joined(wanted, gaps), replace: joined(replacement, gaps)};
}

type Lines = readonly string[];

function partsOf(lines: Lines): Lines[] {
  const parts: Lines[] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    if (!/^\s*(?:\.\.\.|…)\s*$/.test(line)) continue;
    parts.push(lines.slice(from, at));
    from = at + 1;
  }
  return [...parts, lines.slice(from)];
}

function joined(parts: readonly Lines[], gaps: readonly Lines[]): string[] {
  return parts.flatMap((part, index) => [...part, ...(gaps[index] ?? [])]);
}
