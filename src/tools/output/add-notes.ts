import {isJsonObject, parseJson} from '../../base/json.ts';
import type {ToolReply} from '../toolset.ts';

/**
 * Appends notes for the model to a result, each on lines of its own. If the result is a JSON object, they become
 * its `notes`, so that it stays JSON.
 */
export function addNotes(
  {text, isJson}: Pick<ToolReply, 'text' | 'isJson'>,
  notes: readonly string[],
  written = (note: string) => note,
): string {
  if (notes.length === 0) return text;
  const value = isJson === true ? parseJson(text) : undefined;
  if (!isJsonObject(value)) return [text, ...notes.map(written)].join('\n');
  const before = Array.isArray(value['notes']) ? value['notes'] : [];
  return JSON.stringify({...value, notes: [...before, ...notes]});
}
