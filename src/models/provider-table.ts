import type {WireFormat} from '../protocol/messages.ts';
import type {ChatDialect} from './openai/openai-chat.ts';

/** A provider that Fettle knows by name. */
export interface ProviderEntry {
  readonly format: WireFormat;
  readonly baseUrl: string;
  /** The environment variable that holds the key; without one no key is sent. */
  readonly keyVariable?: string | undefined;
  /** The environment variable that moves the base URL. */
  readonly baseUrlVariable?: string;
  /** Runs on the machine of the person: it may load a model, or read a long prompt, for minutes before it says a word. */
  readonly isLocal?: boolean;
  /** Dialect of Chat Completions only. */
  readonly dialect?: ChatDialect;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const OPENAI = {keyVariable: 'OPENAI_API_KEY', baseUrlVariable: 'OPENAI_BASE_URL', baseUrl: 'https://api.openai.com/v1'};

/** Features newer than the original OpenAI API that servers commonly understand; also of custom providers. */
export const COMMON_DIALECT: ChatDialect = {
  limitField: 'max_tokens',
  asksForUsage: true,
  hasCacheKey: false,
  shortCallIds: false,
  hasLogprobs: true,
};

export const BUILT_IN_PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: {format: 'openai-responses', ...OPENAI},
  'openai-chat': {
    format: 'openai-chat',
    ...OPENAI,
    dialect: {limitField: 'max_completion_tokens', asksForUsage: true, hasCacheKey: true, shortCallIds: false, hasLogprobs: true},
  },
  anthropic: {
    format: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
  },
  gemini: {
    format: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GEMINI_API_KEY',
    baseUrlVariable: 'GEMINI_BASE_URL',
  },
  mistral: {
    format: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    baseUrlVariable: 'MISTRAL_BASE_URL',
    dialect: {limitField: 'max_tokens', asksForUsage: false, hasCacheKey: true, shortCallIds: true, hasLogprobs: false},
  },
  openrouter: {
    format: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    baseUrlVariable: 'OPENROUTER_BASE_URL',
  },
  ollama: {format: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', baseUrlVariable: 'OLLAMA_BASE_URL', isLocal: true},
  lmstudio: {format: 'openai-chat', baseUrl: 'http://127.0.0.1:1234/v1', baseUrlVariable: 'LMSTUDIO_BASE_URL', isLocal: true},
  llamacpp: {format: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', baseUrlVariable: 'LLAMACPP_BASE_URL', isLocal: true},
  vllm: {format: 'openai-chat', baseUrl: 'http://127.0.0.1:8000/v1', baseUrlVariable: 'VLLM_BASE_URL', isLocal: true},
};
