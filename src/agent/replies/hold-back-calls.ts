import type {ToolSchema} from '../../protocol/messages.ts';
import {CALL_FORMS} from './call-forms.table.ts';
import {familiesOf} from './model-family.ts';

/** Text of a reply on its way to hosts, held back while it may be a call. */
export interface HeldText {
  /** Takes the next piece; returns the text that may be shown now. */
  push(piece: string): string;
  /** Returns the text that is still held back. */
  rest(): string;
}

/**
 * Holds text back as long as it begins like a call that this model is known to write: text that runs as a call is not an answer, and
 * must not be shown as one. Other text is passed on at once.
 */
export function holdCallText(model: string, tools: readonly ToolSchema[]): HeldText {
  const families = familiesOf(model);
  const forms = tools.length === 0 ? [] : CALL_FORMS.filter((form) => form.families.some((family) => families.has(family)));
  let held = '';
  let isHolding = forms.length > 0;
  const mayBeCall = (): boolean => {
    const text = held.trimStart();
    if (text.length < ENOUGH) return text === '' || BEGINNINGS.test(text);
    return forms.some(({opens}) => {
      opens.lastIndex = 0;
      return opens.test(text);
    });
  };
  const release = (): string => {
    const text = held;
    held = '';
    return text;
  };
  return {
    push(piece) {
      held += piece;
      isHolding &&= mayBeCall();
      return isHolding ? '' : release();
    },
    rest: release,
  };
}

/** Characters that are enough to see whether a form has begun. */
const ENOUGH = 240;

/** Every form begins with one of these. */
const BEGINNINGS =
  /^(?:[<[{`>]|(?:Acti|Thou|tool|func|assi|comm|anal|to=f)|(?:Act?|Tho?|Thou?|too?|fun?|as?s?|co?m?|an?a?|to=?|[ATtfca])$)/;
