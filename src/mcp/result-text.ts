import type {CallToolResult, ContentBlock, ReadResourceResult} from '@modelcontextprotocol/client';
import {cleanLine, withoutHidden} from './clean-text.ts';

/** The content of a result as text for a model: texts as they are, everything else named with its kind and size. */
export function resultText({content, structuredContent}: CallToolResult): string {
  const text = content.map(blockText).join('\n');
  if (text !== '' || structuredContent === undefined) return text;
  return JSON.stringify(structuredContent, null, 2);
}

/** One piece of content as text. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${cleanLine(block.mimeType, 80)}, ${base64Bytes(block.data)} bytes, not shown]`;
    case 'resource_link':
      return `[resource: ${cleanLine(block.name, 120)}, ${cleanLine(block.uri, 500)}]`;
    case 'resource':
      return resourceText(block.resource);
  }
}

function resourceText(resource: Extract<ContentBlock, {type: 'resource'}>['resource']): string {
  const name = cleanLine(resource.uri, 500);
  if ('text' in resource) return `[resource: ${name}]\n${resource.text}`;
  return `[resource: ${name}, ${cleanLine(resource.mimeType ?? 'binary', 80)}, ${base64Bytes(resource.blob)} bytes, not shown]`;
}

/** Of a text longer than this only the beginning is looked at. */
const MAX_CHARS = 2_000_000;

/** The contents of a resource: texts without characters that steer screens, everything else named with its kind and size. */
export function contentsText(contents: ReadResourceResult['contents']): string {
  const texts = contents.map((part) => {
    const text = resourceText('text' in part ? {...part, text: withoutHidden(part.text.slice(0, MAX_CHARS))} : part);
    const more = 'text' in part ? part.text.length - MAX_CHARS : 0;
    return more > 0 ? `${text}\n[cut here: ${more} more characters]` : text;
  });
  return texts.join('\n');
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}
