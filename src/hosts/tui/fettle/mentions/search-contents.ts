import type {SearchEngine} from '../../../../search/engine.ts';
import type {PickerItem} from '../../host-adapter.ts';

/**
 * Searches the contents of the files of a workspace for a text as it is typed: lines as `path:line: text`, each standing for the reference
 * `path:line`. Files that are ignored or hidden are not searched. Upper and lower case are the same unless the text has an upper case letter.
 * A text of less than two characters finds nothing. Throws CANCELLED.
 */
export async function searchContents(
  text: string,
  {engine, root}: {readonly engine: Pick<SearchEngine, 'grep'>; readonly root: string},
  signal: AbortSignal,
): Promise<readonly PickerItem[]> {
  const wanted = text.trim();
  if (Array.from(wanted).length < LEAST_CHARACTERS) return [];
  const {matches} = await engine.grep(
    {
      root,
      hidden: false,
      ignoreFiles: true,
      requireGit: false,
      pattern: wanted.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`),
      caseInsensitive: wanted === wanted.toLowerCase(),
      multiline: false,
      globs: [],
      maxMatches: MOST_FOUND,
      anyMatches: true,
      maxLineChars: MOST_LINE,
      contextLines: 0,
      timeoutMs: TIMEOUT_MS,
    },
    signal,
  );
  return matches.map(({path, line, text: found}) => {
    const place = `${path}:${line}`;
    return {value: place, label: `${place}: ${found.trim()}`};
  });
}

/** One character is in nearly every line. */
const LEAST_CHARACTERS = 2;
const MOST_FOUND = 50;
const MOST_LINE = 300;
/** The search ends after this time and shows what it has found so far. */
const TIMEOUT_MS = 5000;
