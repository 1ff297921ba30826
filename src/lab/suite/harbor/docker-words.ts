/** Words of an instruction that is not a shell line, after quote removal. */
export function words(text: string): string[] {
  const found = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return found.map((word) => word.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\./g, unquoted));
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  return part.startsWith('"') ? part.slice(1, -1).replaceAll(/\\(["\\$])/g, '$1') : part.slice(1);
}

/** Puts in the values of variables (`$NAME`, `${NAME}`, `${NAME:-text}`); undefined if one is not known. */
export function expand(text: string, values: Readonly<Record<string, string>>): string | undefined {
  let isKnown = true;
  const expanded = text.replaceAll(/\\\$|\$(?:\w+|\{\w+(?::-[^}]*)?\})/g, (part) => {
    if (part.startsWith('\\')) return '$';
    const [, name = '', fallback] = /^\$\{?(\w+)(?::-([^}]*))?/.exec(part) ?? [];
    const value = Object.hasOwn(values, name) ? values[name] : fallback;
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? expanded : undefined;
}
