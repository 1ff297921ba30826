import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../../base/errors.ts';
import {applyHunks} from '../../../text/edit/apply-hunks.ts';
import {parseEnvelope, type EnvelopeSection} from '../../../text/edit/parse-envelope.ts';
import {writeFiles} from '../../../workspace/write-files.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation, PlannedFile} from '../../operation.ts';
import {createEnvelopeFiles, type EnvelopeFiles} from './envelope-files.ts';
import {fileChanges} from '../fs/file-changes.ts';
import {entrySubject, namedEntry} from '../fs/named-entry.ts';
import {shownPath, writeSubject} from '../fs/path-subjects.ts';

const args = z.object({
  /** From `*** Begin Patch` to `*** End Patch`. */
  patch: z.string(),
});

const result = z.object({
  /** One for each section of the patch, in its order. */
  files: z.array(
    z.object({
      kind: z.enum(['add', 'delete', 'update', 'move']),
      path: z.string(),
      /** For a move: the new path. */
      movedTo: z.optional(z.string()),
      /** The text before and after the section; absent for a deleted file. */
      before: z.optional(z.string()),
      after: z.optional(z.string()),
    }),
  ),
  changes: fileChanges,
});

export type ApplyEnvelopeArgs = z.infer<typeof args>;
export type ApplyEnvelopeResult = z.infer<typeof result>;
type FileResult = ApplyEnvelopeResult['files'][number];

/**
 * Applies a patch of the `*** Begin Patch` format to several files of the workspace. The whole patch is checked
 * before the first byte is written, and writes are reverted if a later file fails. Adding and moving replace an
 * existing file, as in that format.
 */
export const applyEnvelope: Operation<ApplyEnvelopeArgs, ApplyEnvelopeResult> = {
  id: 'edit.envelope',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  async subjects({patch}, ctx) {
    const subjects = parseEnvelope(patch).map(async (section) => {
      if (section.kind === 'delete') return [entrySubject(await namedEntry(section.path, ctx), true)];
      const paths = section.kind === 'update' && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path];
      return Promise.all(paths.map(async (path) => await writeSubject(await target(path, ctx))));
    });
    return (await Promise.all(subjects)).flat();
  },
  async preview({patch}, ctx) {
    const planned = createEnvelopeFiles(ctx);
    const previews: PlannedFile[] = [];
    for (const section of parseEnvelope(patch)) {
      const before = await textBefore(section, planned, ctx);
      const {kind, path, movedTo, after} = await planSection(section, planned, ctx);
      const name = movedTo === undefined ? path : `${path} → ${movedTo}`;
      previews.push({path: name, before, after, ...(await targetOf(section, {kind, before}, ctx))});
    }
    return previews;
  },
  async run({patch}, ctx) {
    const sections = parseEnvelope(patch);
    const planned = createEnvelopeFiles(ctx);
    const files: FileResult[] = [];
    for (const section of sections) files.push(await planSection(section, planned, ctx));
    const changes = planned.changes();
    const restored = (path: string, state: Parameters<typeof ctx.files.note>[1]) => {
      if (ctx.files.known(path) !== undefined) ctx.files.note(path, state);
    };
    const states = await writeFiles(planned.steps(), {signal: ctx.signal, onRestored: restored});
    for (const {path, kind} of changes) if (kind === 'delete') ctx.files.forget(path);
    for (const [path, state] of states) ctx.files.note(path, state);
    return {files, changes};
  },
};

/** undefined: the file does not exist yet. */
async function textBefore(section: EnvelopeSection, planned: EnvelopeFiles, ctx: ToolContext): Promise<string | undefined> {
  if (section.kind === 'delete') return (await planned.read((await namedEntry(section.path, ctx)).path)).text;
  const {path} = await target(section.path, ctx);
  try {
    return (await planned.read(path)).text;
  } catch (thrown) {
    const {code} = toFettleError(thrown);
    if (section.kind !== 'add') throw thrown;
    // A file that is replaced as a whole need not be text.
    return code === 'NOT_FOUND' ? undefined : '';
  }
}

/** A file that is replaced as a whole gets another encoding. */
async function targetOf(
  {path}: EnvelopeSection,
  {kind, before}: Pick<FileResult, 'kind' | 'before'>,
  ctx: ToolContext,
): Promise<Pick<PlannedFile, 'target'>> {
  if (kind !== 'update' && !(kind === 'add' && before === undefined)) return {};
  const {path: file} = await target(path, ctx);
  return {target: {file, expect: ctx.files.known(file)}};
}

async function planSection(section: EnvelopeSection, planned: EnvelopeFiles, ctx: ToolContext): Promise<FileResult> {
  try {
    if (section.kind === 'add') return await planAdd(section, planned, ctx);
    if (section.kind === 'delete') {
      const entry = await namedEntry(section.path, ctx);
      await planned.remove(entry.path);
      return {kind: 'delete', path: entry.relative};
    }
    return await planUpdate(section, planned, ctx);
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (error.message.includes(section.path)) throw error;
    throw new FettleError({code: error.code, message: `${section.path}: ${error.message}`, hint: error.hint, cause: error});
  }
}

async function planAdd({path, lines}: EnvelopeSection & {kind: 'add'}, planned: EnvelopeFiles, ctx: ToolContext): Promise<FileResult> {
  const resolved = await target(path, ctx);
  const text = lines.map((line) => `${line}\n`).join('');
  await planned.write(resolved.path, {text, encoding: 'utf-8'});
  return {kind: 'add', path: shownPath(resolved), before: '', after: text};
}

async function planUpdate(section: EnvelopeSection & {kind: 'update'}, planned: EnvelopeFiles, ctx: ToolContext): Promise<FileResult> {
  const resolved = await target(section.path, ctx);
  const file = await planned.read(resolved.path);
  const after = applyHunks(file.text, section.hunks);
  const texts = {before: file.text, after};
  if (section.moveTo === undefined) {
    await planned.write(resolved.path, {...file, text: after});
    return {kind: 'update', path: shownPath(resolved), ...texts};
  }
  const moved = await target(section.moveTo, ctx);
  if (moved.path !== resolved.path) await planned.remove((await namedEntry(section.path, ctx)).path);
  await planned.write(moved.path, {...file, text: after});
  return {kind: 'move', path: shownPath(resolved), movedTo: shownPath(moved), ...texts};
}

function target(path: string, ctx: ToolContext): Promise<ResolvedPath> {
  return ctx.workspace.resolve(path, {scope: 'inside', forWrite: true});
}
