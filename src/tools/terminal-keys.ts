/**
 * What is to be typed → the bytes that a terminal sends: a line end is Enter, `<C-c>` is Ctrl-C, `<Up>` an arrow. Names that are no keys
 * are typed as they stand.
 */
export function terminalKeys(input: string, {applicationKeys}: {readonly applicationKeys: boolean}): string {
  return input
    .replaceAll(/\r\n|\n/g, '\r')
    .replaceAll(/<C-([a-z])>/gi, (_, letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64))
    .replaceAll(/<(Up|Down|Right|Left)>/g, (_, name: keyof typeof ARROWS) => `\u001b${applicationKeys ? 'O' : '['}${ARROWS[name]}`)
    .replaceAll(/<(Enter|Tab|Esc|Backspace)>/g, (_, name: keyof typeof KEYS) => KEYS[name]);
}

const ARROWS = {Up: 'A', Down: 'B', Right: 'C', Left: 'D'} as const;
const KEYS = {Enter: '\r', Tab: '\t', Esc: '\u001b', Backspace: '\u007f'} as const;
