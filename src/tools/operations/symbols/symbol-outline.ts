import * as z from 'zod/mini';
import type {OutlineNode} from '../../../code/code-graph.ts';
import {plainOperation} from '../../operation.ts';
import {indexedCode} from './indexed-code.ts';
import {readSubjects} from '../fs/path-subjects.ts';
import {filePath} from './symbol-selector.ts';
import {building, symbolView, viewOfSymbol, type SymbolView} from './symbol-view.ts';

const args = z.object({path: z.string()});

/** A symbol with its members, by position. */
export interface OutlineView extends SymbolView {
  children: OutlineView[];
}

const outlineView: z.ZodMiniType<OutlineView> = z.extend(symbolView, {
  get children(): z.ZodMiniType<OutlineView[]> {
    return z.array(outlineView);
  },
});

const result = z.object({path: z.string(), outline: z.array(outlineView), building});

export type SymbolOutlineArgs = z.infer<typeof args>;
export type SymbolOutlineResult = z.infer<typeof result>;

/** "Return the hierarchical symbol outline for one file" (zblade tool calls › symbol_outline). Empty for a file without symbols. */
export const symbolOutline = plainOperation<SymbolOutlineArgs, SymbolOutlineResult>({
  id: 'sym.outline',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path}, ctx) {
    const file = await filePath(path, ctx);
    const code = await indexedCode(ctx, 'symbols');
    return {path: file, outline: (await code.graph.outline(file, ctx.signal)).map(viewOfNode), building: code.building};
  },
});

export function viewOfNode({symbol, children}: OutlineNode): OutlineView {
  return {...viewOfSymbol(symbol), children: children.map(viewOfNode)};
}
