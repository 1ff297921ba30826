/**
 * Renders a result as a line `field: value` for each field, so that the model sees the fields of the result
 * schema (vibe tool system › ToolResult).
 */
export function replyText(result: unknown): string {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return valueText(result);
  return Object.entries(result)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}: ${valueText(value)}`)
    .join('\n');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
