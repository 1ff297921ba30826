/**
 * Returns the end of a private key (RFC 7468, also with the newlines of JSON text) whose first line ends at `from`: after its last line, or,
 * if that is missing, after its last long line; undefined if no key follows. It may have any length; a regular expression for all of it would
 * overflow the stack.
 */
export function endOfPrivateKey(text: string, from: number): number | undefined {
  const end = skip(BODY, text, from);
  LAST_LINE.lastIndex = end;
  if (LAST_LINE.test(text)) return LAST_LINE.lastIndex;
  const last = lastLongLine(text, from);
  return last === from ? undefined : last;
}

/** Behind all that the pattern matches again and again. */
function skip(pattern: RegExp, text: string, from: number): number {
  let at = from;
  for (pattern.lastIndex = at; pattern.test(text); pattern.lastIndex = at) at = pattern.lastIndex;
  return at;
}

function lastLongLine(text: string, from: number): number {
  let end = from;
  for (;;) {
    const begin = skip(BREAKS, text, end);
    LINE.lastIndex = begin;
    if (begin === end || !LINE.test(text) || LINE.lastIndex - begin < SHORTEST_LINE) return end;
    end = LINE.lastIndex;
  }
}

const BODY = /[A-Za-z0-9+/=:,.\s]+|-(?!----(?:BEGIN|END))|\\{1,4}[nrt]/y;
const LAST_LINE = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const BREAKS = /\s+|\\{1,4}[nrt]/y;
const LINE = /[A-Za-z0-9+/=]+/y;
const SHORTEST_LINE = 40;
