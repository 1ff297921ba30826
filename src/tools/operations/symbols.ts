import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {Operation} from '../operation.ts';
import {readSubjects} from './path-subjects.ts';

/** One symbol: by its id, or by a file and a name in it. */
const selector = {
  symbolId: z.optional(z.string()),
  path: z.optional(z.string()),
  qualifiedName: z.optional(z.string()),
  name: z.optional(z.string()),
};

const searchArgs = z.object({query: z.string(), path: z.optional(z.string()), kind: z.optional(z.string()), limit: z.number()});
const resolveArgs = z.object(selector);
const outlineArgs = z.object({path: z.string()});
const graphArgs = z.object({...selector, relation: z.string(), limit: z.number()});

type SymbolResolveArgs = z.infer<typeof resolveArgs>;

/** "Search indexed symbols by name or qualified name" (zblade tool calls › symbol_search). */
export const symbolSearch = indexed('sym.search', searchArgs, ({kind}) => requireOneOf('symbol kind', kind, KINDS));

/** "Resolve one symbol by ID, or by file plus name" (zblade tool calls › symbol_resolve). */
export const symbolResolve = indexed('sym.resolve', resolveArgs, requireSelector);

/** "Return the hierarchical symbol outline for one file" (zblade tool calls › symbol_outline). */
export const symbolOutline = indexed('sym.outline', outlineArgs, () => undefined);

/** "Return incoming and outgoing graph edges for a symbol" (zblade tool calls › symbol_graph). */
export const symbolGraph = indexed('sym.graph', graphArgs, (asked) => {
  requireSelector(asked);
  requireOneOf('relationship type', asked.relation, RELATIONS);
});

const KINDS =
  'function method class struct interface type enum enum_member constant variable property module namespace import export trait impl'.split(
    ' ',
  );
const RELATIONS = 'call import export extends implements contains usage uses_type reads_env handles'.split(' ');

type Arguments = z.ZodMiniType<{readonly path?: string | undefined}>;

/** The arguments are judged as they would be with an index; UNAVAILABLE is the truth as long as this machine has none. */
function indexed<Schema extends Arguments>(id: string, args: Schema, check: (asked: z.infer<Schema>) => void) {
  const operation: Operation<z.infer<Schema>, never> = {
    id,
    permission: 'read',
    args: args as unknown as z.ZodMiniType<z.infer<Schema>>,
    result: z.never(),
    sideEffect: 'read',
    subjects: async ({path}, ctx) => (path === undefined ? [] : await readSubjects(path, ctx)),
    async run(asked) {
      check(asked);
      const hint = 'Search the text instead: grep_search or codebase_search with the name of the symbol.';
      throw new FettleError({code: 'UNAVAILABLE', message: 'language service unavailable: there is no index of symbols here.', hint});
    },
  };
  return operation;
}

/** "Rule: provide either symbol_id, or a path with a symbol name selector." */
function requireSelector({symbolId, path, qualifiedName, name}: SymbolResolveArgs): void {
  if (symbolId !== undefined || (path !== undefined && (qualifiedName ?? name) !== undefined)) return;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: 'Which symbol is meant is not said.',
    hint: 'Give symbol_id, or path with qualified_name or name.',
  });
}

function requireOneOf(what: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new FettleError({code: 'BAD_ARGS', message: `unknown ${what}: ${value}`, hint: `Known: ${known.join(', ')}.`});
}
