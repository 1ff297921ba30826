import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {editSymbol} from '../../operations/symbols/edit-symbol.ts';
import {defineTool} from '../../toolset.ts';
import * as alias from '../../compat/parameter-aliases.ts';

/** Changes by symbol, for toolsets whose models find it by tool_search. */
export const editSymbolTool = defineTool({
  name: 'edit_symbol',
  description:
    'Change code by symbol. rename changes every use in every file; replace puts text in the place of a whole declaration; insert_before and insert_after put text beside it; move_before and move_after put it beside target. Refused when it cannot be proved safe.',
  input: z.object({
    action: z.enum(['rename', 'replace', 'insert_before', 'insert_after', 'move_before', 'move_after']),
    symbol: z.string().check(z.describe('name, Class.name, id, or path:line')),
    path: z.optional(z.string().check(z.describe('its file'))),
    new_name: z.optional(z.string()),
    text: z.optional(z.string().check(z.describe('a whole declaration'))),
    target: z.optional(z.string().check(z.describe('symbol to move beside, or a file'))),
    preview: z.optional(z.boolean().check(z.describe('only show the diff'))),
  }),
  aliases: alias.aliasesOf({
    symbol: ['name', 'symbol_id', 'symbol_name', 'name_path'],
    path: alias.FILE,
    new_name: ['to', 'newName'],
    text: ['body', 'content', 'code', 'new_body'],
  }),
  requires: 'symbols',
  operation: editSymbol,
  toArgs: ({new_name: newName, preview, ...rest}) => ({...rest, newName, preview: preview ?? false}),
  render({symbol, files, provedBy, changes, diff}, {action}) {
    const paths = files.map(({path}) => path);
    const what = `${action.replace('_', ' ')} ${symbol}: ${counted(files.length, 'file')}, proved by ${provedBy}`;
    const text = diff === undefined ? `Done: ${what}.\n${paths.join('\n')}` : `${what}\n${diff}`;
    return {text, summary: what, changes};
  },
});
