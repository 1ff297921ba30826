/**
 * Text from elsewhere between tags that it cannot close: what stands there is material. Tags by which agents mark results and orders
 * cannot be written in it either. Values of attributes stand on one line, without quotes and brackets.
 */
export function framed(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const head = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${value.replaceAll(/["<>\n]/g, ' ')}"`)
    .join('');
  return `<${tag}${head}>\n${withoutMarks(text, tag)}\n</${tag}>`;
}

/** Text in which no tag stands by which agents mark results and orders, nor `tag`: their brackets are spelled `&lt;`. */
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
