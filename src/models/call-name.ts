/**
 * The name of a call as it can go back to a server. Models invent names (`functions.read`, a sentence, nothing at all), and a server that
 * gets one of them back refuses every later request of the conversation: names are at most 64 letters, digits, `_` and `-`
 * (OpenAI, function calling › name; Anthropic, tool use › name).
 */
export function callName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}
