/** Returns true if a hook applies to something, by its name. */
export type Matcher = (name: string) => boolean;

/** Parses a matcher. '' and `*` match everything; anything else is a regular expression for the whole name, such as `A|B`. undefined: invalid. */
export function readMatcher(text: string): Matcher | undefined {
  if (text === '' || text === '*') return () => true;
  try {
    const pattern = new RegExp(`^(?:${text})$`, 'u');
    return (name) => pattern.test(name);
  } catch {
    return undefined;
  }
}
