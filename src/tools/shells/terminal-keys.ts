/**
 * Encodes input as the bytes that a terminal sends (XTerm control sequences): a line end is Enter, `<C-c>` is Ctrl-C, `<A-x>` is Alt-x,
 * `<Up>` an arrow. Names that are not keys are typed literally.
 */
export function terminalKeys(input: string, {applicationKeys}: {readonly applicationKeys: boolean}): string {
  return input
    .replaceAll(/\r\n|\n/g, '\r')
    .replaceAll(/<C-([a-z@[\\\]^_])>/gi, (_, key: string) => String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f))
    .replaceAll(/<A-([!-~])>/g, (_, key: string) => `\u001b${key}`)
    .replaceAll(/<([A-Z][\w-]{1,8})>/g, (named, name: string) => {
      const letter = ARROWS.get(name);
      return letter === undefined ? (KEYS.get(name) ?? named) : `\u001b${applicationKeys ? 'O' : '['}${letter}`;
    });
}

/** Keys with two codes, one for programs that have asked for it. */
const ARROWS: ReadonlyMap<string, string> = new Map([
  ['Up', 'A'],
  ['Down', 'B'],
  ['Right', 'C'],
  ['Left', 'D'],
  ['End', 'F'],
  ['Home', 'H'],
]);

const KEYS: ReadonlyMap<string, string> = new Map([
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['S-Tab', '\u001b[Z'],
  ['Esc', '\u001b'],
  ['Space', ' '],
  ['Backspace', '\u007f'],
  ['Insert', '\u001b[2~'],
  ['Delete', '\u001b[3~'],
  ['PageUp', '\u001b[5~'],
  ['PageDown', '\u001b[6~'],
  ...['OP', 'OQ', 'OR', 'OS'].map((code, index) => [`F${index + 1}`, `\u001b${code}`] as const),
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((code, index) => [`F${index + 5}`, `\u001b[${code}~`] as const),
]);
