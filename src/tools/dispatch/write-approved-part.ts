import {FettleError, isFettleError} from '../../base/errors.ts';
import {encodeText} from '../../text/encoding.ts';
import {applyDiffHunks} from '../../text/diff/hunks.ts';
import {sameState} from '../../workspace/file-state.ts';
import {readTextFile, type TextFile} from '../../workspace/read-file.ts';
import {writeFiles, type FileStep} from '../../workspace/write-files.ts';
import type {PartialFile} from './call-preview.ts';
import type {ToolContext} from '../context.ts';
import {MAX_EDITED_BYTES} from '../../workspace/change-file.ts';
import {partText} from './approved-part-text.ts';
import type {Allowance} from './permission.ts';
import type {FileChange, ToolReply} from '../toolset.ts';

/**
 * Writes the part of a change that a person allowed, instead of running the call: every file as shown, without
 * the parts left out, and all files or none. Encoding, line endings and mode stay. @throws FettleError STALE if
 * a file is not as shown, or not as the thread knows it; and the errors of `encodeText` and `writeFiles`.
 */
export async function writePart({part, feedback}: Allowance, ctx: ToolContext): Promise<ToolReply> {
  const touched = part.filter(({chosen}) => chosen.size > 0);
  const steps: FileStep[] = [];
  for (const file of touched) steps.push(await stepFor(file, ctx));
  const onRestored: NonNullable<Parameters<typeof writeFiles>[1]['onRestored']> = (path, state) => {
    if (ctx.files.known(path) !== undefined) ctx.files.note(path, state);
  };
  const states = await writeFiles(steps, {signal: ctx.signal, onRestored});
  for (const [path, state] of states) ctx.files.note(path, state);
  return {
    ...partText(part, feedback),
    structured: {partial: true, files: part.map(({path, hunks, chosen}) => ({path, applied: chosen.size, of: hunks.length}))},
    isError: false,
    changes: touched.map(({before, target}): FileChange => ({path: target.file, kind: before === undefined ? 'add' : 'update'})),
  };
}

async function stepFor(file: PartialFile, ctx: ToolContext): Promise<FileStep> {
  const {path, target, before, hunks, chosen} = file;
  const now = await fileNow(target.file, ctx.signal);
  const isKnown = target.expect === undefined || (now !== undefined && sameState(target.expect, now.state));
  if (now?.text !== before || !isKnown) throw changedMeanwhile(path);
  const bytes = encodeText(applyDiffHunks(before ?? '', hunks, chosen), now?.encoding ?? 'utf-8');
  return {kind: 'write', path: target.file, bytes, expect: now?.state ?? 'absent'};
}

async function fileNow(path: string, signal: AbortSignal): Promise<TextFile | undefined> {
  try {
    return await readTextFile(path, {maxBytes: MAX_EDITED_BYTES}, signal);
  } catch (error) {
    if (isFettleError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function changedMeanwhile(path: string): FettleError {
  return new FettleError({
    code: 'STALE',
    message: `${path} has changed since the user chose what to apply. Nothing was written.`,
    hint: 'Read it again, then redo the change on its current content.',
  });
}
