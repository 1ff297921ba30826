/** `WordCount`, `wordCount`, `word-count` → `word_count` (vibe tool system › get_name). */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[-.\s]+/g, '_')
    .toLowerCase();
}

/** Describes the problem of a name; undefined: none. The rules are those of providers. */
export function nameProblem(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    return `"${name}" is not a tool name: it must begin with a letter, and have letters, digits and "_", at most 64`;
  }
  return name.startsWith('mcp__') ? `"${name}" is the name of a tool of an MCP server` : undefined;
}
