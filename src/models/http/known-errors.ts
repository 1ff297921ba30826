import {OTHER_LIMITS, OVERFLOW_WORDINGS} from './overflow.table.ts';
import type {ServerMessage} from './server-message.ts';

/** True if a server says, in any of the known ways, that the conversation does not fit into the context window of the model. */
export function isContextOverflow(message: ServerMessage): boolean {
  return !isOtherLimit(message) && wordingsOf(message).length > 0;
}

/** True if a server names a limit that a shorter conversation would not solve: a rate, a quota, the size of the reply or of an attachment. */
export function isOtherLimit({code, text}: ServerMessage): boolean {
  // Without room for the reply vLLM names both limits: the conversation is the problem.
  if (/context_length_exceeded/.test(code) || /maximum context length is/i.test(text)) return false;
  return OTHER_LIMITS.some((pattern) => pattern.test(text) || pattern.test(code));
}

/** Returns the size of the context that a refusal names, in tokens; undefined if it names none, or one that no model has. */
export function windowInRefusal(message: ServerMessage): number | undefined {
  if (!isContextOverflow(message)) return undefined;
  for (const {groups} of wordingsOf(message)) {
    const tokens = Number((groups?.['window'] ?? groups?.['second'] ?? '').replaceAll(',', ''));
    if (tokens >= SMALLEST_WINDOW && tokens <= LARGEST_WINDOW) return tokens;
  }
  return undefined;
}

/** A server that is wrong, or hostile, must not make the window useless. Tokens. */
const SMALLEST_WINDOW = 256;
const LARGEST_WINDOW = 100_000_000;

function wordingsOf({code, text}: ServerMessage): RegExpExecArray[] {
  return OVERFLOW_WORDINGS.flatMap(({wording}) => {
    const found = wording.exec(text) ?? wording.exec(code);
    return found === null ? [] : [found];
  });
}

/** True if a server says that it does not know the model. */
export function isUnknownModel({code, text}: ServerMessage): boolean {
  return UNKNOWN_MODEL.some((pattern) => pattern.test(code) || pattern.test(text));
}

/** True if a server says with another status than 401 that the key is wrong: Gemini does it with 400. */
export function isWrongKey({code, text}: ServerMessage): boolean {
  return /API key (?:not valid|expired|not found)|API_KEY_INVALID|invalid[_ ]api[_ ]key/i.test(`${code} ${text}`);
}

/** True if waiting does not help: the account has no money left. */
export function isOutOfCredit({code, text}: ServerMessage): boolean {
  return /insufficient_quota|billing_hard_limit|credit balance is too low|insufficient credits/i.test(`${code} ${text}`);
}

/** True if a server says that this model has no log probabilities: OpenAI for reasoning models, Gemini for some. */
export function isWithoutLogprobs({code, text}: ServerMessage): boolean {
  return /log_?probs/i.test(`${code} ${text}`);
}

/**
 * True if the body of a refusal names the temperature: OpenAI (reasoning models), Anthropic (while thinking) and Gemini in the text, servers on
 * FastAPI only as the place (`loc`) of the mistake.
 */
export function isAboutTemperature(body: string): boolean {
  return /\btemperature\b/i.test(body);
}

const UNKNOWN_MODEL: readonly RegExp[] = [
  /model_not_found|invalid_model/, // OpenAI, Mistral: the code
  /model\b.{0,100}\b(?:does not exist|not found|is not found)/is, // OpenAI, vLLM, Gemini, Ollama, LM Studio
  /^model: \S+$/, // Anthropic (not_found_error)
  /not a valid model|invalid model/i, // OpenRouter, Mistral
];
