import {createHash} from 'node:crypto';

/**
 * Stands for the signatures and encrypted contents of real servers: a value that belongs to one text, so that a client which loses,
 * changes or moves it is found out.
 */
export function signatureOf(text: string): string {
  return createHash('sha256').update(`fettle/testing:${text}`).digest('base64');
}

/** A text that only this server can read, and that cannot be altered. */
export function encryptedOf(text: string): string {
  return `${Buffer.from(text).toString('base64')}.${signatureOf(text)}`;
}

export function isEncrypted(content: string): boolean {
  const [text = ''] = content.split('.', 1);
  return content === encryptedOf(Buffer.from(text, 'base64').toString('utf8'));
}
