import {isSimple} from '../cells/cell-width.ts';

/**
 * The last guard of the terminal: no character that it would act on passes, whoever made the span. C0 controls and DEL become their pictures
 * (U+2400), which are as wide as views take the controls to be; a tab becomes a blank; C1 controls, bidirectional controls, separators of
 * lines and halves of characters become U+FFFD.
 */
export function harmlessText(text: string): string {
  if (isSimple(text)) return text;
  return text.replaceAll(CONTROL, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x09) return ' ';
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}

const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|\p{Surrogate}/gu;
