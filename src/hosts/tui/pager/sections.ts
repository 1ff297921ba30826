import type {Line} from '../cells/line.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {entryLines, needsGap} from '../views/entry-lines.ts';

/** A long text in sections, each laid out when its rows are needed. */
export interface Sections {
  readonly count: number;
  /** None if the section does not exist. */
  rows(index: number): readonly Line[];
  /** Says cheaply that no row of a section shows a text in lower case; where it is absent, the rows are read. */
  mayShow?(index: number, text: string): boolean;
}

/** The conversation with everything in it, entry by entry. */
export function conversationSections({entries, size, now, root}: Pick<ScreenState, 'entries' | 'size' | 'now' | 'root'>): Sections {
  return {
    count: entries.length,
    rows(index) {
      const entry = entries[index];
      if (entry === undefined) return [];
      const lines = entryLines(entry, {width: size.columns, now, isWhole: true, root});
      return needsGap(entries[index - 1], entry) ? [[], ...lines] : lines;
    },
  };
}
