import type {Line} from '../../cells/line.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {wrapLine} from '../../cells/wrap-line.ts';
import {MARKDOWN_START, type RenderedMarkdown} from '../../model/printed.ts';
import {highlightLine, startCode} from '../code/highlight-code.ts';
import {blockRows, writtenRows} from './block-rows.ts';
import {markdownTokens} from './load-markdown.ts';
import {piecesOf, type Piece} from './pieces.ts';

/** The rows of a whole Markdown text, at most `width` wide. Text of a stranger steers nothing, and never throws. */
export function renderMarkdown(text: string, options: {readonly width: number}): readonly Line[] {
  return renderStream(MARKDOWN_START, text, options).lines;
}

/**
 * The rows of a part of a Markdown text, and the state for the next. Parts that end at `stableLength` together give the rows of the whole;
 * text after it is rendered with the same state, shown, and rendered again with the next delta.
 */
export function renderStream(
  state: RenderedMarkdown,
  text: string,
  {width}: {readonly width: number},
): {readonly lines: readonly Line[]; readonly state: RenderedMarkdown} {
  const lines: Line[] = [];
  let now = state;
  for (const piece of piecesOf(text, state.fence)) {
    const rows = pieceRows(now, {piece, source: text.slice(piece.start, piece.end), width});
    if (rows.lines.length > 0 && now.isApart) lines.push([]);
    for (const row of rows.lines) lines.push(row);
    now = rows.state;
  }
  return {lines, state: now};
}

interface Part {
  readonly piece: Piece;
  readonly source: string;
  readonly width: number;
}

function pieceRows(
  state: RenderedMarkdown,
  {piece, source, width}: Part,
): {readonly lines: readonly Line[]; readonly state: RenderedMarkdown} {
  switch (piece.type) {
    case 'blank':
      return {lines: [], state};
    case 'open':
      return {lines: [], state: {...state, fence: piece.fence, code: startCode(piece.fence?.language)}};
    case 'close':
      return {lines: [], state: {...state, isApart: state.isApart || state.code.size > 0, fence: undefined}};
    case 'code': {
      const line = source.replace(/\r?\n$/, '').replace(new RegExp(`^ {0,${piece.fence?.indent ?? 0}}`), '');
      const {rows, state: code} = highlightLine(state.code, line);
      return {lines: rows.flatMap((row) => wrapLine(row, width)), state: {...state, isApart: false, code}};
    }
    case 'text': {
      const text = visibleText(source).trimEnd();
      const tokens = markdownTokens(text);
      const lines = tokens === undefined ? writtenRows(text, width) : blockRows(tokens, width);
      return {lines, state: {...state, isApart: state.isApart || lines.length > 0}};
    }
  }
}
