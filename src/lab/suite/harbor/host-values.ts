/**
 * Returns the variables of a Harbor table. `${NAME:-text}` becomes the text; `${NAME}` asks for a variable of the host, which no task of
 * somebody else gets, and is `missing`.
 */
export function hostValues(variables: Readonly<Record<string, string>>): {
  readonly values: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
} {
  const values: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, text] of Object.entries(variables)) {
    values[name] = text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, host: string, fallback?: string) => {
      if (fallback === undefined) missing.push(host);
      return fallback ?? '';
    });
  }
  return {values, missing};
}
