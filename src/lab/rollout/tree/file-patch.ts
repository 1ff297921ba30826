import {hash} from 'node:crypto';
import {hunksOfLines, type DiffHunk} from '../../../text/diff/hunks.ts';

/** A file of a tree. */
export interface FileVersion {
  readonly content: Buffer;
  readonly isExecutable: boolean;
}

export interface FileChange {
  /** Relative to the tree, with `/`; a name that git writes without quotes. */
  readonly path: string;
  /** Undefined: it was not there. */
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/**
 * Makes the patch of a text file in the form of `git diff --binary` (git-diff › Generating patch text), byte for byte, whatever the encoding. Where
 * equal lines leave a choice, git may show others as changed.
 */
export function filePatch({path, before, after}: FileChange): Buffer {
  const text = `${header(path, before, after)}${body(path, linesOf(before), linesOf(after))}`;
  return Buffer.from(text, 'latin1');
}

function header(path: string, before: FileVersion | undefined, after: FileVersion | undefined): string {
  const [old, now] = [modeOf(before), modeOf(after)];
  const isSameMode = old === now;
  const index = `index ${blobOf(before)}..${blobOf(after)}${isSameMode ? ` ${old}` : ''}\n`;
  return [
    `diff --git a/${path} b/${path}\n`,
    ...(before === undefined ? [`new file mode ${now}\n`] : []),
    ...(after === undefined ? [`deleted file mode ${old}\n`] : []),
    ...(before === undefined || after === undefined || isSameMode ? [] : [`old mode ${old}\nnew mode ${now}\n`]),
    ...(before !== undefined && after !== undefined && before.content.equals(after.content) ? [] : [index]),
  ].join('');
}

function modeOf(version: FileVersion | undefined): string {
  return version?.isExecutable === true ? '100755' : version === undefined ? '' : '100644';
}

/** The name of a blob (gitformat-index, git-hash-object). */
function blobOf(version: FileVersion | undefined): string {
  if (version === undefined) return '0'.repeat(ABBREVIATED);
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${version.content.length}\0`), version.content])).slice(0, ABBREVIATED);
}

/** As git abbreviates in a small repository. */
const ABBREVIATED = 7;

/** Each byte is a character, and a line ends with LF alone. */
function linesOf(version: FileVersion | undefined): readonly string[] | undefined {
  return version === undefined ? undefined : (version.content.toString('latin1').match(/[^\n]*\n|[^\n]+/g) ?? []);
}

function body(path: string, old: readonly string[] | undefined, now: readonly string[] | undefined): string {
  const hunks = hunksOfLines(old ?? [], now ?? []);
  if (hunks.length === 0) return '';
  const names = `--- ${old === undefined ? '/dev/null' : `a/${path}`}\n+++ ${now === undefined ? '/dev/null' : `b/${path}`}\n`;
  return names + hunks.map((hunk) => hunkText(hunk, old ?? [])).join('');
}

const SIGN = {same: ' ', removed: '-', added: '+'} as const;

function hunkText({oldStart, newStart, lines}: DiffHunk, old: readonly string[]): string {
  const removed = lines.filter(({type}) => type !== 'added').length;
  const added = lines.filter(({type}) => type !== 'removed').length;
  const texts = lines.map(({type, text}) => `${SIGN[type]}${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`);
  return `@@ -${range(oldStart, removed)} +${range(newStart, added)} @@${functionAbove(old, oldStart)}\n${texts.join('')}`;
}

/** An empty range names the line before it. */
function range(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

/** The last line above that begins like a function (xdiff/xemit.c, def_ff). */
function functionAbove(old: readonly string[], start: number): string {
  const line = old.slice(0, start).findLast((text) => /^[A-Za-z_$]/.test(text));
  return line === undefined ? '' : ` ${line.slice(0, MAX_NAME).trimEnd()}`;
}

const MAX_NAME = 80;
