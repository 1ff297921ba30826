/** Returns true if a hook applies to something, by its name. */
export type Matcher = (name: string) => boolean;

/** '' and `*`: all · else a regular expression for the whole name, of which `A|B` is one. undefined: it is none. */
export function readMatcher(text: string): Matcher | undefined {
  if (text === '' || text === '*') return () => true;
  try {
    const pattern = new RegExp(`^(?:${text})$`, 'u');
    return (name) => pattern.test(name);
  } catch {
    return undefined;
  }
}
