import {FettleError} from '../../base/errors.ts';
import {rememberedSecrets} from '../../base/redact.ts';
import {encodedForms} from '../../base/encoded-secrets.ts';
import type {Subject} from '../../policy/decision.ts';
import {decoded} from './host-subjects.ts';

const MIN_SECRET_CHARS = 8;

/** Throws DENIED if a known secret would leave in an address or a query as it is, or percent-encoded: no permission is meant to allow that. */
export function requireNoSecret(text: string, secrets: readonly string[]): void {
  const forms = [text, decoded(text)];
  if (!known(secrets).some((secret) => forms.some((form) => form.includes(secret)))) return;
  throw new FettleError({
    code: 'DENIED',
    message: 'The text that would be sent holds the value of a secret variable.',
    hint: 'Leave the secret out.',
  });
}

interface Leaving {
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * A subject that is always asked about, if the text contains a known secret in another form: base64 and base64url at any offset, base32, hex,
 * percent-encoded more than once, reversed, in other letter case, or with punctuation between its letters. Empty otherwise.
 */
export function secretCaution(host: string, {text, secrets}: Leaving): readonly Subject[] {
  const twice = decoded(decoded(text));
  const forms = [text, decoded(text), twice, decoded(twice)].map(folded);
  if (!known(secrets).some((secret) => disguises(secret).some((disguise) => forms.some((form) => form.includes(disguise))))) return [];
  const caution = 'what would be sent holds the value of a secret variable in another form (base64, hex, percent, reversed or split)';
  return [{kind: 'name', name: host, address: 'host', caution}];
}

function known(secrets: readonly string[]): readonly string[] {
  return [...secrets, ...rememberedSecrets()].filter((secret) => secret.length >= MIN_SECRET_CHARS);
}

/** Shorter values of letters occur in ordinary addresses by chance; ten characters of encoded ones do not. */
const MIN_LETTERS = 12;
const MIN_ENCODED = 10;

function disguises(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const letters = [secret, Array.from(secret).toReversed().join('')].map(folded).filter(({length}) => length >= MIN_LETTERS);
  const encoded = [...encodedForms(secret).filter((encoding) => !encoding.includes(secret)), base32(bytes)].map(folded);
  const own = folded(secret);
  return [...letters, ...encoded.filter((encoding) => encoding.length >= MIN_ENCODED && encoding !== own)];
}

/** Returns only letters and digits, in lower case, without the prefixes of hexadecimal bytes. */
function folded(text: string): string {
  return text
    .replaceAll(/(?:0x|\\x|&#x)(?=[0-9a-f]{2})/gi, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** RFC 4648 › 6, without the last characters, which depend on the padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(Number.parseInt(five, 2))).join('');
}
