/** Formats a block of code between fences that do not occur in it; `names` are the classes of its element, which often name the language. */
export function fencedCode(text: string, names: string): readonly string[] {
  const code = text.replace(/^\n/, '').trimEnd();
  if (code.trim() === '') return [];
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  const language = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#-]{1,30})(?=\s|$)/.exec(names.slice(0, 1000))?.[1] ?? '';
  return [`${fence}${language}`, ...code.split('\n'), fence];
}

/** Code within a line (CommonMark 6.1). */
export function inlineCode(text: string): string {
  const code = text.replaceAll(/\s+/g, ' ').trim();
  const fence = '`'.repeat(longestRun(code) + 1);
  return fence.length > 1 ? `${fence} ${code} ${fence}` : `\`${code}\``;
}

/** Returns the longest run of backticks. */
function longestRun(text: string): number {
  let [longest, run] = [0, 0];
  for (const char of text) {
    run = char === '`' ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
