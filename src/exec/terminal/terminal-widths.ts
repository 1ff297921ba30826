import type {IUnicodeVersionProvider, Terminal as Emulator} from '@xterm/headless';
import {eastAsianWidth} from 'get-east-asian-width';

/**
 * Gives an emulator the character widths that current programs assume: its own table ends with Unicode 6, before most emoji became wide, and
 * text after them would be in the wrong column.
 */
export function useCurrentWidths({unicode}: Emulator): void {
  unicode.register(WIDTHS);
  unicode.activeVersion = WIDTHS.version;
}

const WIDTHS: IUnicodeVersionProvider = {
  version: 'current',
  wcwidth,
  charProperties(code, preceding) {
    const width = wcwidth(code);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && before !== 0;
    // As the emulator packs them: whether it joins the character before, and the width of both.
    return ((joins ? before : width) << 1) | (joins ? 1 : 0);
  },
};

function wcwidth(code: number): 0 | 1 | 2 {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  return NO_WIDTH.test(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code);
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
