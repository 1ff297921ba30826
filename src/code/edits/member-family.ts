import type {CodeGraph} from '../code-graph.ts';
import type {Relation} from '../relation.ts';
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
  const {types, foreign} = await lineage(symbol.parentId, graph, signal);
  if (foreign !== undefined && !isPrivate(symbol)) return `${foreign}, which is not indexed, may have ${symbol.name} as well`;
  for (const relative of types) {
    const prefix = `${relative.qualifiedName}.`;
    const names = (await membersOf(relative, graph, signal)).map(({name}) => name);
    if (names.includes(symbol.name)) return `${prefix}${symbol.name} belongs to it`;
    if (names.includes(newName)) return `${prefix}${newName} would be mixed up with it`;
  }
  return undefined;
}

/** What the language itself keeps from other classes; a leading `_` is only a habit. */
function isPrivate({name, path, signature}: CodeSymbol): boolean {
  return name.startsWith('#') || /^(?:\w+ )*private /.test(signature) || (/\.pyi?$/.test(path) && /^__\w*[^_]_?$/.test(name));
}

interface Lineage {
  /** Without the type itself. */
  readonly types: readonly CodeSymbol[];
  /** A type above of which nothing is known. */
  readonly foreign: string | undefined;
}

/** The types below, which inherit a member, and whatever is above any of them: it may ask for the member, or have it as well. */
async function lineage(id: string, graph: Pick<CodeGraph, 'graph'>, signal: AbortSignal): Promise<Lineage> {
  const below = await closure([id], async (next) => {
    const edges = await heritage(next, graph, signal);
    return edges.incoming.flatMap(({source}) => source ?? []);
  });
  let foreign: string | undefined;
  const above = await closure([id, ...below.map((type) => type.id)], async (next) => {
    const {outgoing} = await heritage(next, graph, signal);
    foreign ??= outgoing.find(({target}) => target === undefined)?.targetName;
    return outgoing.flatMap(({target}) => target ?? []);
  });
  const types = new Map([...below, ...above].map((type) => [type.id, type]));
  types.delete(id);
  return {types: [...types.values()], foreign};
}

/** Everything that can be reached by steps, without what it starts from. */
async function closure(from: readonly string[], step: (id: string) => Promise<readonly CodeSymbol[]>): Promise<readonly CodeSymbol[]> {
  const found = new Map<string, CodeSymbol>();
  const open = [...from];
  for (let next = open.pop(); next !== undefined && found.size < MOST_RELATIVES; next = open.pop()) {
    for (const type of await step(next)) {
      if (found.has(type.id) || from.includes(type.id)) continue;
      found.set(type.id, type);
      open.push(type.id);
    }
  }
  return [...found.values()];
}

/** `extends` and `implements` of a type itself: types in it have their own. */
async function heritage(
  id: string,
  graph: Pick<CodeGraph, 'graph'>,
  signal: AbortSignal,
): Promise<{readonly incoming: readonly Relation[]; readonly outgoing: readonly Relation[]}> {
  const both = await Promise.all(
    (['extends', 'implements'] as const).map(async (kind) => await graph.graph(id, {kind, limit: MOST_RELATIVES}, signal)),
  );
  return {
    incoming: both.flatMap(({incoming}) => incoming),
    outgoing: both.flatMap(({outgoing}) => outgoing.filter(({source}) => source?.id === id)),
  };
}

const MOST_RELATIVES = 100_000;

async function membersOf(type: CodeSymbol, graph: Pick<CodeGraph, 'graph'>, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const {outgoing} = await graph.graph(type.id, {kind: 'contains', limit: MOST_RELATIVES}, signal);
  return outgoing.flatMap(({target}) => target ?? []);
}
