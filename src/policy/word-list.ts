/** The words of a table, written as text: many short names are read better so. */
export function wordList(text: string): string[] {
  return text.trim().split(/\s+/);
}
