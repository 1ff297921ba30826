import {normalUri} from '../../base/normal-uri.ts';

export interface MentionedResource {
  readonly server: string;
  readonly uri: string;
}

/**
 * Finds the resources that a text mentions as `@server:uri`, each once, in the order of the text. `servers` are the names of those that have
 * resources: `@name:…` of anything else is text. Punctuation that ends a sentence is not part of a URI.
 */
export function mentionedResources(text: string, servers: readonly string[]): readonly MentionedResource[] {
  const found = new Map<string, MentionedResource>();
  for (const [, server = '', written = ''] of text.matchAll(/(?<=^|[\s(])@([\w-]+):(\S+)/g)) {
    const uri = withoutPunctuation(written);
    if (servers.includes(server) && 'uri' in normalUri(uri)) found.set(`${server}:${uri}`, {server, uri});
  }
  return [...found.values()];
}

function withoutPunctuation(uri: string): string {
  const bare = uri.replace(/[.,;:!?'"]+$/, '');
  return bare.endsWith(')') && !bare.includes('(') ? withoutPunctuation(bare.slice(0, -1)) : bare;
}
