/**
 * The names of a path as a careless file system would compare them: case, width, invisible characters, streams (`:…`), final dots and
 * blanks do not count, and a backslash divides (CVE-2025-59944, CVE-2014-9390, CVE-2019-1352).
 */
export function pathSegments(path: string): string[] {
  return path.split(/[/\\]/).map(plainName);
}

function plainName(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  const plain = segment
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '');
  // `..` is not a name with final dots.
  return /^\.+$/.test(plain) ? plain : plain.replace(/[. ]+$/, '');
}

/** Most names: nothing in them counts for one and not for another. */
const PLAIN = /^(?:[!-9;-@[-~]*[!--/-9;-@[-~])?$/;

/**
 * Returns the short name on FAT and NTFS, `ENV~1` for `.env` and `GITMOD~1` for `.gitmodules`, without the number: `env`, `gitmod`,
 * `config.jso`. Undefined for a name that is not a short one.
 */
export function shortForm(segment: string): string | undefined {
  const found = /^([^~.]{1,6})~\d+(\.[^.]{0,3})?$/.exec(segment);
  return found === null ? undefined : `${found[1]}${found[2] ?? ''}`;
}

/** The form that {@link shortForm} gives for the short name of this name. */
export function shortFormOf(name: string): string {
  const bare = name.replace(/^[. ]+/, '').replaceAll(' ', '');
  const dot = bare.lastIndexOf('.');
  const base = (dot === -1 ? bare : bare.slice(0, dot)).replaceAll('.', '').slice(0, 6);
  return dot === -1 ? base : `${base}.${bare.slice(dot + 1, dot + 4)}`;
}
