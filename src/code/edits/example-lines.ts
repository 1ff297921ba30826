/** Lines of examples that a test runner takes for code: `>>> start()` of Python, fences of Rust. Empty for other languages. */
export function exampleLines(family: string, lines: readonly string[], isProse: boolean): ReadonlySet<number> {
  if (family === 'python') return new Set(lines.flatMap((line, index) => (/^\s*(?:>>>|\.\.\.) /.test(line) ? [index] : [])));
  return family === 'rust' ? fenced(lines, isProse ? (line) => line : docComment) : new Set();
}

function docComment(line: string): string | undefined {
  return /^\s*\/\/[/!](?<text>.*)$/.exec(line)?.groups?.['text'];
}

/** Between fences of Markdown; where a line is none of it, its fence ends. */
function fenced(lines: readonly string[], textOf: (line: string) => string | undefined): ReadonlySet<number> {
  const found = new Set<number>();
  let fence = '';
  for (const [index, line] of lines.entries()) {
    const text = textOf(line)?.trim();
    if (text === undefined) fence = '';
    else if (text.startsWith('```')) fence = fence === '' ? text : '';
    else if (fence !== '' && !OTHER.test(fence)) found.add(index);
  }
  return found;
}

/** Fences that are no tests (The rustdoc book › Documentation tests). */
const OTHER = /^`{3,}(?:text|toml|ignore|console|sh|bash|json|yaml|diff)\b/;
