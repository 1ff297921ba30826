import type {GrepQuery} from './engine.ts';
import {boundLine} from './line-text.ts';
import type {PrintedLine} from './ripgrep/ripgrep-output.ts';

/** Returns the matching lines of a text (1-based, ascending) with the context around them. */
export function matchedLines(text: Buffer, matching: readonly number[], {contextLines, maxLineChars}: GrepQuery): PrintedLine[] {
  const matches = new Set(matching);
  const wanted = new Set(matching.flatMap((line) => Array.from({length: 2 * contextLines + 1}, (_, i) => line - contextLines + i)));
  const last = (matching.at(-1) ?? 0) + contextLines;
  const lines: PrintedLine[] = [];
  for (let line = 1, start = 0; line <= last && start < text.length; line++) {
    const next = text.indexOf(0x0a, start);
    const end = next < 0 ? text.length : next;
    if (wanted.has(line)) lines.push({line, isMatch: matches.has(line), text: boundLine(text.toString('utf8', start, end), maxLineChars)});
    start = end + 1;
  }
  return lines;
}
