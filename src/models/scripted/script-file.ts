import {readFile} from 'node:fs/promises';
import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../base/errors.ts';

const Count = z.optional(z.number());

const Reply = z.strictObject({
  text: z.optional(z.string()),
  reasoning: z.optional(z.string()),
  /** `arguments` as a value, or as the raw text of a model that writes broken JSON. */
  toolCalls: z.optional(
    z.array(z.strictObject({name: z.string(), arguments: z.optional(z.union([z.string(), z.record(z.string(), z.unknown())]))})),
  ),
  /** Tokens; missing counts are 0. */
  usage: z.optional(
    z.strictObject({
      input_tokens: Count,
      cached_input_tokens: Count,
      cache_creation_tokens: Count,
      output_tokens: Count,
      reasoning_tokens: Count,
    }),
  ),
  /** Pause before the first word, in milliseconds. */
  delayMs: z.optional(z.number()),
  /** Text that must occur since the previous reply: in tool results or user text. */
  expect: z.optional(z.string()),
});

const Script = z.strictObject({replies: z.array(Reply)});

export type ScriptReply = z.infer<typeof Reply>;

/** Reads a scenario file: `{"replies": [{"text", "reasoning", "toolCalls", "usage", "delayMs", "expect"}, …]}`. Throws CONFIG. */
export async function readScript(file: string): Promise<readonly ScriptReply[]> {
  const parsed = Script.safeParse(parse(await read(file), file));
  if (parsed.success) return parsed.data.replies;
  const issue = parsed.error.issues[0];
  throw bad(file, issue === undefined ? 'not a script.' : `${placeOf(issue.path)}: ${describe(issue)}.`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const {message} = toFettleError(error);
    throw new FettleError({
      code: 'CONFIG',
      message: `The script ${file} cannot be read: ${message}`,
      hint: 'Check the path.',
      cause: error,
    });
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(file, error instanceof Error ? error.message : 'not JSON.');
  }
}

function bad(file: string, message: string): FettleError {
  return new FettleError({code: 'CONFIG', message: `${file}: ${message}`, hint: 'A script is {"replies": [{"text": "…"}, …]}.'});
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return place === '' ? 'top level' : place.replace(/^\./, '');
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'unrecognized_keys') return `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  return 'wrong value';
}
