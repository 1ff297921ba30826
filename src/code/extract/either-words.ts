import type {Draft} from './draft.ts';
import {alternatives} from './join-words.ts';
import {childIn, endOf, startOf} from './syntax.ts';

/** What one of several expressions gives: `c ? a : b`, `a ?? b`. Of `a && b` only `b` has members; other operators give numbers and the like. */
export function eitherWords(
  {syntax}: Draft,
  {node, fields}: {readonly node: number; readonly fields: readonly string[]},
  read: (part: number) => string | undefined,
): string | undefined {
  const [left, right] = [childIn(syntax, node, 'left'), childIn(syntax, node, 'right')];
  if (left < 0 || right < 0)
    return alternatives(
      fields.map((field) => read(childIn(syntax, node, field))),
      '|',
    );
  const sign = syntax.text.slice(endOf(syntax, left), startOf(syntax, right)).trim();
  if (LAST.has(sign)) return read(right);
  return EITHER.has(sign) ? alternatives([read(left), read(right)], '|') : undefined;
}

const LAST: ReadonlySet<string> = new Set(['&&', 'and']);
const EITHER: ReadonlySet<string> = new Set(['||', '??', 'or']);
