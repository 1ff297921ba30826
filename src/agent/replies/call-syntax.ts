import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {callsIn, jsonIn, many, take, takeJson, takeUntil, type ReadCalls, type Reader} from './call-reader.ts';
import {takePythonCall} from './python-calls.ts';

/** A tag, or another mark, at a given place. White space around it does not matter. */
export function mark(source: string): RegExp {
  return new RegExp(`\\s*(?:${source})\\s*`, 'y');
}

/** One block or several, each between two marks; the mark at the very end may be missing, for servers cut it off. */
export function between(open: RegExp, close: RegExp, inner: ReadCalls): ReadCalls {
  const block: ReadCalls = (reader) => {
    if (take(reader, open) === undefined) return undefined;
    const calls = inner(reader);
    if (calls === undefined || (take(reader, close) === undefined && reader.text.slice(reader.at).trim() !== '')) return undefined;
    return calls;
  };
  return (reader) => many(reader, block);
}

/** Several calls of one form in a row. */
export function several(inner: ReadCalls): ReadCalls {
  return (reader) => many(reader, inner);
}

/** `{"name": …, "arguments": {…}}`, or a list of them. */
export const jsonCalls: ReadCalls = (reader) => callsIn(takeJson(reader));

/** The same without any mark of a call: arguments are required. */
export const bareJsonCalls: ReadCalls = (reader) => many(reader, (inner) => callsIn(takeJson(inner), true));

/** A JSON call in a code fence. */
export const fencedJsonCalls: ReadCalls = (reader) => {
  if (take(reader, /```(?:json|tool_call|tool_calls|tool|xml)?[ \t]*\n/y) === undefined) return undefined;
  const calls = bareJsonCalls(reader);
  return calls !== undefined && take(reader, /\s*```/y) !== undefined ? calls : undefined;
};

/** `{"read": {"path": …}}`: the name is the key. */
export const keyedJsonCalls: ReadCalls = (reader) => {
  const value = takeJson(reader);
  const list: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  const calls = list.flatMap((one) => (isJsonObject(one) ? Object.entries(one) : []));
  if (calls.length === 0 || !calls.every(([, fields]) => isJsonObject(fields))) return undefined;
  return calls.map(([name, fields]) => ({name, fields: fields as JsonObject}));
};

/** A name, a separator, and the arguments as JSON, perhaps in a code fence. `name` captures the name. */
export function namedJson(name: RegExp): ReadCalls {
  return (reader) => {
    const called = take(reader, name)?.[1]?.trim();
    if (called === undefined) return undefined;
    const fence = take(reader, /\s*```(?:json)?[ \t]*\n/y);
    const fields = takeJson(reader);
    if (!isJsonObject(fields) || (fence !== undefined && take(reader, /\s*```/y) === undefined)) return undefined;
    return [{name: called, fields}];
  };
}

/** A call as an element, with an element for each argument. */
export interface TagNames {
  /** Captures the name of the tool. */
  readonly open: RegExp;
  readonly close: RegExp;
  /** Captures the name of the argument. */
  readonly openField: RegExp;
  /** Global. */
  readonly closeField: RegExp;
  /** True: values are trimmed. Absent: one newline at each end is removed. */
  readonly trim?: boolean;
}

/** Values stay texts; the schema of the tool gives them their types later. */
export function taggedCall({open, close, openField, closeField, trim = false}: TagNames): ReadCalls {
  return (reader) => {
    const name = take(reader, open)?.[1]?.trim();
    if (name === undefined) return undefined;
    const fields = takeFields(reader, {openField, closeField, trim});
    if (fields === undefined) return undefined;
    return take(reader, close) !== undefined || reader.text.slice(reader.at).trim() === '' ? [{name, fields}] : undefined;
  };
}

function takeFields(
  reader: Reader,
  {openField, closeField, trim}: Pick<Required<TagNames>, 'openField' | 'closeField' | 'trim'>,
): JsonObject | undefined {
  const fields = new Map<string, Json>();
  for (let opened = take(reader, openField); opened !== undefined; opened = take(reader, openField)) {
    const value = takeUntil(reader, closeField);
    const key = opened[1]?.trim();
    if (value === undefined || key === undefined) return undefined;
    fields.set(key, trim ? value.trim() : value.replace(/^\n/, '').replace(/\n$/, ''));
  }
  return Object.fromEntries(fields);
}

/** `<function=NAME>{…}</function>` */
export const functionJson: ReadCalls = (reader) => {
  const name = take(reader, mark('<function=["\']?([\\w.:-]+)["\']?>'))?.[1];
  const fields = name === undefined ? undefined : takeJson(reader);
  if (name === undefined || !isJsonObject(fields)) return undefined;
  const closed = take(reader, mark('</function>|<function/>')) !== undefined || reader.text.slice(reader.at).trim() === '';
  return closed ? [{name, fields}] : undefined;
};

