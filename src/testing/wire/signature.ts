import {createHash} from 'node:crypto';

/**
 * Stands for the signatures and encrypted contents of real servers: a value that belongs to one text, so that a client which loses,
 * changes or moves it is found out.
 */
export function signatureOf(text: string): string {
  return createHash('sha256').update(`fettle/testing:${text}`).digest('base64');
}
