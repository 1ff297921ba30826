import type {ReadFileResult} from '../operations/fs/read-file.ts';

/** `<number><tab><line>`, one line each ("microcode tools › read"); longer lines are cut to `maxLineChars`. */
export function numberedLines({lines, firstLine}: ReadFileResult, maxLineChars: number): string {
  return lines.map((line, index) => `${firstLine + index}\t${cutLine(line, maxLineChars)}`).join('\n');
}

/** Explains why a read shows no lines; undefined if it shows some. */
export function emptyRead({lines, firstLine, totalLines}: ReadFileResult): string | undefined {
  if (lines.length > 0) return undefined;
  return totalLines === 0
    ? '(the file is empty)'
    : `(nothing from line ${firstLine} on: the file has ${totalLines ?? firstLine - 1} lines)`;
}

/** Returns the line that says how to read on. */
export function moreLines({lines, firstLine, totalLines, lastLineCut}: ReadFileResult): string {
  const next = firstLine + lines.length;
  if (lastLineCut) return `[line ${firstLine} is longer than this; use a command to see the rest of it, offset ${next} for what follows]`;
  return `[lines ${firstLine}-${next - 1}${totalLines === null ? '' : ` of ${totalLines}`}; more follow: offset ${next}]`;
}

function cutLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, maxChars)} [… ${line.length - maxChars} more characters]`;
}
