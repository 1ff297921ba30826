import * as z from 'zod/mini';
import {isFettleError} from '../../base/errors.ts';
import {encodeText, type TextEncoding} from '../../text/encoding.ts';
import {readTextFile} from '../../workspace/read-file.ts';
import {writeFileAtomic} from '../../workspace/write-file.ts';
import type {ToolContext} from '../context.ts';
import type {Operation} from '../operation.ts';
import {resolvePath, shownPath, writeSubjects} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  content: z.string(),
  /** Whether a file that changed on disk since this thread has seen it is overwritten, or STALE is thrown. */
  ifChanged: z.enum(['refuse', 'overwrite']),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  created: z.boolean(),
  bytes: z.number(),
});

export type WriteFileArgs = z.infer<typeof args>;
export type WriteFileResult = z.infer<typeof result>;

/** Creates or overwrites a file, and the folders above it. A text file that is replaced keeps its encoding where that can hold the text. */
export const writeFile: Operation<WriteFileArgs, WriteFileResult> = {
  id: 'fs.write',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  subjects: ({path}, ctx) => writeSubjects(path, ctx),
  serialKey: async ({path}, ctx) => (await resolvePath(path, ctx, 'write')).path,
  async run({path, content, ifChanged}, ctx) {
    const resolved = await resolvePath(path, ctx, 'write');
    const expect = ifChanged === 'refuse' ? ctx.files.known(resolved.path) : undefined;
    const bytes = encode(content, resolved.exists ? await encodingOf(resolved.path, ctx) : 'utf-8');
    const {created, state} = await writeFileAtomic(resolved.path, bytes, {expect});
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), file: resolved.path, created, bytes: bytes.length};
  },
};

/** Only the encoding of a file is needed; in a larger one it is not looked for. */
const MAX_PROBE_BYTES = 4_000_000;

async function encodingOf(path: string, ctx: ToolContext): Promise<TextEncoding> {
  try {
    return (await readTextFile(path, {maxBytes: MAX_PROBE_BYTES}, ctx.signal)).encoding;
  } catch (error) {
    if (isFettleError(error) && (error.code === 'NOT_TEXT' || error.code === 'TOO_LARGE')) return 'utf-8';
    throw error;
  }
}

function encode(content: string, encoding: TextEncoding): Uint8Array {
  try {
    return encodeText(content, encoding);
  } catch (error) {
    if (isFettleError(error) && error.code === 'BAD_ARGS') return encodeText(content, 'utf-8');
    throw error;
  }
}
