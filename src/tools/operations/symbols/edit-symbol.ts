import * as z from 'zod/mini';
import {FettleError, isFettleError} from '../../../base/errors.ts';
import type {EditPlan, EditSources} from '../../../code/edits/edit-plan.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';
import {unifiedDiff} from '../../../text/diff/unified-diff.ts';
import {writeFiles} from '../../../workspace/write-files.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {createEnvelopeFiles, type PlannedText} from '../edit/envelope-files.ts';
import {fileChanges} from '../fs/file-changes.ts';
import {indexedCode} from './indexed-code.ts';
import {writeSubject} from '../fs/path-subjects.ts';
import {editSymbolArgs, type EditSymbolArgs, planFor} from './plan-symbol-edit.ts';
import {parseSelector, selectedSymbol} from './symbol-selector.ts';

const result = z.object({
  symbol: z.string(),
  files: z.array(z.object({path: z.string(), before: z.string(), after: z.string()})),
  /** The evidence that the meaning of the code is unchanged. */
  provedBy: z.string(),
  changes: fileChanges,
  /** The diff of a preview. */
  diff: z.optional(z.string()),
});

export type EditSymbolResult = z.infer<typeof result>;

/**
 * Applies a change that names a symbol instead of text: in every affected file, or in none. A change that cannot
 * be proved safe is refused with the places that prevent it. Throws BAD_ARGS, NOT_FOUND, NOT_UNIQUE, STALE,
 * UNAVAILABLE without an index.
 */
export const editSymbol: Operation<EditSymbolArgs, EditSymbolResult> = {
  id: 'sym.edit',
  permission: 'edit',
  args: editSymbolArgs,
  result,
  sideEffect: 'write',
  effectiveCall: ({preview}) => (preview ? {permission: 'read', sideEffect: 'read'} : undefined),
  /** Makes the plan that is judged and carried out: a file that changes meanwhile makes it stale, and never another plan. */
  async resolve(asked, resolving) {
    const {symbol, plan} = await planned(asked, resolving);
    const places = await Promise.all(plan.files.map(async (file) => ({file, at: await inWorkspace(file.path, resolving)})));
    return {
      subjects: places.map(({at}) => writeSubject(at)),
      async run(ctx) {
        const changed = places.filter(({file}) => file.before !== file.after);
        const files = changed.map(({file}) => file);
        const report = {symbol: symbol.id, files, provedBy: plan.provedBy};
        return asked.preview ? {...report, changes: [], diff: await diffOf(files)} : {...report, changes: await written(changed, ctx)};
      },
    };
  },
};

interface Planned {
  readonly symbol: CodeSymbol;
  readonly plan: EditPlan;
}

async function planned(asked: EditSymbolArgs, ctx: ToolContext): Promise<Planned> {
  const {graph, building} = await indexedCode(ctx);
  if (building !== undefined) {
    const hint = 'Try again in a while, or change the text.';
    throw new FettleError({code: 'UNAVAILABLE', message: 'The index is still being built: not every use is known.', hint});
  }
  const symbol = await selectedSymbol(graph, parseSelector(asked.symbol, asked.path), ctx);
  const files = createEnvelopeFiles(ctx);
  const read = async (path: string): Promise<string> => (await files.read((await inWorkspace(path, ctx)).path)).text;
  const sources: EditSources = {graph, read, root: ctx.workspace.root, servers: ctx.servers, signal: ctx.signal};
  return {symbol, plan: await planFor(asked, symbol, {sources, ctx})};
}

async function diffOf(files: EditPlan['files']): Promise<string> {
  return (await Promise.all(files.map(async ({path, before, after}) => await unifiedDiff(before, after, path)))).join('');
}

interface PlacedFile {
  readonly file: EditPlan['files'][number];
  readonly at: ResolvedPath;
}

async function written(files: readonly PlacedFile[], ctx: ToolContext): Promise<EditSymbolResult['changes']> {
  const steps = createEnvelopeFiles(ctx);
  for (const {file, at} of files) {
    const {path, before, after} = file;
    const now = before === '' ? await orNew(steps.read(at.path)) : await steps.read(at.path);
    if (now.text !== before) throw new FettleError({code: 'STALE', message: `${path} changed meanwhile.`, hint: 'Try again.'});
    await steps.write(at.path, {...now, text: after});
  }
  const restored = (path: string, state: Parameters<typeof ctx.files.note>[1]): void => {
    if (ctx.files.known(path) !== undefined) ctx.files.note(path, state);
  };
  const states = await writeFiles(steps.steps(), {signal: ctx.signal, onRestored: restored});
  for (const [path, state] of states) ctx.files.note(path, state);
  return steps.changes();
}

/** Returns a file that a move may create. */
async function orNew(text: Promise<PlannedText>): Promise<PlannedText> {
  return await text.catch((error: unknown) => {
    if (isFettleError(error) && error.code === 'NOT_FOUND') return {text: '', encoding: 'utf-8' as const};
    throw error;
  });
}

async function inWorkspace(path: string, ctx: ToolContext): ReturnType<ToolContext['workspace']['resolve']> {
  return await ctx.workspace.resolve(path, {scope: 'inside', forWrite: true});
}
