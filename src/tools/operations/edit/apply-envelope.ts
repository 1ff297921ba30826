import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../../base/errors.ts';
import type {Subject} from '../../../policy/decision.ts';
import {applyHunks} from '../../../text/edit/apply-hunks.ts';
import {parseEnvelope, type EnvelopeSection} from '../../../text/edit/parse-envelope.ts';
import {writeFiles} from '../../../workspace/write-files.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation, PlannedFile} from '../../operation.ts';
import {createEnvelopeFiles, type EnvelopeFiles} from './envelope-files.ts';
import {fileChanges} from '../fs/file-changes.ts';
import {entrySubject, namedEntry, type NamedEntry} from '../fs/named-entry.ts';
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
  async resolve({patch}, resolving) {
    const sections = await Promise.all(parseEnvelope(patch).map((section) => placed(section, resolving)));
    return {
      subjects: sections.flatMap(subjectsOf),
      preview: async (ctx) => await previewOf(sections, ctx),
      run: async (ctx) => await apply(sections, ctx),
    };
  },
};

/** A section with what its paths were resolved to. */
type Placed =
  | {readonly section: EnvelopeSection & {kind: 'delete'}; readonly entry: NamedEntry}
  | {readonly section: EnvelopeSection & {kind: 'add'}; readonly at: ResolvedPath}
  | {readonly section: EnvelopeSection & {kind: 'update'}; readonly at: ResolvedPath; readonly move: Move | undefined};

interface Move {
  readonly from: NamedEntry;
  readonly to: ResolvedPath;
}

async function placed(section: EnvelopeSection, ctx: ToolContext): Promise<Placed> {
  if (section.kind === 'delete') return {section, entry: await namedEntry(section.path, ctx)};
  const at = await target(section.path, ctx);
  if (section.kind === 'add') return {section, at};
  const to = section.moveTo === undefined ? undefined : await target(section.moveTo, ctx);
  return {section, at, move: to === undefined ? undefined : {from: await namedEntry(section.path, ctx), to}};
}

function target(path: string, ctx: ToolContext): Promise<ResolvedPath> {
  return ctx.workspace.resolve(path, {scope: 'inside', forWrite: true});
}

function subjectsOf(one: Placed): readonly Subject[] {
  if ('entry' in one) return [entrySubject(one.entry, true)];
  return [writeSubject(one.at), ...('move' in one && one.move !== undefined ? [writeSubject(one.move.to)] : [])];
}

async function previewOf(sections: readonly Placed[], ctx: ToolContext): Promise<readonly PlannedFile[]> {
  const planned = createEnvelopeFiles(ctx);
  const previews: PlannedFile[] = [];
  for (const one of sections) {
    const before = await textBefore(one, planned);
    const {kind, path, movedTo, after} = await planSection(one, planned);
    const name = movedTo === undefined ? path : `${path} → ${movedTo}`;
    previews.push({path: name, before, after, ...targetOf(one, {kind, before}, ctx)});
  }
  return previews;
}

async function apply(sections: readonly Placed[], ctx: ToolContext): Promise<ApplyEnvelopeResult> {
  const planned = createEnvelopeFiles(ctx);
  const files: FileResult[] = [];
  for (const one of sections) files.push(await planSection(one, planned));
  const changes = planned.changes();
  const restored = (path: string, state: Parameters<typeof ctx.files.note>[1]) => {
    if (ctx.files.known(path) !== undefined) ctx.files.note(path, state);
  };
  const states = await writeFiles(planned.steps(), {signal: ctx.signal, onRestored: restored});
  for (const {path, kind} of changes) if (kind === 'delete') ctx.files.forget(path);
  for (const [path, state] of states) ctx.files.note(path, state);
  return {files, changes};
}

/** undefined: the file does not exist yet. */
async function textBefore(one: Placed, planned: EnvelopeFiles): Promise<string | undefined> {
  if ('entry' in one) return (await planned.read(one.entry.path)).text;
  try {
    return (await planned.read(one.at.path)).text;
  } catch (thrown) {
    const {code} = toFettleError(thrown);
    if (one.section.kind !== 'add') throw thrown;
    // What is replaced as a whole need not be text.
    return code === 'NOT_FOUND' ? undefined : '';
  }
}

/** A file that is replaced as a whole gets another encoding. */
function targetOf(one: Placed, {kind, before}: Pick<FileResult, 'kind' | 'before'>, ctx: ToolContext): Pick<PlannedFile, 'target'> {
  if ('entry' in one || (kind !== 'update' && !(kind === 'add' && before === undefined))) return {};
  const {path: file} = one.at;
  return {target: {file, expect: ctx.files.known(file)}};
}

async function planSection(one: Placed, planned: EnvelopeFiles): Promise<FileResult> {
  const {path} = one.section;
  try {
    if ('move' in one) return await planUpdate(one, planned);
    if ('at' in one) return await planAdd(one, planned);
    await planned.remove(one.entry.path);
    return {kind: 'delete', path: one.entry.relative};
  } catch (thrown) {
    const error = toFettleError(thrown);
    if (error.message.includes(path)) throw error;
    throw new FettleError({code: error.code, message: `${path}: ${error.message}`, hint: error.hint, cause: error});
  }
}

async function planAdd({section, at}: Extract<Placed, {section: {kind: 'add'}}>, planned: EnvelopeFiles): Promise<FileResult> {
  const text = section.lines.map((line) => `${line}\n`).join('');
  await planned.write(at.path, {text, encoding: 'utf-8'});
  return {kind: 'add', path: shownPath(at), before: '', after: text};
}

async function planUpdate({section, at, move}: Extract<Placed, {section: {kind: 'update'}}>, planned: EnvelopeFiles): Promise<FileResult> {
  const file = await planned.read(at.path);
  const after = applyHunks(file.text, section.hunks);
  const texts = {before: file.text, after};
  if (move === undefined) {
    await planned.write(at.path, {...file, text: after});
    return {kind: 'update', path: shownPath(at), ...texts};
  }
  if (move.to.path !== at.path) await planned.remove(move.from.path);
  await planned.write(move.to.path, {...file, text: after});
  return {kind: 'move', path: shownPath(at), movedTo: shownPath(move.to), ...texts};
}
