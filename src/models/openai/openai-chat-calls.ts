import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';
import {listOf, objectOf, stringOf} from '../json-fields.ts';
import type {WireDecoder} from '../wire.ts';

type Shown = ReturnType<WireDecoder['push']>;

/** Puts the tool calls of one reply together from their pieces. */
export interface CallLog {
  add(deltas: Json | undefined): Shown;
  parts(): readonly ToolCallPart[];
}

interface Call {
  readonly index: number;
  /** Fields that have no place of their own, as Gemini's signature (`extra_content`): they go back as they came. */
  extra: JsonObject;
  readonly id: string;
  /** The id as the server sent it; '' until it came. */
  serverId: string;
  name: string;
  text: string;
  isShown: boolean;
}

/**
 * Servers differ: pieces with an index (OpenAI), whole calls at once, without index, with one index for all calls, without an id or with
 * one id for all, with arguments that are an object instead of its text. An id that never came, or came twice, is made.
 */
export function createCallLog(makeCallId: () => string): CallLog {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();

  const open = (piece: JsonObject): Call => {
    const serverId = stringOf(piece['id']);
    const isTaken = calls.some((call) => call.id === serverId);
    const id = serverId === '' || isTaken ? makeCallId() : serverId;
    const call = {index: calls.length, id, serverId, name: '', text: '', isShown: false, extra: {}};
    calls.push(call);
    if (typeof piece['index'] === 'number') byIndex.set(piece['index'], call);
    return call;
  };

  const callOf = (piece: JsonObject): Call => {
    const id = stringOf(piece['id']);
    const known =
      typeof piece['index'] === 'number' ? byIndex.get(piece['index']) : calls.find((call) => id !== '' && call.serverId === id);
    if (known !== undefined) return isAnother(known, piece) ? open(piece) : known;
    const last = calls.at(-1);
    const continues = last !== undefined && typeof piece['index'] !== 'number' && id === '' && nameOf(piece) === '';
    return continues ? last : open(piece);
  };

  return {
    add: (deltas) =>
      listOf(deltas)
        .filter(isJsonObject)
        .flatMap((piece) => grow(callOf(piece), piece)),
    parts: () =>
      calls.map(({id, name, text, extra}) => {
        const native = Object.keys(extra).length === 0 ? {} : {native: {format: 'openai-chat', data: extra} as const};
        return {type: 'tool_call', id, name, arguments: text, ...native};
      }),
  };
}

/** A second id under a known index, or a named call after one that is complete: the server gives every call the same index. */
function isAnother(call: Call, piece: JsonObject): boolean {
  if (nameOf(piece) === '') return false;
  const id = stringOf(piece['id']);
  if (id !== '' && call.serverId !== '') return id !== call.serverId;
  return id === '' && argumentsOf(piece) !== '' && isJsonObject(parseJson(call.text));
}

function nameOf(piece: JsonObject): string {
  return stringOf(objectOf(piece['function'])['name']);
}

function argumentsOf(piece: JsonObject): string {
  const args = objectOf(piece['function'])['arguments'];
  return isJsonObject(args) ? JSON.stringify(args) : stringOf(args);
}

function grow(call: Call, piece: JsonObject): Shown {
  const text = argumentsOf(piece);
  const {id: _id, index: _index, type: _type, function: _function, ...extra} = piece;
  call.extra = {...call.extra, ...extra};
  call.serverId ||= stringOf(piece['id']);
  call.name ||= nameOf(piece);
  call.text += text;
  if (call.name === '') return [];
  const start = call.isShown ? [] : [{type: 'tool_call', index: call.index, id: call.id, name: call.name} as const];
  const delta = call.isShown ? text : call.text;
  call.isShown = true;
  return [...start, ...(delta === '' ? [] : [{type: 'tool_arguments', index: call.index, delta} as const])];
}
