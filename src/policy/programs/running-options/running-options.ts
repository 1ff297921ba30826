import type {ProgramFacts} from '../program-facts.ts';
import {wordList} from '../../word-list.ts';
import {BUILDS} from './builds.ts';
import {CHECKS} from './checks.ts';
import {CLOUDS} from './clouds.ts';
import {DATABASES} from './databases.ts';
import {MEDIA} from './media.ts';
import {NETWORK} from './network.ts';
import type {OptionRow} from './option-row.ts';
import {PACKAGES} from './packages.ts';
import {VIEWERS} from './viewers.ts';

/** Every row of the tables in this folder. */
export const OPTION_ROWS: readonly OptionRow[] = [
  ...VIEWERS,
  ...NETWORK,
  ...CHECKS,
  ...BUILDS,
  ...PACKAGES,
  ...CLOUDS,
  ...MEDIA,
  ...DATABASES,
];

/** Merges the rows with the other facts about programs. A program in several rows has the facts of all of them. */
export function withOptions(known: Iterable<readonly [string, ProgramFacts]>): ReadonlyMap<string, ProgramFacts> {
  const all = new Map(known);
  for (const row of OPTION_ROWS) {
    for (const name of wordList(row.names)) {
      const before = all.get(name);
      all.set(name, before === undefined ? row : merged(before, row));
    }
  }
  return all;
}

function merged(one: ProgramFacts, other: ProgramFacts): ProgramFacts {
  return {
    ...one,
    ...other,
    ...joined(one, other, ''),
    ...joined(one, other, ' '),
    words: [...(one.words ?? []), ...(other.words ?? [])],
    ...(one.actions !== undefined && other.actions !== undefined
      ? {actions: new RegExp(`${one.actions.source}|${other.actions.source}`)}
      : {}),
  };
}

/** Fields that are letters, and fields that are names with blanks between them. */
const FIELDS = {
  '': ['short', 'valued'],
  ' ': ['long', 'single', 'own', 'subcommands', 'config', 'texts', 'modules', 'local'],
} as const;

function joined(one: ProgramFacts, other: ProgramFacts, between: keyof typeof FIELDS): ProgramFacts {
  const fields = FIELDS[between].flatMap((field) => {
    const values = [one[field], other[field]].filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[field, values.join(between)] as const];
  });
  return Object.fromEntries(fields);
}
