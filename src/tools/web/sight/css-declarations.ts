/** One declaration of a style sheet or a `style` attribute; name and value in lower case, escapes resolved. */
export interface CssDeclaration {
  readonly name: string;
  readonly value: string;
  readonly important: boolean;
}

/** Longer values do not affect whether a text is visible. */
const MAX_VALUE = 300;
const MAX_NAME = 60;

/** Reads declarations (CSS Syntax 3), the browsers' prefixes taken off. Invalid ones are left out. */
export function cssDeclarations(text: string): CssDeclaration[] {
  return splitOutside(withoutComments(text), ';').flatMap((piece) => {
    const colon = piece.indexOf(':');
    const name = unescaped(piece.slice(0, Math.max(0, colon)).trim().slice(0, MAX_NAME))
      .toLowerCase()
      .replace(/^-(?:webkit|moz|ms|o)-/, '');
    if (!/^[a-z-]+$/.test(name)) return [];
    const whole = unescaped(piece.slice(colon + 1, colon + 1 + MAX_VALUE))
      .trim()
      .toLowerCase();
    const value = whole.replace(/\s*!\s*important$/, '');
    return [{name, value, important: value !== whole}];
  });
}

/** Splits a text at separators outside of brackets and quotes. */
export function splitOutside(text: string, sign: ';' | ','): string[] {
  const parts: string[] = [];
  let [depth, from, quote] = [0, 0, ''];
  for (const {0: found, index} of text.matchAll(/[;,()[\]"']/g)) {
    if (quote !== '') quote = found === quote ? '' : quote;
    else if (found === '"' || found === "'") quote = found;
    else if (found === '(' || found === '[') depth += 1;
    else if (found === ')' || found === ']') depth = Math.max(0, depth - 1);
    else if (found === sign && depth === 0) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, text.slice(from)];
}

export function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf('/*'); start !== -1; start = text.indexOf('/*', at)) {
    kept.push(text.slice(at, start));
    const end = text.indexOf('*/', start + 2);
    at = end === -1 ? text.length : end + 2;
  }
  return kept.join('') + text.slice(at);
}

/** Decodes escapes: `d\69splay` is `display` (CSS Syntax 3 › 4.3.7). */
export function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, char: string | undefined) => {
    const point = Number.parseInt(code ?? '', 16);
    return char ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '');
  });
}
