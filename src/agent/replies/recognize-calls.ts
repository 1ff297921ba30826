import {isJsonObject, type JsonObject} from '../../base/json.ts';
import type {ToolSchema} from '../../protocol/messages.ts';
import {coerceFields} from '../../tools/arguments/coerce-fields.ts';
import type {RawCall} from './call-reader.ts';
import {bareName} from './call-syntax.ts';
import {findCallText, type FoundCallText, type ReplyContext} from './find-call-text.ts';
import {fitsSchema} from './matches-schema.ts';
import {familiesOf} from './model-family.ts';
import {announcesCall, explainsCall, isQuoted, lastWords, looksLikeResult, mentionsCall} from './is-quoted.ts';

/** `calls`: the text is nothing but calls, and they may run. `unclear`: it is, or ends in, a call that may not. */
export type TextCalls = {readonly kind: 'calls'; readonly calls: readonly RawCall[]} | {readonly kind: 'unclear'};

/**
 * Recognises tool calls that a model wrote into its text. They count as calls only if they are the whole text, have a form that this family of
 * models is known for, name advertised tools, match their schemas, and are not in the conversation already: a text of a tool result or a person
 * is quoted, not called. An answer that explains or quotes such a text is left unchanged: undefined.
 */
export function recogniseCalls(text: string, around: ReplyContext): TextCalls | undefined {
  if (around.tools.length === 0) return undefined;
  const found = findCallText(text, around);
  if (found === undefined || isQuoted(found.text, around.messages)) return undefined;
  if (found.before === '' && found.after === '') return judgeWhole(found, around);
  return isMeant(found, around) ? {kind: 'unclear'} : undefined;
}

function judgeWhole({calls, forms}: FoundCallText, around: ReplyContext): TextCalls | undefined {
  const families = familiesOf(around.model);
  const isKnown = forms.some((form) => form.families.some((family) => families.has(family)));
  const fitting = calls.map((call) => fitted(call, around.tools));
  if (isKnown && fitting.length > 0 && fitting.every((call) => call !== undefined)) return {kind: 'calls', calls: fitting};
  const isCommon = forms.every((form) => form.isCommon === true);
  return isCommon && !namesTool(calls, around) ? undefined : {kind: 'unclear'};
}

/** Returns true if a call beside other words was meant to be one. */
function isMeant(found: FoundCallText, around: ReplyContext): boolean {
  const {before, after, calls, forms} = found;
  const hasResult = looksLikeResult(after);
  const ends = after === '' || hasResult;
  const announced = announcesCall(before) && !explainsCall(lastWords(before));
  if (announced && !ends) return false;
  if (forms.some((form) => form.isCommon !== true)) return announced || (namesTool(calls, around) && isMeantUnsaid(found, ends));
  return (announced || (before === '' && hasResult)) && namesTool(calls, around);
}

/** Returns true for an unannounced call at the beginning or end of the reply, unless words suggest otherwise. */
function isMeantUnsaid({before, after}: FoundCallText, ends: boolean): boolean {
  if (mentionsCall(`${before}\n${looksLikeResult(after) ? '' : after}`)) return false;
  return before.length < SHORT && !before.endsWith(':') && (ends || before === '');
}

/** Most characters of an announcement in unknown words. */
const SHORT = 300;

function namesTool(calls: readonly RawCall[], {tools}: ReplyContext): boolean {
  return calls.some((call) => toolOf(call, tools) !== undefined);
}

function toolOf({name}: RawCall, tools: readonly ToolSchema[]): ToolSchema | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === bareName(name));
}

/** Returns the call with the name of its tool and the types of its schema; undefined if it does not match. */
function fitted(call: RawCall, tools: readonly ToolSchema[]): RawCall | undefined {
  const tool = toolOf(call, tools);
  if (tool === undefined || !isJsonObject(tool.parameters)) return undefined;
  const {properties} = tool.parameters;
  const published = isJsonObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {};
  const known = Object.fromEntries(Object.entries(published).filter(([, property]) => isJsonObject(property)));
  const unknown = Object.keys(call.fields).some((name) => !Object.hasOwn(known, name));
  const {fields} = unknown ? call : coerceFields(known, call.fields, {});
  return fitsSchema(fields, tool.parameters) ? {name: tool.name, fields} : undefined;
}
