import {hash} from 'node:crypto';
import * as z from 'zod/mini';

/** Tells two definitions under one name apart, by their arguments, texts and sources: results of the one are not answer of the other. */
export function definitionDigest(args: z.core.$ZodType, parts: readonly unknown[]): string {
  const plain = parts.map((part) => (typeof part === 'function' ? String(part) : part));
  return hash('sha256', JSON.stringify([z.toJSONSchema(args, {io: 'input', unrepresentable: 'any'}), ...plain]));
}
