import type {WireFormat} from '../protocol/messages.ts';
import type {ChatDialect} from './openai/openai-chat.ts';
import {COMMON_DIALECT, type ProviderEntry} from './provider-table.ts';
import type {Wire} from './wire.ts';

/** Loads the wire format of a provider, and no other. */
export function wireOf({format, dialect}: ProviderEntry): Promise<Wire> {
  return WIRES[format](dialect ?? COMMON_DIALECT);
}

const WIRES: Readonly<Record<WireFormat, (dialect: ChatDialect) => Promise<Wire>>> = {
  'openai-chat': async (dialect) => (await import('./openai/openai-chat.ts')).createChatWire(dialect),
  'openai-responses': async () => (await import('./openai/openai-responses.ts')).responsesWire,
  anthropic: async () => (await import('./anthropic/anthropic.ts')).anthropicWire,
  gemini: async () => (await import('./gemini/gemini.ts')).geminiWire,
};
