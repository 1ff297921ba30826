/**
 * Parses a paste that consists only of paths of pictures, as terminals write files that are dragged onto them: as words of a shell (quoted, or with
 * backslashes), as `file://` addresses, or bare, one on each line. Returns absolute paths or paths below `~/`; undefined for any other text.
 */
export function pastedPicturePaths(text: string): readonly string[] | undefined {
  const pasted = text.trim();
  if (pasted.length > MOST_CHARACTERS || CONTROLS.test(pasted)) return undefined;
  const lines = pasted.split('\n').map((line) => line.trim());
  const bare = lines.filter((line) => line !== '');
  // A blank before a slash: several paths, which are words.
  return picturesIn(shellWords(pasted)) ?? (bare.some((line) => /\s~?\//.test(line)) ? undefined : picturesIn(bare));
}

/** A paste of up to this length is shown in the line as it is. */
const MOST_CHARACTERS = 4000;
const MOST_PATHS = 10;

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const PICTURE = /^(?:~?\/)[^]*\.(?:png|jpe?g|gif|webp)$/i;

function picturesIn(words: readonly string[] | undefined): readonly string[] | undefined {
  if (words === undefined || words.length === 0 || words.length > MOST_PATHS) return undefined;
  const paths = words.map((word) => (/^file:/i.test(word) ? pathOfAddress(word) : word));
  const pictures = paths.filter((path) => path !== undefined && PICTURE.test(path) && !CONTROLS.test(path) && !path.includes('\n'));
  return pictures.length === words.length ? pictures.filter((path) => path !== undefined) : undefined;
}

function pathOfAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.hostname !== '' && url.hostname !== 'localhost')) return undefined;
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return undefined; // bytes that are not UTF-8
  }
}

/** The words of a line without variables and commands; undefined if a quote is not closed. */
function shellWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [written = ''] = WORD.exec(rest) ?? [];
    if (written === '') return undefined;
    words.push(written.replaceAll(PART, (part) => unquoted(part)));
    rest = rest.slice(written.length).trimStart();
  }
  return words;
}

const WORD = /^(?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\])+/;
const PART = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]/g;

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  return part.startsWith('"') ? part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1') : part.slice(1);
}
