import type {StyleName} from '../cells/line.ts';
import type {ColourDepth} from './color-depth.ts';
import type {Look} from '../cells/look.ts';
import type {Looks} from './looks.ts';

export type Background = 'dark' | 'light';

/** `auto`: for the background that the terminal reports. */
export type ThemeChoice = 'auto' | Background | 'none';

/**
 * The theme of the terminal's own palette: its 16 colours are the person's choice and fit their background. Only the parts of a diff have
 * backgrounds, which the 16 colours have no quiet ones for: with fewer they are underlined and bold.
 */
export function terminalTheme(background: Background, depth: ColourDepth): Looks {
  const looks = {...SHARED, ...(background === 'dark' ? DARK : LIGHT), ...PARTS[depth][background]};
  return depth === 'none' ? withoutColours(looks) : looks;
}

const [RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, GREY] = [1, 2, 3, 4, 5, 6, 8];
const [BRIGHT_RED, BRIGHT_GREEN, BRIGHT_BLUE, BRIGHT_MAGENTA, BRIGHT_CYAN] = [9, 10, 12, 13, 14];

const SHARED = {
  bold: {bold: true},
  italic: {italic: true},
  underline: {underline: true},
  strike: {strike: true},
  inverse: {inverse: true},
  selected: {inverse: true},
} as const;

type Coloured = Exclude<StyleName, keyof typeof SHARED | 'addedPart' | 'removedPart'>;

const DARK: Readonly<Record<Coloured, Look>> = {
  dim: {fg: GREY},
  accent: {fg: CYAN},
  success: {fg: GREEN},
  warning: {fg: YELLOW},
  error: {fg: BRIGHT_RED},
  user: {bold: true},
  heading: {fg: CYAN, bold: true},
  link: {fg: BRIGHT_BLUE, underline: true},
  code: {fg: CYAN},
  quote: {fg: GREY, italic: true},
  border: {fg: GREY},
  added: {fg: GREEN},
  removed: {fg: RED},
  keyword: {fg: BRIGHT_MAGENTA},
  string: {fg: BRIGHT_GREEN},
  number: {fg: YELLOW},
  comment: {fg: GREY, italic: true},
  type: {fg: BRIGHT_CYAN},
  function: {fg: BRIGHT_BLUE},
  variable: {},
};

/** Yellow and the bright colours cannot be read on white. */
const LIGHT: Readonly<Record<Coloured, Look>> = {
  dim: {fg: GREY},
  accent: {fg: BLUE},
  success: {fg: GREEN},
  warning: {fg: MAGENTA},
  error: {fg: RED},
  user: {bold: true},
  heading: {fg: BLUE, bold: true},
  link: {fg: BLUE, underline: true},
  code: {fg: BLUE},
  quote: {fg: GREY, italic: true},
  border: {fg: GREY},
  added: {fg: GREEN},
  removed: {fg: RED},
  keyword: {fg: MAGENTA},
  string: {fg: GREEN},
  number: {fg: RED},
  comment: {fg: GREY, italic: true},
  type: {fg: CYAN},
  function: {fg: BLUE},
  variable: {},
};

type Parts = Readonly<Record<Background, Readonly<Record<'addedPart' | 'removedPart', Look>>>>;

const MARKED: Parts[Background] = {addedPart: {bold: true, underline: true}, removedPart: {bold: true, underline: true}};

const PARTS: Readonly<Record<ColourDepth, Parts>> = {
  none: {dark: MARKED, light: MARKED},
  '16': {dark: MARKED, light: MARKED},
  '256': {
    dark: {addedPart: {bg: 22}, removedPart: {bg: 52}},
    light: {addedPart: {bg: 194}, removedPart: {bg: 224}},
  },
  true: {
    dark: {addedPart: {bg: '#16402a'}, removedPart: {bg: '#50222a'}},
    light: {addedPart: {bg: '#c6efd0'}, removedPart: {bg: '#fbd5d8'}},
  },
};

/** Grey text is then marked as faint. */
function withoutColours(looks: Looks): Looks {
  const entries = Object.entries(looks).map(([style, look]) => [style, {...look, fg: undefined, bg: undefined, dim: look.fg === GREY}]);
  return Object.fromEntries(entries) as Looks;
}
