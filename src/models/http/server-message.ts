import {isJsonObject, parseJson, type Json} from '../../base/json.ts';

/** An error as described by a server. Both fields are foreign text: show them only through {@link oneLine}. */
export interface ServerMessage {
  readonly text: string;
  /** The machine-readable word or number beside it, or ''. */
  readonly code: string;
}

/** Finds the message in the body of an error answer: OpenAI, Anthropic, Gemini, Ollama, FastAPI (vLLM, Mistral), plain text. HTML has none. */
export function serverMessage(body: string): ServerMessage {
  const json = parseJson(body);
  if (json !== undefined) return messageIn(json);
  return {text: /^\s*</.test(body) ? '' : body, code: ''};
}

/** The same for an error that is already JSON, as in a stream. */
export function messageIn(json: Json | undefined): ServerMessage {
  if (typeof json === 'string') return {text: json, code: ''};
  if (isList(json)) return messageIn(json[0]);
  if (!isJsonObject(json)) return {text: '', code: ''};
  if (isJsonObject(json['error'])) return messageIn(json['error']);
  const text = [json['message'], json['msg'], json['error'], json['detail']].find((value) => value !== undefined && value !== null);
  const code = [json['code'], json['type'], json['status']].filter((value) => typeof value === 'string' || typeof value === 'number');
  return {text: typeof text === 'string' ? text : messageIn(text).text, code: code.join(' ')};
}

function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

/** Foreign text as one line for people: without the key, without control characters, at most 500 characters. */
export function messageLine(text: string, secret: string | undefined): string {
  const safe = secret === undefined || secret === '' ? text : text.replaceAll(secret, '[key]');
  // Controls, and the marks that turn the direction of text: a server must not steer a terminal.
  const line = safe.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1)}…`;
}

const MAX_LENGTH = 500;
