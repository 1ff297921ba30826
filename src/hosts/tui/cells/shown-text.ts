import {visibleText} from '../../../base/visible-text.ts';
import {cellWidth} from './cell-width.ts';

/** The rows of a text of a stranger: nothing in them steers a terminal, and each tab reaches to the next column that four divides. */
export function shownRows(text: string): readonly string[] {
  return visibleText(text).split('\n').map(withoutTabs);
}

/** A text of a stranger in one row: nothing in it steers a terminal, and ends of lines are blanks. */
export function shownRow(text: string): string {
  return visibleText(text).replaceAll(/[\n\t]/g, ' ');
}

function withoutTabs(row: string): string {
  const [first = '', ...others] = row.split('\t');
  let shown = first;
  let width = cellWidth(first);
  for (const part of others) {
    const blanks = TAB_WIDTH - (width % TAB_WIDTH);
    shown += ' '.repeat(blanks) + part;
    width += blanks + cellWidth(part);
  }
  return shown;
}

const TAB_WIDTH = 4;
