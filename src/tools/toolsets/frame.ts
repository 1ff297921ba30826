/**
 * Frames text from elsewhere in tags that it cannot close: its content is untrusted data. It cannot contain tags by which agents mark results
 * and orders either. Attribute values are on one line, without quotes and angle brackets.
 */
export function framed(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const head = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${value.replaceAll(/["<>\n]/g, ' ')}"`)
    .join('');
  return `<${tag}${head}>\n${withoutMarks(text, tag)}\n</${tag}>`;
}

/** Escapes the tags with which agents mark results and orders, and `tag`: their brackets become `&lt;`. */
export function withoutMarks(text: string, tag = MARKS): string {
  return text.replaceAll(new RegExp(String.raw`[<\uff1c\ufe64](?=\s*[/\uff0f]?\s*(?:${tag}|${MARKS}))`, 'gi'), '&lt;');
}

/** Ours, and those of Claude Code, Anthropic's and Qwen's tool formats. */
const MARKS = [
  'mcp_',
  'web_page',
  'web_results',
  'skill_content',
  'tool_result',
  'tool_response',
  'function_result',
  'system-reminder',
].join('|');
