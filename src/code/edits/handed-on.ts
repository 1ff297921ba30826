import type {Relation} from '../relation.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';

/**
 * The first place where an object goes elsewhere as a whole, for a member of an object that is no class: what takes it may read its keys by
 * their names. undefined where every use of it names a member.
 */
export async function handedOn({parentId}: CodeSymbol, {graph, read, signal}: EditSources): Promise<Relation | undefined> {
  for (let id = parentId; id !== undefined && OBJECT.test(id);) {
    const {symbol, places}: {symbol: CodeSymbol; places: readonly Relation[]} = await graph.references(
      id,
      {limit: MOST_PLACES, merged: true},
      signal,
    );
    for (const [path, ofFile] of Map.groupBy(places, (place) => place.path)) {
      const lines = (await read(path)).split('\n');
      const whole = ofFile.find((place) => !isDeclaration(place, symbol) && !PASSED.has(place.kind) && !namesMember(place, lines));
      if (whole !== undefined) return whole;
    }
    id = symbol.parentId;
  }
  return undefined;
}

const OBJECT = /#(?:constant|variable|property)(?:~\d+)?$/;
const MOST_PLACES = 100_000;
/** Who imports it has uses of its own. */
const PASSED: ReadonlySet<string> = new Set(['import', 'export']);

function isDeclaration({path, range: {start}}: Relation, symbol: CodeSymbol): boolean {
  const own = symbol.nameRange.start;
  return path === symbol.path && start.line === own.line && start.character === own.character;
}

function namesMember({range: {end}}: Relation, lines: readonly string[]): boolean {
  const after = (lines[end.line] ?? '').slice(end.character);
  return /^\s*\??\.\s*[\p{ID_Start}_$]/u.test(after.trim() === '' ? (lines[end.line + 1] ?? '') : after);
}
