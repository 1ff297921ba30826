/** Folders that mean the same in the recording and in the replay, and a name for both. */
export interface SamePlace {
  readonly name: string;
  /** Absolute paths. */
  readonly paths: readonly string[];
}

/**
 * Makes texts of two runs comparable: what is different from run to run without meaning anything (places, times, durations, process
 * numbers, addresses, ids, ports that were chosen freely) becomes a word for it. Everything else must be the same.
 */
export function createNormaliser(places: readonly SamePlace[]): (text: string) => string {
  const encoded = places
    .flatMap(({name, paths}) => paths.filter((path) => path.length > 1).map((path) => ({name, path})))
    .toSorted((a, b) => b.path.length - a.path.length);
  return (text) => {
    const placed = encoded.reduce((result, {name, path}) => replacePath(result, path, name), text);
    return PASSING.reduce((result, [pattern, word]) => result.replaceAll(pattern, word), placed);
  };
}

/** A path and not the beginning of the name of another one. */
export function replacePath(text: string, path: string, by: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, from)) {
    const next = text[at + path.length];
    const isName = next !== undefined && /[\w.-]/.test(next) && !/^\.(?:$|\W)/.test(text.slice(at + path.length, at + path.length + 2));
    result += text.slice(from, at) + (isName ? path : by);
    from = at + path.length;
  }
  return result + text.slice(from);
}

const PASSING: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?/g, '<time>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} [A-Z][a-z]{2})(?: \d{4})? \d\d:\d\d:\d\d(?: [A-Z]{2,5})?(?: [+-]?\d{4})?/g,
    '<time>',
  ],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} +(?:\d\d:\d\d|\d{4})\b/g, '<time>'],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b\d+m\d+(?:\.\d+)?s\b/g, '<duration>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|secs?|seconds?|milliseconds?|mins?|minutes?)\b/g, '<duration>'],
  [/\b(pid|PID|process)([ =:#]+)\d+\b/g, '$1$2<pid>'],
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?:thr|trn|itm|req|chk|inp|out|run|job|cmd)_[0-9A-Za-z]{6,}\b/g, '<id>'],
  // The count includes the path of a file that is stored elsewhere now.
  [/\[TRUNCATED: \d+ bytes\b/g, '[TRUNCATED: <size>'],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d{4,5}\b/g, '$1:<port>'],
  [/(?:\/private)?(?:\/tmp|\/var\/folders\/\w\w\/\w+\/T)\/[\w.-]*[A-Za-z0-9_-]{6,}/g, '<temporary>'],
];
