import {existsSync} from 'node:fs';
import * as z from 'zod/mini';
import {isFettleError} from '../../../base/errors.ts';
import {encodeText, type TextEncoding} from '../../../text/encoding.ts';
import {endingFinder, toEnding} from '../../../text/line-endings.ts';
import {changeTextFile, MAX_EDITED_BYTES} from '../../../workspace/change-file.ts';
import type {FileState} from '../../../workspace/file-state.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import {writeFileAtomic} from '../../../workspace/write-file.ts';
import type {ToolContext} from '../../context.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {Operation, PlannedFile} from '../../operation.ts';
import {resolvePath, shownPath, writeSubject} from './path-subjects.ts';
import {previewChange} from './preview-change.ts';

const args = z.object({
  path: z.string(),
  content: z.string(),
  /** For a file that changed on disk since this thread read it: overwrites it, or throws STALE. */
  ifChanged: z.enum(['refuse', 'overwrite']),
  /** create: an existing file is refused · append: the content is added at the end. Default: overwrite. */
  mode: z.optional(z.enum(['overwrite', 'create', 'append'])),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  created: z.boolean(),
  /** Bytes written; for append: bytes added. */
  bytes: z.number(),
});

export type WriteFileArgs = z.infer<typeof args>;
export type WriteFileResult = z.infer<typeof result>;

/**
 * Creates a file, overwrites it or appends to it, and makes the folders above it. Overwriting a text file keeps
 * its encoding if that can hold the text. Appending keeps encoding, line ending and every byte, and adds no line
 * break in between.
 */
export const writeFile: Operation<WriteFileArgs, WriteFileResult> = {
  id: 'fs.write',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  isKeyed: true,
  async resolve(asked, resolving) {
    const resolved = await resolvePath(asked.path, resolving, 'write');
    return {
      subjects: [writeSubject(resolved)],
      serialKey: resolved.path,
      preview: async (ctx) => await planned(resolved, asked, ctx),
      run: async (ctx) => await write(resolved, asked, ctx),
    };
  },
};

async function planned(
  resolved: ResolvedPath,
  {content, ifChanged, mode}: WriteFileArgs,
  ctx: ToolContext,
): Promise<readonly PlannedFile[]> {
  if (mode === 'create' && resolved.exists) return [];
  const change = async (before: string) => ({text: mode === 'append' ? continued(before, content) : content});
  const limits = {maxBytes: MAX_EDITED_BYTES, expect: expected(resolved.path, ifChanged, ctx), signal: ctx.signal};
  return await previewChange(resolved, change, limits);
}

async function write(resolved: ResolvedPath, {content, ifChanged, mode}: WriteFileArgs, ctx: ToolContext): Promise<WriteFileResult> {
  const known = expected(resolved.path, ifChanged, ctx);
  const done = {path: shownPath(resolved), file: resolved.path};
  // It may have come to be there since the path was resolved.
  const isThere = resolved.exists || existsSync(resolved.path);
  if (mode === 'append' && isThere) {
    const bytes = await append(resolved.path, content, {known, ctx});
    return {...done, created: false, bytes};
  }
  const bytes = encode(content, isThere ? await encodingOf(resolved.path, ctx) : 'utf-8');
  const {created, state} = await writeFileAtomic(resolved.path, bytes, {expect: mode === 'create' ? 'absent' : known});
  ctx.files.note(resolved.path, state);
  return {...done, created, bytes: bytes.length};
}

function expected(path: string, ifChanged: WriteFileArgs['ifChanged'], ctx: ToolContext): FileState | undefined {
  return ifChanged === 'refuse' ? ctx.files.known(path) : undefined;
}

/** Returns the bytes that were added. */
async function append(path: string, content: string, {known, ctx}: {known: FileState | undefined; ctx: ToolContext}): Promise<number> {
  const added = {bytes: 0};
  const change = async (text: string) => {
    const whole = continued(text, content);
    added.bytes = Buffer.byteLength(whole) - Buffer.byteLength(text);
    return {text: whole};
  };
  const {state} = await changeTextFile(path, change, {maxBytes: MAX_EDITED_BYTES, expect: known, signal: ctx.signal});
  ctx.files.note(path, state);
  return added.bytes;
}

/** Appends text with the line ending of the file. */
function continued(text: string, content: string): string {
  const ending = endingFinder(text)(text.length);
  return text + (ending === undefined ? content : toEnding(content, ending));
}

/** Only the encoding is needed; it is not detected in files larger than this. */
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
