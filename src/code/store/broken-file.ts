import type {StoredFile} from './facts-reader.ts';
import type {ParsedFile} from './parsed-file.ts';

/** How the facts of a file stand to its text (column `broken`). */
export const GOOD = 0;
/** The parser met what it does not understand, and the facts are what it made of it. */
export const BROKEN = 1;
/** The text is broken; the facts are those of the last text that was not. */
export const LAST_GOOD = 2;

/** Whether the last good parse says more of the file than this one of a broken text: then symbols have been lost. */
export function isBetterKept(before: StoredFile, parsed: ParsedFile, state: number): boolean {
  return parsed.broken && state !== BROKEN && parsed.symbols < before.table.names.length;
}
