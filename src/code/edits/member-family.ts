import type {CodeGraph} from '../code-graph.ts';
import type {EditSources} from './edit-plan.ts';
import type {CodeSymbol} from '../symbol.ts';
import {isMember} from './is-member.ts';

/**
 * Why a member cannot be renamed by itself; undefined where it can, and for what is no member: a class above or below that has the same name
 * would no longer be overridden or fulfilled by it, one that has the new name would be.
 */
export async function familyProblem(
  symbol: CodeSymbol,
  newName: string,
  {graph, signal}: Pick<EditSources, 'graph' | 'signal'>,
): Promise<string | undefined> {
  if (symbol.parentId === undefined || !isMember(symbol)) return undefined;
  const foreign = await foreignBase(symbol, graph, signal);
  if (foreign !== undefined) return `${foreign}, which is not indexed, may have ${symbol.name} as well`;
  const relatives = await family(symbol.parentId, graph, signal);
  for (const relative of relatives) {
    const prefix = `${relative.qualifiedName}.`;
    const names = (await membersOf(relative, graph, signal)).map(({name}) => name);
    if (names.includes(symbol.name)) return `${prefix}${symbol.name} belongs to it`;
    if (names.includes(newName)) return `${prefix}${newName} would be mixed up with it`;
  }
  return undefined;
}

/** A type above of which nothing is known; private members are no part of it. */
async function foreignBase(
  {name, parentId = '', signature}: CodeSymbol,
  graph: Pick<CodeGraph, 'graph'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (name.startsWith('#') || name.startsWith('_') || /^(?:\w+ )*private /.test(signature)) return undefined;
  for (const kind of ['extends', 'implements'] as const) {
    const {outgoing} = await graph.graph(parentId, {kind, limit: MOST_RELATIVES}, signal);
    const unknown = outgoing.find(({target}) => target === undefined);
    if (unknown !== undefined) return unknown.targetName;
  }
  return undefined;
}

/** The types above and below, without the type itself. */
async function family(id: string, graph: Pick<CodeGraph, 'graph'>, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const found = new Map<string, CodeSymbol>();
  const open = [id];
  for (let next = open.pop(); next !== undefined && found.size < MOST_RELATIVES; next = open.pop()) {
    const near = (await neighbours(next, graph, signal)).filter((type) => type.id !== id && !found.has(type.id));
    for (const type of near) {
      found.set(type.id, type);
      open.push(type.id);
    }
  }
  return [...found.values()];
}

async function neighbours(id: string, graph: Pick<CodeGraph, 'graph'>, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const found: CodeSymbol[] = [];
  for (const kind of ['extends', 'implements'] as const) {
    const {incoming, outgoing} = await graph.graph(id, {kind, limit: MOST_RELATIVES}, signal);
    found.push(...incoming.flatMap(({source}) => source ?? []), ...outgoing.flatMap(({target}) => target ?? []));
  }
  return found;
}

const MOST_RELATIVES = 500;

async function membersOf(type: CodeSymbol, graph: Pick<CodeGraph, 'graph'>, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const {outgoing} = await graph.graph(type.id, {kind: 'contains', limit: MOST_RELATIVES}, signal);
  return outgoing.flatMap(({target}) => target ?? []);
}
