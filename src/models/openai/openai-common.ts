import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {ToolResultPart} from '../../protocol/messages.ts';
import type {Usage} from '../../protocol/usage.ts';
import {numberOf, objectOf} from '../json-fields.ts';
import {messageIn} from '../http/server-message.ts';
import type {DecodeFailure} from '../wire.ts';

// Shared by the two OpenAI formats.

/** The formats have no flag for a failed tool call: the text says it. */
export function toolResultText({text, isError}: ToolResultPart): string {
  return isError && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/**
 * A JSON Schema for the final answer, as both formats take it. Strict where the schema allows it: strict mode wants every object closed
 * and every property required, and refuses other schemas.
 */
export function answerSchema(schema: Json): JsonObject {
  return {name: 'answer', schema, strict: isStrict(schema)};
}

function isStrict(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const properties = schema['properties'];
  if (schema['type'] === 'object' || properties !== undefined) {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const names = Object.keys(objectOf(properties));
    if (schema['additionalProperties'] !== false || names.some((name) => !required.includes(name))) return false;
  }
  return Object.values(schema).every((value) => value === undefined || isStrict(value));
}

/** `prompt_tokens`/`input_tokens` and their details; both formats differ only in these names. */
export function usageOf(
  input: {total: Json | undefined; details: Json | undefined},
  output: {total: Json | undefined; details: Json | undefined},
): Usage {
  const read = objectOf(input.details);
  return {
    input_tokens: numberOf(input.total),
    cached_input_tokens: numberOf(read['cached_tokens']),
    cache_creation_tokens: numberOf(read['cache_write_tokens']),
    output_tokens: numberOf(output.total),
    reasoning_tokens: numberOf(objectOf(output.details)['reasoning_tokens']),
  };
}

/** An error object inside a stream. Asking again helps, unless the request itself is at fault. */
export function streamFailure(error: Json | undefined): DecodeFailure {
  const {text, code} = messageIn(error);
  const fatal = /invalid|not_found|unsupported|context_length|content_filter|quota|\b4(?!08|09|29)\d\d\b/i.test(code);
  const message = [code, text].filter((part) => part !== '').join(': ');
  return {ok: false, message: message === '' ? 'The server reported an error without a message.' : message, retryable: !fatal};
}

/** The data of one event as JSON; undefined if it is none. */
export function eventObject(data: string): JsonObject | undefined {
  const json = parseJson(data);
  return isJsonObject(json) ? json : undefined;
}

export const BROKEN_STREAM: DecodeFailure = {ok: false, message: 'The stream broke off before the reply was complete.', retryable: true};

export const BROKEN_REPLY: DecodeFailure = {ok: false, message: 'The server ended the reply with an error.', retryable: true};

export const NOT_JSON: DecodeFailure = {ok: false, message: 'The server sent an event that is not JSON.', retryable: true};
