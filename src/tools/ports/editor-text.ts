import {endingCarrier} from '../../text/edit/carry-endings.ts';
import {endingFinder, toEnding} from '../../text/line-endings.ts';
import type {EditorPosition} from './editor-host.ts';

/** A text as an editor shows it: a line break at the end starts one more line, and an empty text has one line. */
export interface EditorText {
  readonly text: string;
  readonly lines: number;
  /** Returns the number of code points of a line, without its line break. */
  columnsOf(line: number): number;
  /** Returns the offset in `text`; undefined beyond the end of the text or of the line. */
  offsetOf(position: EditorPosition): number | undefined;
  positionOf(offset: number): EditorPosition;
}

export function editorText(text: string): EditorText {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (match) => match.index + match[0].length)];
  const lineAt = (line: number): string => text.slice(starts[line - 1], starts[line]).replace(/(?:\r\n|\n|\r)$/, '');
  return {
    text,
    lines: starts.length,
    columnsOf: (line) => Array.from(lineAt(line)).length,
    offsetOf({line, column}) {
      const start = starts[line - 1];
      if (start === undefined || column < 1) return undefined;
      const characters = Array.from(lineAt(line));
      if (column > characters.length + 1) return undefined;
      return start + characters.slice(0, column - 1).join('').length;
    },
    positionOf(offset) {
      const line = starts.findLastIndex((start) => start <= offset) + 1;
      return {line, column: Array.from(text.slice(starts[line - 1], offset)).length + 1};
    },
  };
}

/** Replaces a part of a text. Line breaks of the new content become those of the replaced lines, or else of the lines around them. */
export function spliceText(
  text: string,
  range: {readonly start: number; readonly end: number},
  content: string,
): {text: string; end: number} {
  const replaced = text.slice(range.start, range.end);
  const plain = toEnding(content, '\n');
  const own = /\r\n|\n|\r/.exec(content)?.[0] === '\r\n' ? '\r\n' : '\n';
  const around = endingFinder(text)(range.end) ?? own;
  const carried = endingCarrier(toEnding(replaced, '\n'), plain).carry(replaced, around);
  return {text: text.slice(0, range.start) + carried + text.slice(range.end), end: range.start + carried.length};
}
