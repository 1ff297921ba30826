/** The words of a table, written as text: many short names are easier to read this way. */
export function wordList(text: string): string[] {
  return text.trim().split(/\s+/);
}
