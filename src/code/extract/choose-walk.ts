import type {Columns} from './columns.ts';
import type {Engine} from './engine.ts';
import {walkCursor, type Walk} from './walk-cursor.ts';
import {walkMemory} from './walk-memory.ts';

/** A way to take the nodes of a tree out of the engine. */
export type NodeWalk = (walk: Walk<Engine['calls']>) => Columns;

/**
 * Reading the engine's memory, where it gives what the engine itself says of a text; for a grammar or an engine of another making each node is
 * asked for. `parse` gives the nodes of its text as a walk sees them; undefined where it was given up.
 */
export function chooseWalk(parse: (walk: NodeWalk) => Columns | undefined): NodeWalk {
  const [read, told] = [parse(walkMemory), parse(walkCursor)];
  return read !== undefined && told !== undefined && areAlike(read, told) ? walkMemory : walkCursor;
}

/** Something of everything: nodes, errors, fields, comments, of most languages. */
export const PROBE = 'a = b(c, "d")\n// e\nf { if (g.h) return [1, 2]; }\n# i\nclass J extends K { l() { m } }\n\tö: - n\n';

function areAlike(read: Columns, told: Columns): boolean {
  return read.count === told.count && COLUMNS.every((column) => told[column].every((value, row) => read[column][row] === value));
}

const COLUMNS = ['type', 'field', 'start', 'end', 'parent', 'after'] as const;
