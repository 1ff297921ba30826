import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {AssistantPart, Message, ToolCallPart, ToolResultPart} from '../../protocol/messages.ts';
import {callName} from '../call-name.ts';
import {memoizeEncoding} from '../memoize-encoding.ts';
import {createGeminiDecoder, MADE_ID, SIGNED_NAME} from './gemini-decoder.ts';
import {objectOf} from '../json-fields.ts';
import type {ModelRequest} from '../provider.ts';
import type {Wire, WireRequest} from '../wire.ts';

/**
 * Gemini API, `streamGenerateContent` with server-sent events. A part goes back with every field it came with (`thought`,
 * `thoughtSignature`), never merged with a neighbour.
 */
export const geminiWire: Wire = {format: 'gemini', encode, decoder: createGeminiDecoder};

function encode(request: ModelRequest, model: string): WireRequest {
  const signed = MUST_SIGN.test(model);
  const name = model.includes('/') ? model : `models/${model}`;
  const declarations = request.tools.map(({name, description, parameters}) => ({name, description, parametersJsonSchema: parameters}));
  return {
    path: `/${encodeURI(name)}:streamGenerateContent?alt=sse`,
    headers: {},
    body: {
      systemInstruction: request.system === '' ? undefined : {parts: [{text: request.system}]},
      tools: declarations.length === 0 ? undefined : [{functionDeclarations: declarations}],
      generationConfig: generationConfig(request, model),
      contents: toContents(request.messages, signed),
    },
  };
}

/** Since Gemini 3 the first function call of a step must carry a signature, and tools and structured output go together. */
const MUST_SIGN = /gemini-(?:[3-9]|\d\d)/;
const THINKS = /gemini-(?:2\.5|[3-9]|\d\d)/;

function generationConfig(request: ModelRequest, model: string): JsonObject | undefined {
  const schema = request.tools.length === 0 || MUST_SIGN.test(model) ? request.outputSchema : undefined;
  const config = {
    ...(request.maxOutputTokens === undefined ? {} : {maxOutputTokens: request.maxOutputTokens}),
    ...(request.temperature === undefined ? {} : {temperature: request.temperature}),
    ...(schema === undefined ? {} : {responseMimeType: 'application/json', responseJsonSchema: schema}),
    ...(request.logprobs === true ? {responseLogprobs: true} : {}),
    ...(THINKS.test(model) ? {thinkingConfig: {includeThoughts: true}} : {}),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

type Content = {readonly role: 'user' | 'model'; readonly parts: readonly JsonObject[]};

/** Roles alternate on this wire: neighbours of one role become one content, a message without parts is left out. */
function toContents(messages: readonly Message[], signed: boolean): readonly Content[] {
  const contents: Content[] = [];
  for (const message of messages) {
    const {plain, complete} = partsOf(message);
    const parts = signed ? complete : plain;
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = contents.at(-1);
    if (last?.role === role) contents[contents.length - 1] = {role, parts: [...last.parts, ...parts]};
    else contents.push({role, parts});
  }
  return contents;
}

/** `complete` has a signature on the first function call even if none was received; else it is `plain`. */
interface EncodedParts {
  readonly plain: readonly JsonObject[];
  readonly complete: readonly JsonObject[];
}

const partsOf = memoizeEncoding((message: Message): EncodedParts => {
  const plain = encodeMessage(message);
  return {plain, complete: withSignature(plain)};
});

/** For calls that another model made, Google documents this value in place of a signature. */
function withSignature(parts: readonly JsonObject[]): readonly JsonObject[] {
  const first = parts.findIndex((part) => part['functionCall'] !== undefined);
  if (first < 0 || parts.some((part) => part['functionCall'] !== undefined && part['thoughtSignature'] !== undefined)) return parts;
  return parts.map((part, index) => (index === first ? {...part, thoughtSignature: UNSIGNED} : part));
}

function encodeMessage(message: Message): readonly JsonObject[] {
  if (message.role === 'user') return message.text === '' ? [] : [{text: message.text}];
  return message.role === 'assistant' ? message.parts.flatMap(encodePart) : message.results.map(encodeResult);
}

function encodePart(part: AssistantPart): readonly JsonObject[] {
  const own = part.native?.format === 'gemini' ? objectOf(part.native.data) : undefined;
  if (part.type === 'tool_call') return [encodeCall(part, own)];
  const foreign = own === undefined && (part.type === 'reasoning' || part.text === '');
  return foreign ? [] : [{text: part.text, ...own}];
}

/** Signature that Google documents for calls without one of their own. */
const UNSIGNED = 'skip_thought_signature_validator';

/** A signature is for the call as it came: with another name it would be refused. */
function encodeCall({id, name, arguments: text}: ToolCallPart, own: JsonObject | undefined): JsonObject {
  const named = callNameFor(name);
  const {thoughtSignature, [SIGNED_NAME]: signedName = name, ...rest} = own ?? {};
  const signed = thoughtSignature === undefined ? {} : {thoughtSignature: named === signedName ? thoughtSignature : UNSIGNED};
  return {functionCall: {id: explicitId(id), name: named, args: toArgs(text)}, ...rest, ...signed};
}

/** "a-z, A-Z, 0-9, underscores, colons, dots, and dashes, with a maximum length of 128", beginning with a letter or `_`. */
function callNameFor(name: string): string {
  return /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name) ? name : `_${callName(name)}`;
}

function encodeResult({callId, name, text, isError}: ToolResultPart): JsonObject {
  return {functionResponse: {id: explicitId(callId), name: callNameFor(name), response: isError ? {error: text} : {output: text}}};
}

/** Ids that the decoder made are not for the server. */
function explicitId(id: string): string | undefined {
  return id.startsWith(MADE_ID) ? undefined : id;
}

function toArgs(text: string): Json {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : {INVALID_JSON: text};
}
