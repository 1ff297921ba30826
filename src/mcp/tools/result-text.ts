import type {CallToolResult, ContentBlock, ReadResourceResult} from '@modelcontextprotocol/client';
import {isJsonObject, type Json} from '../../base/json.ts';
import {explicitText} from '../../base/visible-text.ts';
import {framed} from '../../tools/toolsets/frame.ts';
import {cleanLine} from '../clean-text.ts';

/** Text of a server for a model: between tags that it cannot close. '' stays ''. */
export function fromServer(server: string, text: string): string {
  return text === '' ? '' : framed('mcp_result', {server}, text);
}

/**
 * The content of a result as text: texts with invisible and control characters escaped, structured content as JSON, anything else named with
 * its kind and size.
 */
export function resultText({content, structuredContent}: CallToolResult): string {
  const text = blocksText(content);
  if (text !== '' || structuredContent === undefined) return text;
  return shortened(JSON.stringify(explicitJson(structuredContent as Json), null, 2));
}

/** Pieces of content, each on lines of its own. */
export function blocksText(blocks: readonly ContentBlock[]): string {
  return bounded(blocks.map(blockText)).join('\n');
}

/** Deeper lists and objects are named, not shown. */
const MAX_NESTING = 64;

/** The same value with every text and name in it escaped. */
export function explicitJson(value: Json, levels = MAX_NESTING): Json {
  if (typeof value === 'string') return explicitText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '(nested deeper, not shown)';
  if (!isJsonObject(value)) return value.map((item) => explicitJson(item, levels - 1));
  const members = Object.entries(value).map(([key, inner]) => [explicitText(key), explicitJson(inner ?? null, levels - 1)]);
  return Object.fromEntries(members) as Json;
}

/** The contents of a resource, like pieces of a result. */
export function contentsText(contents: ReadResourceResult['contents']): string {
  return bounded(contents.map(resourceText)).join('\n');
}

/** A piece of content: a line that names it, and its text as it came. */
interface Piece {
  readonly title: string;
  readonly text: string;
}

function blockText(block: ContentBlock): Piece {
  switch (block.type) {
    case 'text':
      return {title: '', text: block.text};
    case 'image':
    case 'audio':
      return {title: `[${block.type}: ${cleanLine(block.mimeType, 80)}, ${base64Bytes(block.data)} bytes, not shown]`, text: ''};
    case 'resource_link':
      return {title: `[resource: ${cleanLine(block.name, 120)}, ${cleanLine(block.uri, 500)}]`, text: ''};
    case 'resource':
      return resourceText(block.resource);
  }
}

function resourceText(resource: ReadResourceResult['contents'][number]): Piece {
  const name = cleanLine(resource.uri, 500);
  if ('text' in resource) return {title: `[resource: ${name}]`, text: resource.text};
  const kind = cleanLine(resource.mimeType ?? 'binary', 80);
  return {title: `[resource: ${name}, ${kind}, ${base64Bytes(resource.blob)} bytes, not shown]`, text: ''};
}

/** Most characters of all texts of a result together. */
const MAX_CHARS = 2_000_000;
/** Titles, which are short. */
const MAX_PIECES = 10_000;

function bounded(pieces: readonly Piece[]): string[] {
  let left = MAX_CHARS;
  const texts = pieces.slice(0, MAX_PIECES).map(({title, text}) => {
    const kept = shortened(text, left);
    left -= Math.min(left, text.length);
    return [title, kept].filter((line) => line !== '').join('\n');
  });
  return pieces.length > MAX_PIECES ? [...texts, `[${pieces.length - MAX_PIECES} more pieces, not shown]`] : texts;
}

function shortened(text: string, max = MAX_CHARS): string {
  const more = text.length - max;
  return more <= 0 ? explicitText(text) : `${explicitText(text.slice(0, max))}\n[cut here: ${more} more characters]`;
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}
