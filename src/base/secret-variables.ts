import {isSecretVariable} from './variable-names.ts';

/**
 * Values of variables that are named like secrets, and passwords in the addresses that others hold. Short ones would hit ordinary words; names
 * that only speak about a secret (`SSH_AUTH_SOCK`, `KEY_ID`), paths, numbers and switches are none.
 */
export function secretValuesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (value.length < MIN_CHARS || !isSecretVariable(name, value)) return [];
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:(\S{4,})@/i.exec(value)?.[1];
    const passwords = password === undefined ? [] : [password, decodedOr(password)].filter(({length}) => length >= MIN_PASSWORD);
    return [...(ABOUT.test(name) || NO_SECRET.test(value) ? [] : [value]), ...new Set(passwords)];
  });
}

const MIN_CHARS = 8;
const MIN_PASSWORD = 6;

/** As it is typed elsewhere: `p%40ss` is `p@ss`. */
function decodedOr(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

const ABOUT = /PUBLIC_?KEY|(?:_ID|_FILE|_PATH|_DIR|_SOCK|_NAME|_TYPE|_VERSION|_PROVIDER|_METHOD|_HEADER|_TTL|_LENGTH)$/i;

/** Paths, numbers, switches. */
const NO_SECRET = /^(?:~|\.{1,2})?\/(?:[\w.@ -]+\/)+[\w.@ -]*$|^(?:disabled|enabled|required|optional|\d+)$/i;
