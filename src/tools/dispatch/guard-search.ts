import {stat} from 'node:fs/promises';
import {isAbsolute, join, relative, sep} from 'node:path';
import type {Subject} from '../../policy/decision.ts';
import type {GrepResult, SearchEngine} from '../../search/engine.ts';

export interface GuardedSearch {
  readonly engine: SearchEngine;
  /** Returns a note for the model about hidden results; undefined if nothing was left out. */
  note(): string | undefined;
}

export interface SearchGuard {
  readonly engine: SearchEngine;
  /** Absolute. */
  readonly root: string;
  /** Returns true if a file may be read without a question. */
  readonly mayRead: (file: Subject) => Promise<boolean>;
}

/**
 * Makes a search hide lines of files that may not be read without a question: key files, and files that a rule denies or asks about. A wide
 * search comes across such files by chance; by its own path such a file is searched like any other, with permission.
 */
export function guardSearch({engine, root, mayRead}: SearchGuard): GuardedSearch {
  const withheld = new Set<string>();
  return {
    engine: {
      get name() {
        return engine.name;
      },
      files: (query, signal) => engine.files(query, signal),
      async grep(query, signal) {
        const found = await engine.grep(query, signal);
        if (found.matches.length === 0 || (await stat(query.root)).isFile()) return found;
        const hidden = await hiddenFiles(found, query.root, {root, mayRead});
        for (const path of hidden) withheld.add(shown(join(query.root, path), root));
        return hidden.size === 0 ? found : {...found, matches: found.matches.filter(({path}) => !hidden.has(path))};
      },
    },
    note() {
      if (withheld.size === 0) return undefined;
      const [...names] = withheld;
      const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
      return `matches in ${names.slice(0, MOST_NAMED).join(', ')}${more} are not shown: such a file is searched only by its own path, with permission`;
    },
  };
}

const MOST_NAMED = 5;

async function hiddenFiles({matches}: GrepResult, searched: string, {root, mayRead}: Omit<SearchGuard, 'engine'>): Promise<Set<string>> {
  const hidden = new Set<string>();
  for (const name of new Set(matches.map(({path}) => path))) {
    const path = join(searched, name);
    const below = relative(root, path).split(sep).join('/');
    const inside = !isAbsolute(below) && below !== '..' && !below.startsWith('../');
    // A folder outside the workspace was allowed as a whole: only files guarded by their name are hidden there.
    if (!(await mayRead({kind: 'path', path, relative: inside ? below : name, inside: true, write: false}))) hidden.add(name);
  }
  return hidden;
}

function shown(path: string, root: string): string {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below;
}
