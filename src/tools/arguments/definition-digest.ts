import {hash} from 'node:crypto';
import * as z from 'zod/mini';

/** Distinguishes definitions that share a name, by their arguments, texts and sources: a result of one must not answer a call of the other. */
export function definitionDigest(args: z.core.$ZodType, parts: readonly unknown[]): string {
  const plain = parts.map((part) => (typeof part === 'function' ? String(part) : part));
  return hash('sha256', JSON.stringify([z.toJSONSchema(args, {io: 'input', unrepresentable: 'any'}), ...plain]));
}
