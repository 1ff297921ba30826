import {FettleError} from '../../base/errors.ts';
import {decoded} from './host-subjects.ts';

const MIN_SECRET_CHARS = 8;

/** Throws DENIED where the value of a secret variable would leave in an address or a query, also encoded: no permission is meant to allow that. */
export function requireNoSecret(text: string, secrets: readonly string[]): void {
  const forms = [text, decoded(text)];
  if (!secrets.some((secret) => secret.length >= MIN_SECRET_CHARS && forms.some((form) => form.includes(secret)))) return;
  throw new FettleError({
    code: 'DENIED',
    message: 'The text that would be sent holds the value of a secret variable.',
    hint: 'Leave the secret out.',
  });
}
