import type {Message, ToolSchema} from '../../protocol/messages.ts';
import {CALL_FORMS, type CallForm} from './call-forms.table.ts';
import {takeJson, type RawCall, type Reader} from './call-reader.ts';
import {bareName} from './call-syntax.ts';

/** Facts about a reply besides its text. */
export interface ReplyContext {
  /** As the person names it: `provider/model`. */
  readonly model: string;
  /** The tools advertised to the model. */
  readonly tools: readonly ToolSchema[];
  /** The conversation that was answered. */
  readonly messages: readonly Message[];
  /** True if the answer has to be JSON: a text that is only JSON is then not a call. */
  readonly expectsJson: boolean;
}

/** The position of calls in a text. */
export interface FoundCallText {
  /** The calls in the order of the text. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  /** The forms that the text matches, or begins like. */
  readonly forms: readonly CallForm[];
  /** Empty if the text begins like a call but cannot be parsed. */
  readonly calls: readonly RawCall[];
}

/** Finds the first text that looks like a call: at the beginning of a line, outside code blocks, quotations and inline code. */
export function findCallText(input: string, around: ReplyContext): FoundCallText | undefined {
  const text = input.trim().replace(END_TOKENS, '');
  for (const start of placesIn(text)) {
    const found = readAt(text, start, around);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** End tokens that servers leave in a reply. */
const END_TOKENS = /(?:\s*(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|call|return)\|>|<\/s>|<｜end▁of▁sentence｜>))+\s*$/;

/** Only the first characters of a longer text are searched. */
const MAX_CHARS = 200_000;
const MAX_PLACES = 500;

function placesIn(text: string): readonly number[] {
  if (text.length > MAX_CHARS) return [0];
  const places: number[] = [];
  let fence: string | undefined;
  for (const line of text.matchAll(/^ {0,3}(\S.*)$/gm)) {
    const [whole, words = ''] = line;
    const opened = /^(?:```|~~~)/.exec(words)?.[0];
    const closes = fence !== undefined && words.trim() === fence;
    if (fence === undefined && places.length < MAX_PLACES) places.push(line.index + whole.length - words.length);
    if (closes) fence = undefined;
    else if (fence === undefined) fence = opened;
  }
  return places;
}

function readAt(text: string, start: number, {expectsJson, tools}: ReplyContext): FoundCallText | undefined {
  const opened = CALL_FORMS.filter(({opens, isCommon}) => !(expectsJson && isCommon === true) && opensAt(opens, text, start));
  const read = opened.map((form) => ({form, ...readWith(form, text, start)}));
  const ends = read.flatMap(({calls, end}) => (calls === undefined ? [] : [end]));
  const at = (end: number): Pick<FoundCallText, 'text' | 'before' | 'after'> => ({
    text: text.slice(start, end),
    before: text.slice(0, start).trim(),
    after: text.slice(end).trim(),
  });
  if (ends.length > 0) {
    const end = Math.max(...ends);
    const best = read.filter((one) => one.calls !== undefined && one.end === end);
    return {...at(end), forms: best.map(({form}) => form), calls: best[0]?.calls ?? []};
  }
  const isJson = takeJson({text, at: start}) !== undefined;
  const broken = opened.filter((form) => form.isCommon !== true || (!isJson && namesOne(text.slice(start), tools)));
  if (broken.length === 0) return undefined;
  const end = lastMark(text, start);
  return {...at(end), forms: broken, calls: named(text.slice(start), tools)};
}

function opensAt(opens: RegExp, text: string, start: number): boolean {
  opens.lastIndex = start;
  return opens.test(text);
}

function readWith({read}: CallForm, text: string, start: number): {calls: readonly RawCall[] | undefined; end: number} {
  const reader: Reader = {text, at: start};
  const calls = read(reader);
  return {calls, end: reader.at};
}

/** True for a broken JSON call that names a tool and has arguments. */
function namesOne(text: string, tools: ReplyContext['tools']): boolean {
  return (
    /^[[{`\w\s]*[{[][^]{0,200}"(?:arguments|parameters|args|input|tool_input|action_input)"\s*:/.test(text) && named(text, tools).length > 0
  );
}

function named(text: string, tools: ReplyContext['tools']): readonly RawCall[] {
  const name = /(?:"(?:name|tool|tool_name|function)"\s*:\s*"|<function=["']?|<invoke name=["']|functions\.)([\w.:-]{1,100})/.exec(
    text.slice(0, 2000),
  )?.[1];
  return name === undefined || !tools.some((tool) => tool.name === bareName(name)) ? [] : [{name, fields: {}}];
}

/** Returns the end of the last tag, bracket or fence of a broken call: the rest are words. */
function lastMark(text: string, start: number): number {
  const last = Math.max(...['>', '}', ']', '`'].map((closing) => text.lastIndexOf(closing))) + 1;
  const words = text.slice(last).trim().split(/\s+/).length;
  return last > start && words >= 3 ? last : text.length;
}