/** `<function=NAME><parameter=KEY>…</parameter></function>` */
export const functionTags = taggedCall({
  open: mark('<function=["\']?([\\w.:-]+)["\']?>'),
  close: mark('</function>'),
  openField: /\s*<parameter=["']?([\w.:-]+)["']?>/y,
  closeField: /<\/parameter>(?=\s*(?:<parameter=|<\/function>|<\/tool_call>|$))/g,
});

/** `<invoke name="NAME"><parameter name="KEY">…</parameter></invoke>`, with a prefix before each name of a tag. */
export function invokeTags(prefix: string): ReadCalls {
  return taggedCall({
    open: mark(`<${prefix}invoke\\s+name=["']([\\w.:-]+)["']\\s*>`),
    close: mark(`</${prefix}invoke>`),
    openField: new RegExp(`\\s*<${prefix}parameter\\s+name=["']([\\w.:-]+)["'][^>\\n]{0,80}>`, 'y'),
    closeField: new RegExp(`</${prefix}parameter>(?=\\s*(?:<${prefix}parameter|</${prefix}invoke>|$))`, 'g'),
  });
}

/** `NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>` */
export const argumentPairs = taggedCall({
  open: /\s*([\w.:-]+)\s*(?=<arg_key>|<\/tool_call>)/y,
  close: /(?=\s*(?:<\/tool_call>|$))/y,
  openField: /\s*<arg_key>([^<]{1,200})<\/arg_key>\s*<arg_value>/y,
  closeField: /<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call>|$))/g,
});

/** `read(path="a")`, one or several. */
export const pythonCalls: ReadCalls = (reader) =>
  many(reader, (inner) => {
    const call = takePythonCall(inner);
    return call === undefined ? undefined : [call];
  });

/** `[read(path="a"), …]` */
export const pythonList: ReadCalls = (reader) => {
  if (take(reader, /\s*\[\s*/y) === undefined) return undefined;
  const calls = pythonCalls(reader);
  return calls !== undefined && take(reader, /\s*\]/y) !== undefined ? calls : undefined;
};

/** `print(read(path="a"))`, or without the print. */
export const printedPython: ReadCalls = (reader) =>
  many(reader, (inner) => {
    const printed = take(inner, /\s*print\(\s*/y) !== undefined;
    const call = takePythonCall(inner);
    return call === undefined || (printed && take(inner, /\s*\)/y) === undefined) ? undefined : [call];
  });

/** `Thought: …`, then `Action: NAME` and `Action Input: {…}`. */
export const reActCall: ReadCalls = (reader) => {
  if (take(reader, /(?=Thought:)/y) !== undefined && takeUntil(reader, /\n(?=Action:)/g) === undefined) return undefined;
  const name = take(reader, /Action:[ \t]*([\w.:-]+)[ \t]*\n\s*Action Input:/y)?.[1];
  const fields = name === undefined ? undefined : takeJson(reader);
  if (name === undefined || !isJsonObject(fields)) return undefined;
  take(reader, /\s*Observation:\s*$/y);
  return [{name, fields}];
};

/** `<NAME><KEY>VALUE</KEY>…</NAME>`: the tag is the name of the tool. */
export const toolTags: ReadCalls = (reader) => {
  const name = take(reader, /\s*<([a-z]\w{0,60})>/y)?.[1];
  if (name === undefined) return undefined;
  const fields = new Map<string, Json>();
  for (let key = takeOpening(reader); key !== undefined; key = takeOpening(reader)) {
    const value = takeUntil(reader, new RegExp(`</${key}>(?=\\s*<)`, 'g'));
    if (value === undefined) return undefined;
    fields.set(key, value.replace(/^\n/, '').replace(/\n$/, ''));
  }
  return take(reader, mark(`</${name}>`)) === undefined ? undefined : [{name, fields: Object.fromEntries(fields)}];
};

function takeOpening(reader: Reader): string | undefined {
  return take(reader, /\s*<([a-z]\w{0,60})>/y)?.[1];
}

/** `call:NAME{key:<escape>text<escape>,count:3}` */
export const escapedCall: ReadCalls = (reader) => {
  const name = take(reader, /\s*call:([\w.:-]+)\{/y)?.[1];
  if (name === undefined) return undefined;
  const fields = new Map<string, Json>();
  while (take(reader, /\s*\}/y) === undefined) {
    const found = take(reader, /\s*,?\s*([\w.-]+):(?:<escape>([\s\S]*?)<escape>|([^,}<]{1,200}))/y);
    if (found?.[1] === undefined) return undefined;
    fields.set(found[1], found[2] ?? jsonIn(`[${found[3] ?? ''}]`)?.[0 as never] ?? (found[3] ?? '').trim());
  }
  return [{name, fields: Object.fromEntries(fields)}];
};

/** Removes the prefix that some formats put before the name of a function, and the call counter after it. */
export function bareName(name: string): string {
  return name.replace(/^(?:functions|tools|default_api)[.:]/, '').replace(/:\d{1,4}$|\.call$/, '');
}
