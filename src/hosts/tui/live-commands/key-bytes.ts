import type {KeyInput} from '../keys/key.ts';

/** The modes that the program in a terminal has asked for. */
export interface KeyModes {
  readonly applicationKeys: boolean;
  readonly bracketedPaste: boolean;
}

/** The bytes that a terminal sends for a key or a paste (XTerm control sequences); undefined for keys that it has no code for. */
export function keyBytes(input: KeyInput, modes: KeyModes): string | undefined {
  if (input.type === 'paste') return pasteBytes(input.text, modes);
  if (input.text !== undefined) return input.text;
  const pressed = pressedKey(input.name);
  return specialBytes(pressed, modes) ?? plainBytes(pressed);
}

interface Pressed {
  readonly key: string;
  readonly hasCtrl: boolean;
  readonly hasAlt: boolean;
  readonly hasShift: boolean;
}

function pressedKey(name: string): Pressed {
  const modifiers = /^(?:(?:ctrl|alt|shift)\+)*(?=.)/su.exec(name)?.[0] ?? '';
  return {
    key: name.slice(modifiers.length),
    hasCtrl: modifiers.includes('ctrl+'),
    hasAlt: modifiers.includes('alt+'),
    hasShift: modifiers.includes('shift+'),
  };
}

function plainBytes({key, hasCtrl, hasAlt, hasShift}: Pressed): string | undefined {
  if (key === 'tab' && hasShift) return '\x1b[Z';
  const plain = hasCtrl ? controlByte(key) : (SIMPLE.get(key) ?? (key.length === 1 ? key : undefined));
  return plain !== undefined && hasAlt ? `\x1b${plain}` : plain;
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['enter', '\r'],
  ['tab', '\t'],
  ['escape', '\x1b'],
  ['backspace', '\x7f'],
  ['space', ' '],
]);

/** Keys whose code has a place for the modifiers. */
function specialBytes({key, hasCtrl, hasAlt, hasShift}: Pressed, {applicationKeys}: KeyModes): string | undefined {
  const code = 1 + Number(hasShift) + 2 * Number(hasAlt) + 4 * Number(hasCtrl);
  const letter = LETTERS.get(key);
  if (letter !== undefined) {
    if (code > 1) return `\x1b[1;${code}${letter}`;
    return `\x1b${applicationKeys || /^[PQRS]$/.test(letter) ? 'O' : '['}${letter}`;
  }
  const number = NUMBERS.get(key);
  return number === undefined ? undefined : `\x1b[${number}${code > 1 ? `;${code}` : ''}~`;
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['up', 'A'],
  ['down', 'B'],
  ['right', 'C'],
  ['left', 'D'],
  ['end', 'F'],
  ['home', 'H'],
  ...['P', 'Q', 'R', 'S'].map((letter, index) => [`f${index + 1}`, letter] as const),
]);

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['insert', 2],
  ['delete', 3],
  ['pageup', 5],
  ['pagedown', 6],
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((number, index) => [`f${index + 5}`, number] as const),
]);

function controlByte(key: string): string | undefined {
  if (key === 'space') return '\0';
  if (key === 'backspace') return '\x08';
  // Terminals have one code for both.
  if (key === '-') return '\x1f';
  return /^[a-z@[\\\]^_]$/.test(key) ? String.fromCharCode(key.toUpperCase().charCodeAt(0) & 0x1f) : SIMPLE.get(key);
}

/** No control character of a paste reaches the program but line ends and tabs: the end mark of a paste would be one. */
function pasteBytes(text: string, {bracketedPaste}: KeyModes): string | undefined {
  const plain = text.replaceAll(/\r\n|\n/g, '\r').replaceAll(/[^\P{Cc}\t\r]/gu, '');
  if (plain === '') return undefined;
  return bracketedPaste ? `\x1b[200~${plain}\x1b[201~` : plain;
}
