import {FettleError, isFettleError} from '../../base/errors.ts';
import type {DiffHunk} from '../../text/diff/hunks.ts';
import type {ToolContext} from '../context.ts';
import type {FilePreview, HunkPlace} from './dispatch.ts';
import type {PlannedFile, WriteTarget} from '../operation.ts';
import type {ResolvedCall} from '../toolset.ts';

/** A preview of the writes of a call, saved when it was first shown: an answer applies to exactly this preview. */
export interface CallPreview {
  files(): Promise<readonly FilePreview[]>;
  /** Returns the change with only these hunks; undefined if these are all. Throws INTERNAL for hunks that were never shown. */
  part(hunks: readonly HunkPlace[]): Promise<PartialChange | undefined>;
}

/** One entry for each file of the call, including those without any selected change. */
export type PartialChange = readonly PartialFile[];

export interface PartialFile {
  readonly path: string;
  readonly target: WriteTarget;
  /** Absent if the call would create the file. */
  readonly before?: string | undefined;
  readonly hunks: readonly DiffHunk[];
  /** Indices in `hunks`. */
  readonly chosen: ReadonlySet<number>;
}

export function createCallPreview(resolved: ResolvedCall, ctx: ToolContext): CallPreview {
  let shown: Promise<readonly ShownFile[]> | undefined;
  return {
    async files() {
      shown ??= shownFiles(resolved, ctx);
      return (await shown).map(({path, before, after, hunks}) => ({path, before, after, ...(hunks === undefined ? {} : {hunks})}));
    },
    async part(places) {
      const files = (await shown) ?? [];
      for (const {file, hunk} of places) if (files[file]?.hunks?.[hunk] === undefined) throw notShown();
      const part = files.flatMap(({path, before, target, hunks}, index): PartialFile[] => {
        if (target === undefined || hunks === undefined) return [];
        return [{path, target, before, hunks, chosen: new Set(places.filter(({file}) => file === index).map(({hunk}) => hunk))}];
      });
      return part.every(({hunks, chosen}) => chosen.size === hunks.length) ? undefined : part;
    },
  };
}

/** The error for an answer that names a change that was not shown. */
export function notShown(): FettleError {
  return new FettleError({
    code: 'INTERNAL',
    message: 'The answer allows changes that the preview of this call did not show. Nothing was changed.',
    hint: 'Answer with places in the hunks of `preview()`, or allow the call as a whole.',
  });
}

interface ShownFile extends PlannedFile {
  readonly hunks?: readonly DiffHunk[];
}

async function shownFiles(resolved: ResolvedCall, ctx: ToolContext): Promise<readonly ShownFile[]> {
  const planned = await plannedFiles(resolved, ctx);
  const targets = new Set(planned.map(({target}) => target?.file));
  // A second change of the same file builds on the first.
  if (targets.size < planned.length || targets.has(undefined)) return planned;
  if (planned.some(({before, after}) => before === undefined && after === '')) return planned;
  const {hunksOf} = await import('../../text/diff/hunks.ts');
  return planned.map((file) => ({...file, hunks: hunksOf(file.before ?? '', file.after ?? '')}));
}

/** A call that would fail has nothing to show; running it says why. */
async function plannedFiles(resolved: ResolvedCall, ctx: ToolContext): Promise<readonly PlannedFile[]> {
  try {
    return (await resolved.preview?.(ctx)) ?? [];
  } catch (error) {
    if (!isFettleError(error)) throw error;
    return [];
  }
}
