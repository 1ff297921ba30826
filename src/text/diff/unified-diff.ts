import {displayText} from '../encoding.ts';

/**
 * A unified diff for people and models to read, '' if nothing changed. Bounded: after a quarter of a second, or where it would be
 * larger than 64 KB, it is cut and says so; it is not meant to be applied.
 */
export async function unifiedDiff(before: string, after: string, path: string): Promise<string> {
  if (before === after) return '';
  const {createTwoFilesPatch, FILE_HEADERS_ONLY} = await import('diff');
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, shown(before), shown(after), undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch === undefined) return `--- a/${path}\n+++ b/${path}\n(too many differences to show)\n`;
  return cut(patch);
}

const TIMEOUT_MS = 250;
const MAX_CHARS = 64 * 1024;

/** `diff` knows no lone CR as a line break. */
function shown(text: string): string {
  return displayText(text).replace(/\r(?!\n)/g, '\n');
}

function cut(patch: string): string {
  if (patch.length <= MAX_CHARS) return patch;
  const end = patch.lastIndexOf('\n', MAX_CHARS - 1);
  const kept = patch.slice(0, end < 0 ? MAX_CHARS : end + 1).toWellFormed();
  const more = patch.slice(kept.length).split('\n').length - 1;
  return `${kept}${kept.endsWith('\n') ? '' : '\n'}(diff cut here: ${more} more lines)\n`;
}
