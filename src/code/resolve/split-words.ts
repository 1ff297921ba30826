/** The parts between these characters, where no bracket is open. */
export function splitOutside(text: string, separators: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (OPENING.includes(char)) depth++;
    else if (CLOSING.includes(char)) depth--;
    else if (depth === 0 && separators.includes(char)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

/** Where the bracket at `start` is closed; -1 where it is not. */
export function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (OPENING.includes(char)) depth++;
    else if (CLOSING.includes(char) && --depth === 0) return at;
  }
  return -1;
}

const OPENING = '(<[{';
const CLOSING = ')>]}';
