import {span, type Line} from '../cells/line.ts';
import {callChanges} from './call-changes.ts';
import type {ToolEntry} from '../model/entry.ts';
import {pieceLines} from '../views/diff-lines.ts';
import {loadedDiff} from '../views/diff/load-diff.ts';
import {plainLines} from '../views/plain-lines.ts';

interface ChangeView {
  readonly width: number;
  /** More are cut, with their number. */
  readonly rows: number;
}

/** Renders what an edit, a patch or a new file changes, as far as its arguments show it; empty for other calls. */
export function changeLines(entry: ToolEntry, {width, rows}: ChangeView): readonly Line[] {
  const {pieces, patches} = callChanges(entry);
  const parts = [...pieces.map((piece) => pieceLines(piece, width)), ...patches.map((patch) => patchLines(patch, width))];
  const lines = parts.flatMap((part, index) => (index === 0 ? part : [[span('⋮', 'dim')], ...part]));
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), [span(`… ${lines.length - rows + 1} more rows · Ctrl-O shows all`, 'dim')]];
}

/** `+3 −1`; undefined if the arguments do not show it. */
export function changeCount(entry: ToolEntry): string | undefined {
  const {pieces, patches} = callChanges(entry);
  if (patches.length > 0) return patchCount(patches);
  const count = pieces.length === 0 ? undefined : loadedDiff()?.countLines(pieces);
  return count === undefined ? undefined : countText(count);
}

function countText({added, removed}: {readonly added: number; readonly removed: number}): string | undefined {
  const parts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return parts.length === 0 ? undefined : parts.join(' ');
}

function patchCount(patches: readonly string[]): string | undefined {
  const lines = patches.flatMap((patch) => patch.split('\n'));
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  return countText({added: count('+'), removed: count('-')});
}

function patchLines(patch: string, width: number): readonly Line[] {
  return patch
    .trimEnd()
    .split('\n')
    .filter((row) => !/^\*\*\* (?:Begin|End) Patch/.test(row))
    .flatMap((row) => {
      const style = row.startsWith('+') ? 'added' : row.startsWith('-') ? 'removed' : 'dim';
      return plainLines(row, {width, style: [style]});
    });
}
