import type {WireFormat} from '../../protocol/messages.ts';

/**
 * The base URL as its wire format needs it. People write it in two ways, with and without the version: an address without a path gets
 * the version that every server of the format has, and `/v1` is not said twice.
 */
export function completeBaseUrl(baseUrl: string, format: WireFormat): string {
  const bare = baseUrl.replace(/\/+$/, '');
  if (format === 'anthropic') return bare.replace(/\/v1$/, '');
  const hasPath = new URL(bare).pathname !== '/';
  return hasPath ? bare : `${bare}${VERSION_PATH[format]}`;
}

const VERSION_PATH = {'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta'} as const;
