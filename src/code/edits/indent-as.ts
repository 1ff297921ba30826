/** A text of several lines as it stands at an indentation; its first line stands there already. What has the indentation keeps it. */
export function indentAs(text: string, indent: string): string {
  const [first = '', ...rest] = text.split('\n');
  const used = rest.filter((line) => line.trim() !== '');
  if (indent === '' || used.every((line) => line.startsWith(indent))) return text;
  return [first, ...rest.map((line) => (line.trim() === '' ? line : indent + line))].join('\n');
}
