/**
 * Removes control, invisible, direction-changing and tag characters, which carry hidden instructions and redraw
 * screens. Joiners and variation selectors stay where scripts and emoji need them, one after a character that is
 * not ASCII; a line ends with a line feed.
 */
export function visible(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(HIDDEN, '')
    .replaceAll(JOINED, (_, ...found: string[]) => joined(found));
}

const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Joiners and selectors, with the characters before and after them. */
const JOINED = /(.?)((?:\u200c|\u200d|\ufe0e|\ufe0f)+)(?=(.?))/gsu;

/** Keeps one selector and one joiner of several in a row; a joiner also needs something to join. */
function joined([before = '', marks = '', after = '']: readonly string[]): string {
  const isSymbol = before > '\u007f';
  const selector = isSymbol || /[0-9#*]/.test(before) ? (/^(?:\ufe0e|\ufe0f)/.exec(marks)?.[0] ?? '') : '';
  const joiner = isSymbol && after > '\u007f' ? (/\u200c|\u200d/.exec(marks)?.[0] ?? '') : '';
  return before + selector + joiner;
}
