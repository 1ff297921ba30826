import {graphemes} from '../cells/cell-width.ts';

/**
 * Normalises the name of a key: modifiers as ctrl, alt, shift, then the key. People and terminals write `Esc`, `PgUp`, `shift+ctrl+a` as well.
 * Undefined if no such key exists.
 */
export function keyNameOf(combination: string): string | undefined {
  const {modifiers, key} = partsOf(combination);
  if (modifiers.some((modifier) => !MODIFIERS.includes(modifier))) return undefined;
  const name = namedKey(key, modifiers.includes('ctrl'));
  return name === undefined ? undefined : [...MODIFIERS.filter((modifier) => modifiers.includes(modifier)), name].join('+');
}

/** A name of a key as people read it: `ctrl+left` as `Ctrl-Left`. */
export function shownKey(name: string): string {
  const parts = name.split(/(?<=[^+])\+/);
  return parts.map((part) => SHOWN_NAMES[part] ?? part.charAt(0).toUpperCase() + part.slice(1)).join('-');
}

const SHOWN_NAMES: Readonly<Record<string, string>> = {pageup: 'PgUp', pagedown: 'PgDn', escape: 'Esc'};

const MODIFIERS = ['ctrl', 'alt', 'shift'];

function partsOf(combination: string): {readonly modifiers: readonly string[]; readonly key: string} {
  const parts = /^(?<before>(?:[^+]+\+)*)(?<key>\+|[^+]+)$/su.exec(combination)?.groups;
  const modifiers = (parts?.['before'] ?? '').split('+').filter((part) => part !== '');
  return {modifiers: modifiers.map((part) => OTHER_NAMES[part.toLowerCase()] ?? part.toLowerCase()), key: parts?.['key'] ?? ''};
}

function namedKey(key: string, isControl: boolean): string | undefined {
  const small = key.toLowerCase();
  // Ctrl-A and Ctrl-a are one key; A and a are two.
  if (key !== '' && graphemes(key).length === 1) return key === ' ' ? 'space' : isControl ? small : key;
  const name = OTHER_NAMES[small] ?? small;
  return NAMES.test(name) ? name : undefined;
}

const NAMES =
  /^(?:enter|tab|space|escape|backspace|delete|insert|clear|home|end|pageup|pagedown|up|down|left|right|f(?:[1-9]|1[0-9]|2[0-4]))$/;

const OTHER_NAMES: Readonly<Record<string, string>> = {
  control: 'ctrl',
  meta: 'alt',
  option: 'alt',
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
};
