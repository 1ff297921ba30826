/**
 * Reads a pattern for names of tools (vibe tool system › Tool Enable/Disable Patterns): a name, a glob (`mcp_*`), or `re:` and a regular
 * expression for the whole name. Case does not count. undefined: the regular expression is invalid.
 */
export function namePattern(pattern: string): ((name: string) => boolean) | undefined {
  const source = pattern.startsWith('re:') ? pattern.slice(3) : pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, globPart);
  try {
    const expression = new RegExp(`^(?:${source})$`, 'iu');
    // Names of tools are short, and the pattern is a person's own.
    return (name) => expression.test(name.slice(0, 200));
  } catch {
    return undefined;
  }
}

function globPart(char: string): string {
  if (char === '*') return '.*';
  return char === '?' ? '.' : `\\${char}`;
}
