import {span, type Line} from '../cells/line.ts';
import type {FileDiff} from '../host-adapter.ts';
import type {ChangedPiece} from '../model/entry.ts';
import {shownRow} from '../cells/shown-text.ts';
import {loadedDiff} from './diff/load-diff.ts';
import {plainLines} from './plain-lines.ts';

/** A file before and after a change that is asked about. */
export function diffLines({path, before, after}: FileDiff, width: number): readonly Line[] {
  const shown = loadedDiff()?.renderDiff({path, before, after}, {width});
  const name = `${shownRow(path)}${after === undefined ? ' (deleted)' : ''}`;
  return shown ?? [...plainLines(name, {width, style: ['bold']}), ...pieceLines({path, before: before ?? '', after: after ?? ''}, width)];
}

/** A piece of a file that is replaced: as a diff, or, until that can be made, one text below the other. */
export function pieceLines(piece: ChangedPiece, width: number): readonly Line[] {
  const shown = loadedDiff()?.renderPiece(piece, width);
  return shown ?? [...marked(piece.before, '-', width), ...marked(piece.after, '+', width)];
}

function marked(text: string, mark: '+' | '-', width: number): readonly Line[] {
  if (text === '') return [];
  const style = mark === '+' ? 'added' : 'removed';
  return plainLines(text.replace(/\n$/, ''), {width, first: span(`${mark} `, style), rest: span('  '), eachRow: true, style: [style]});
}
