import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {projectIndex, type ProjectIndexResult} from '../../operations/symbols/project-index.ts';
import {symbolGraph} from '../../operations/symbols/symbol-graph.ts';
import {symbolOutline} from '../../operations/symbols/symbol-outline.ts';
import {symbolReferences} from '../../operations/symbols/symbol-references.ts';
import {symbolResolve} from '../../operations/symbols/symbol-resolve.ts';
import {symbolSearch} from '../../operations/symbols/symbol-search.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {capped, described, wholeNumber} from './blade-parameters.ts';
import {aliasesOf} from '../../compat/parameter-aliases.ts';

/** "Defaults to 20, capped at 100." */
const LIMIT = {default: 20, max: 100};
const OVERVIEW_CHARS = {default: 6000, max: 12_000};
const CHUNK_CHARS = {default: 4000, max: 8000};

const FILE = ['file', 'file_path'];
const SELECTOR = {
  symbol_id: z.optional(described('stable id; else path and a name')),
  path: z.optional(described('file, for a lookup by name')),
  qualified_name: z.optional(z.string()),
  name: z.optional(z.string()),
};

const search = defineTool({
  name: 'symbol_search',
  description: 'Search indexed symbols by name or qualified name.',
  input: z.object({
    query: z.string(),
    path: z.optional(described('restrict to a file')),
    kind: z.optional(described('e.g. function, class')),
    limit: wholeNumber('default 20, at most 100'),
  }),
  aliases: aliasesOf({path: FILE, kind: ['symbol_type']}),
  requires: 'symbols',
  operation: symbolSearch,
  toArgs: ({query, path, kind, limit}) => ({query, path, kind, limit: capped(limit, LIMIT)}),
  render({query, results, truncated, building}) {
    const flat = results.map(({symbol, score}) => ({...symbol, score}));
    const meta = {tool: 'symbol_search', count: results.length, truncated, ...partial(building)};
    return asJson({query, results: flat, _meta: meta}, counted(results.length, 'symbol'));
  },
});

const resolve = defineTool({
  name: 'symbol_resolve',
  description: 'Resolve one symbol by id, or by file and name.',
  input: z.object(SELECTOR),
  aliases: aliasesOf({symbol_id: ['id'], path: FILE}),
  requires: 'symbols',
  operation: symbolResolve,
  toArgs: ({symbol_id: symbolId, path, qualified_name: qualifiedName, name}) => ({symbolId, path, qualifiedName, name}),
  render({symbol, duplicates, building}) {
    const others = duplicates.length === 0 ? {} : {duplicates};
    return asJson({symbol, ...others, _meta: {tool: 'symbol_resolve', count: 1 + duplicates.length, ...partial(building)}}, symbol.id);
  },
});

const outline = defineTool({
  name: 'symbol_outline',
  description: 'Return the hierarchical symbol outline of one file.',
  input: z.object({path: z.string()}),
  aliases: aliasesOf({path: FILE}),
  requires: 'symbols',
  operation: symbolOutline,
  toArgs: ({path}) => ({path}),
  render: ({building, ...result}) => asJson({...result, ...partial(building)}, `outline of ${result.path}`),
});

const graph = defineTool({
  name: 'symbol_graph',
  description: 'Return incoming and outgoing edges of a symbol.',
  input: z.object({...SELECTOR, relationship_type: z.optional(described('default call')), limit: wholeNumber('default 20, at most 100')}),
  aliases: aliasesOf({symbol_id: ['id'], path: FILE, relationship_type: ['relationship', 'edge_kind', 'kind']}),
  requires: 'symbols',
  operation: symbolGraph,
  toArgs: ({symbol_id: symbolId, path, qualified_name: qualifiedName, name, relationship_type: relation, limit}) => ({
    symbolId,
    path,
    qualifiedName,
    name,
    relation: relation ?? 'call',
    limit: capped(limit, LIMIT),
  }),
  render: ({building, ...result}) =>
    asJson({...result, ...partial(building)}, `${result.incoming.length} incoming, ${result.outgoing.length} outgoing`),
});

const references = defineTool({
  name: 'symbol_references',
  description: 'Return every place that names a symbol.',
  input: z.object({...SELECTOR, limit: wholeNumber('default 20, at most 100')}),
  aliases: aliasesOf({symbol_id: ['id'], path: FILE}),
  // "Present in tool schema definitions", and callable by name, but not advertised.
  audience: 'nobody',
  requires: 'symbols',
  operation: symbolReferences,
  toArgs: ({symbol_id: symbolId, path, qualified_name: qualifiedName, name, limit}) => ({
    symbolId,
    path,
    qualifiedName,
    name,
    limit: capped(limit, LIMIT),
  }),
  render: ({building, ...result}) => asJson({...result, ...partial(building)}, counted(result.references.length, 'reference')),
});

type Building = {readonly done: number; readonly total: number} | undefined;

function partial(building: Building): {readonly building?: Building} {
  return building === undefined ? {} : {building};
}

function asJson(payload: object, summary: string): {text: string; summary: string; isJson: true; structured: object} {
  return {text: JSON.stringify(payload), isJson: true, summary, structured: payload};
}

const indexTool = (name: string, description: string, chars: {readonly default: number; readonly max: number}): Tool =>
  defineTool({
    name,
    description,
    input: z.object({
      path: z.optional(described('sub-root, default "."')),
      max_chars: wholeNumber(`default ${chars.default}, at most ${chars.max}`),
      offset: wholeNumber('character to start at, default 0', 0),
    }),
    operation: projectIndex,
    toArgs: ({path, max_chars: maxChars, offset}) => ({path: path ?? '.', offset: offset ?? 0, maxChars: capped(maxChars, chars)}),
    render(window: ProjectIndexResult) {
      const payload = {tool: name, ...window};
      return asJson(payload, `characters ${window.offset}-${window.end} of ${window.total_chars}`);
    },
  });

/** "Local Code-Intelligence Tools" and "Project Index Tools" of "zblade tool calls". */
export const INDEX_TOOLS: readonly Tool[] = [
  search,
  resolve,
  outline,
  graph,
  references,
  indexTool('get_project_index_overview', 'Read a compact overview of the project index.', OVERVIEW_CHARS),
  indexTool('get_project_index_chunk', 'Read a part of the project index.', CHUNK_CHARS),
];
