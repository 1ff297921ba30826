import {FettleError} from '../base/errors.ts';

export type SingleByteEncoding = 'latin1' | 'windows-1252';

/** Every byte has one character in both encodings, so that nothing is lost. */
export function decodeSingleByte(bytes: Buffer, encoding: SingleByteEncoding): string {
  const text = bytes.toString('latin1');
  if (encoding === 'latin1') return text;
  return text.replace(/[\x80-\x9f]/g, (unit) => SPECIAL[unit.charCodeAt(0) - FIRST_SPECIAL] ?? unit);
}

/** @throws FettleError BAD_ARGS for a character that the encoding has no byte for. */
export function encodeSingleByte(text: string, encoding: SingleByteEncoding): Uint8Array {
  const foreign = encoding === 'latin1' ? /[^\0-\xff]/gu : /[^\0-\x7f\xa0-\xff]/gu;
  const latin1 = text.replace(foreign, (character) => {
    const index = encoding === 'latin1' ? -1 : SPECIAL.indexOf(character);
    if (index < 0) throw unencodable(character, encoding);
    return String.fromCharCode(FIRST_SPECIAL + index);
  });
  return Buffer.from(latin1, 'latin1');
}

function unencodable(character: string, encoding: SingleByteEncoding): FettleError {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const name = encoding === 'latin1' ? 'Latin-1' : 'Windows-1252';
  return new FettleError({
    code: 'BAD_ARGS',
    message: `The file is encoded in ${name}, which has no U+${code} (${character.toWellFormed()}). Nothing was written.`,
    hint: 'Use only characters of that encoding, or convert the file to UTF-8 first.',
  });
}

const FIRST_SPECIAL = 0x80;
/** Windows-1252 of the Encoding Standard, bytes 0x80..0x9F; the five without a character map to themselves. */
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
