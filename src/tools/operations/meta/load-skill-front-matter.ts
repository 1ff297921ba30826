/**
 * Splits a SKILL.md into its two parts (agentskills.io › SKILL.md format): YAML between lines of three hyphens,
 * and the instructions. Returns undefined if the file does not begin with front matter.
 */
export function splitFrontMatter(text: string): {readonly yaml: string; readonly body: string} | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines[0]?.trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  return end < 0
    ? undefined
    : {
        yaml: lines.slice(1, end).join('\n'),
        body: lines
          .slice(end + 1)
          .join('\n')
          .trim(),
      };
}
