import type {DatabaseSync} from 'node:sqlite';
import {distance} from 'fastest-levenshtein';

/** The indexed files whose paths are most like this one, at most three. */
export function nearestPaths(database: DatabaseSync, path: string): string[] {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return database
    .prepare('SELECT path FROM file LIMIT 20000')
    .all()
    .map((row) => String(row['path']))
    .map((known) => ({known, errors: Math.min(distance(known, path), distance(known.slice(known.lastIndexOf('/') + 1), last))}))
    .filter(({errors}) => errors <= 3)
    .sort((a, b) => a.errors - b.errors || a.known.length - b.known.length)
    .slice(0, 3)
    .map(({known}) => known);
}
