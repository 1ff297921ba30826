import type {ServerMessage} from './server-message.ts';

/** True where a server says, in any of the known ways, that the conversation does not fit into the context of the model. */
export function isContextOverflow({code, text}: ServerMessage): boolean {
  return CONTEXT_OVERFLOW.some((pattern) => pattern.test(code) || pattern.test(text));
}

/** True where a server says that it does not know the model. */
export function isUnknownModel({code, text}: ServerMessage): boolean {
  return UNKNOWN_MODEL.some((pattern) => pattern.test(code) || pattern.test(text));
}

/** True where a server says with another status than 401 that the key is wrong: Gemini does it with 400. */
export function isWrongKey({code, text}: ServerMessage): boolean {
  return /API key (?:not valid|expired|not found)|API_KEY_INVALID|invalid[_ ]api[_ ]key/i.test(`${code} ${text}`);
}

/** True where waiting does not help: the account has no money left. */
export function isOutOfCredit({code, text}: ServerMessage): boolean {
  return /insufficient_quota|billing_hard_limit|credit balance is too low|insufficient credits/i.test(`${code} ${text}`);
}

const CONTEXT_OVERFLOW: readonly RegExp[] = [
  /context_length_exceeded/, // OpenAI, the code
  /exceeds the context window/i, // OpenAI Responses
  /maximum context length/i, // OpenAI Chat Completions, vLLM, OpenRouter, Mistral ("too large for model with N maximum context length")
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic: "input length and `max_tokens` exceed context limit"
  /token count \(?\d*\)? ?exceeds the maximum/i, // Gemini
  /exceed_context_size|available context size/i, // llama.cpp
  /context the overflows|greater than the context length/i, // LM Studio
  /exceeds the context length/i, // Ollama
];

const UNKNOWN_MODEL: readonly RegExp[] = [
  /model_not_found|invalid_model/, // OpenAI, Mistral: the code
  /model\b.{0,100}\b(?:does not exist|not found|is not found)/is, // OpenAI, vLLM, Gemini, Ollama, LM Studio
  /^model: \S+$/, // Anthropic (not_found_error)
  /not a valid model|invalid model/i, // OpenRouter, Mistral
];
