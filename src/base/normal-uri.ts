/** A URI in its normal form, and other URIs that a server may read it as. */
export type NormalUri =
  | {
      readonly uri: string;
      /** The normal form first; without `uri`. */
      readonly readings: readonly string[];
    }
  | {
      /** The reason why the URI has no certain meaning; continues "it …". */
      readonly problem: string;
    };

/**
 * Normalises a URI of any scheme (WHATWG URL; RFC 3986 › 6.2.2): scheme and host, default port, dot segments, slashes, encoded characters that
 * need no encoding. A URI that differs from the normal form only in characters that every parser encodes alike (`ä`, `{`) stays as it is,
 * because servers compare texts. Refuses what parsers disagree about: control and invisible characters, a `%` that encodes nothing, bytes that
 * are not UTF-8, a name or password before a web host, text that is encoded more than three times.
 */
export function normalUri(text: string): NormalUri {
  const asked = text.trim();
  const decoded = decodings(asked);
  if (typeof decoded === 'string') return {problem: decoded};
  const url = URL.parse(asked.replaceAll(/%[0-9a-f]{2}/gi, unreserved));
  if (url === null) return {problem: 'has no scheme, or cannot be read'};
  const isWeb = /^(?:https?|wss?|ftp|file):$/.test(url.protocol);
  if (!isWeb && /^[^?#]*\\/.test(url.href)) return {problem: String.raw`holds a backslash (write / or %5C)`};
  if (isWeb && (url.username !== '' || url.password !== '')) return {problem: 'holds a name or a password'};
  if (isWeb) url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.protocol === 'file:') url.pathname = url.pathname.replaceAll(/\/{2,}/g, '/');
  const normal = url.href;
  const parts = partsOf(url);
  if (typeof decodings(normal) === 'string') return {problem: 'is encoded too often'};
  const all = [normal, ...fragmentless(url), ...decodedReadings(parts)];
  const uri = isSameText(asked, normal) ? asked : normal;
  return {uri, readings: [...new Set(all.flatMap((reading) => [reading, plainLetters(reading)]))].filter((reading) => reading !== uri)};
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const MOST_DECODINGS = 3;

/** The text, decoded once, twice …; or why it cannot be decoded with certainty. */
function decodings(text: string): readonly string[] | string {
  if (INVISIBLE.test(text)) return 'holds control or invisible characters';
  if (/%(?![0-9a-f]{2})/i.test(text)) return 'holds a % that encodes nothing (write %25)';
  const all = [text];
  for (let last = text; /%[0-9a-f]{2}/i.test(last); last = all.at(-1) ?? '') {
    if (all.length > MOST_DECODINGS) return 'is encoded too often';
    const next = decodedOnce(last);
    if (next === undefined) return 'holds encoded bytes that are not UTF-8';
    if (CONTROL.test(next)) return 'holds encoded control characters';
    if (next === last) break;
    all.push(next);
  }
  return all;
}

/** Only the first decoding was checked for a `%` that encodes nothing: `100%25` is a percent sign. */
function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return undefined;
  }
}

/** RFC 3986 › 2.3; the digits of other codes in capitals. */
function unreserved(code: string): string {
  const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(char) ? char : code.toUpperCase();
}

interface UriParts {
  readonly scheme: string;
  /** With `//`; '' if there is none. */
  readonly authority: string;
  readonly path: string;
  readonly search: string;
  readonly hash: string;
}

function partsOf({protocol, href, pathname, search, hash}: URL): UriParts {
  const authority = /^[^:]*:(\/\/[^/?#]*)/.exec(href)?.[1] ?? '';
  return {scheme: protocol, authority, path: pathname, search, hash};
}

/** A server may leave out the fragment, and that of a file also the query. */
function fragmentless({href, protocol}: URL): string[] {
  const [base = ''] = href.split('#', 1);
  return protocol === 'file:' ? [base, base.split('?', 1)[0] ?? ''] : [base];
}

/**
 * Returns the URI decoded once or several times, with dot segments resolved; if the authority is a name of the
 * server's own, they may climb into it.
 */
function decodedReadings({scheme, authority, path, search, hash}: UriParts): string[] {
  const rounds = Array.from({length: MOST_DECODINGS + 1}, (_, times) => {
    const [host, way, query] = [authority, path, search + hash].map((part) => decodedTimes(part, times));
    const apart = scheme + (host ?? '') + withoutDots(way ?? '');
    const whole = host === '' ? apart : `${scheme}//${withoutDots((host ?? '').slice(2) + (way ?? ''))}`;
    return [apart + (query ?? ''), whole + (query ?? '')];
  });
  return rounds.flat();
}

function decodedTimes(text: string, times: number): string {
  let decoded = text;
  for (let round = 0; round < times; round += 1) decoded = decodedOnce(decoded) ?? decoded;
  return decoded;
}

/** RFC 3986 › 5.2.4, where a backslash is a slash, and `..;x` is `..` as servers of Java read it. */
function withoutDots(path: string): string {
  const result: string[] = [];
  const segments = path.replaceAll('\\', '/').split('/');
  const first = segments[0] === '' ? 1 : 0;
  for (const [at, segment] of segments.entries()) {
    const dots = /^(\.\.?)(?:;.*)?$/.exec(segment)?.[1];
    if (dots === undefined) result.push(segment);
    else {
      if (dots === '..' && result.length > first) result.pop();
      if (at === segments.length - 1) result.push('');
    }
  }
  return result.join('/');
}

/** Characters that look or count like others: full-width forms, composed letters, invisible characters. */
function plainLetters(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{DI}/gu, '');
}

function isSameText(asked: string, normal: string): boolean {
  const encoded = encodedAlike(asked);
  return encoded === encodedAlike(normal) || `${encoded}/` === encodedAlike(normal);
}

function encodedAlike(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]|["<>`{}|^']/gu, (char) => encodeURIComponent(char));
}
