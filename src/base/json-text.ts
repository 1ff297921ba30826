const known = new WeakMap<object, string>();

/** Returns the JSON text of a value that does not change: written once for all who need it, a log and a host for instance. */
export function jsonText(value: object): string {
  const found = known.get(value);
  if (found !== undefined) return found;
  const text = JSON.stringify(value);
  known.set(value, text);
  return text;
}
