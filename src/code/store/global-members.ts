import type {StoredFile} from './facts-reader.ts';
import type {StoredRelation} from './relations-of.ts';

/**
 * Whether a use that means nothing known is a member of an object that the language itself has: `console.log` is no `log` of this code. Only
 * where the file neither imports nor declares that object, in any scope: what is local has no use of its own.
 */
export function globalMembers(file: StoredFile): (relation: StoredRelation) => boolean {
  if (!SCRIPTS.has(file.language)) return () => false;
  const imported = new Set(file.links.imports.map(({local}) => local));
  const ends = new Set<string>();
  for (const [index, {name, range, receiver}] of file.uses.entries()) {
    const isGlobal = receiver === undefined && GLOBALS.has(name) && file.edges[index] === 0 && !imported.has(name);
    if (isGlobal) ends.add(`${range.end.line}:${range.end.character + 1}`);
  }
  return ({range: {start}}) => ends.has(`${start.line}:${start.character}`);
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);

/** ECMAScript › The Global Object; Node.js › Global objects. */
const GLOBALS: ReadonlySet<string> = new Set(
  'console process performance crypto document Buffer Intl Math JSON Object Array Number String Boolean Symbol Date Promise Reflect Atomics'.split(
    ' ',
  ),
);
