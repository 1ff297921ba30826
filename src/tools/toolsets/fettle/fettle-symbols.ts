import * as z from 'zod/mini';
import type {SymbolsResult} from '../../operations/symbols/find-symbols.ts';
import {findSymbols} from '../late-operations.ts';
import {defineTool} from '../../toolset.ts';
import {symbolsText} from '../symbols-text.ts';
import * as alias from '../../compat/parameter-aliases.ts';

const LIMIT = {default: 20, max: 100};

/** One tool for every question to the index: a model that knows one of them knows all. */
export const symbols = defineTool({
  name: 'symbols',
  description:
    'Ask the index of code. search finds symbols by name; outline lists those of a file; show tells where one is, who uses it, what it uses; references lists every use.',
  input: z.object({
    action: z.enum(['search', 'outline', 'show', 'references']),
    symbol: z.optional(z.string().check(z.describe('name, Class.name, id, path:line, or path:line:column of a use'))),
    path: z.optional(z.string().check(z.describe('file or folder'))),
    kind: z.optional(z.string().check(z.describe('function, class, method …'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('default 20'))),
  }),
  aliases: alias.aliasesOf({
    action: ['command', 'operation', 'mode'],
    symbol: ['query', 'name', 'symbol_id', 'id', 'symbol_name', 'qualified_name'],
    path: alias.FILE,
    kind: ['symbol_type', 'type'],
    limit: ['max_results', 'top_k'],
  }),
  requires: 'symbols',
  operation: findSymbols,
  toArgs: ({action, symbol, path, kind, limit}) => ({
    action,
    symbol,
    path,
    kind,
    limit: Math.min(limit ?? LIMIT.default, LIMIT.max),
  }),
  render: (result: SymbolsResult) => ({...symbolsText(result)}),
});
