import {decodePrintableKey, isKeyRelease, parseKey, setKittyProtocolActive} from '@earendil-works/pi-tui/dist/keys.js';
import type {KeyInput} from '../keys/key.ts';

/** The key of a complete sequence of a terminal; undefined for a key release, and for any other sequence. */
export function keyInput(sequence: string, hasKittyKeys: boolean): KeyInput | undefined {
  const isSequence = sequence.startsWith('\x1b');
  if (isSequence && isKeyRelease(sequence)) return undefined;
  const printable = isSequence ? decodePrintableKey(sequence) : PRINTABLE.test(sequence) ? sequence : undefined;
  if (printable !== undefined) return {type: 'key', name: printable === ' ' ? 'space' : printable, text: printable};
  setKittyProtocolActive(hasKittyKeys);
  const name = parseKey(sequence);
  return name === undefined ? undefined : {type: 'key', name: ordered(name)};
}

const PRINTABLE = /^[^\p{Cc}\p{Surrogate}]+$/u;

/** `shift+ctrl+pageUp` as `ctrl+shift+pageup`. */
function ordered(name: string): string {
  const modifiers = ['super', 'ctrl', 'alt', 'shift'].filter((modifier) => name.includes(`${modifier}+`));
  const key = name.replace(/^(?:(?:super|ctrl|alt|shift)\+)+/, '');
  return [...modifiers, key.length === 1 ? key : key.toLowerCase()].join('+');
}
