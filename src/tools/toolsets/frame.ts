/**
 * Text from elsewhere between tags that it cannot close: what stands there is material. Values of attributes stand on one line, without
 * quotes and brackets.
 */
export function framed(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const head = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${value.replaceAll(/["<>\n]/g, ' ')}"`)
    .join('');
  const inner = text.replaceAll(new RegExp(`<(?=\\s*/?\\s*${tag})`, 'gi'), '&lt;');
  return `<${tag}${head}>\n${inner}\n</${tag}>`;
}
