import type {SymbolTable} from './pack-symbols.ts';

/** `Server.start` for each symbol. */
export function qualifiedNames({names, parents, owners}: SymbolTable): string[] {
  const qualified: string[] = [];
  for (let at = 0; at < names.length; at++) {
    const parent = parents[at] ?? -1;
    const name = names[at] ?? '';
    const around = parent >= 0 && parent < at ? `${qualified[parent] ?? ''}.` : '';
    qualified.push(`${around}${owners[at] === undefined ? '' : `${owners[at]}.`}${name}`);
  }
  return qualified;
}

/** `Server.start#method`, and `~2` after the second of two equal ones: what stays of a symbol when its lines move (symbol.ts › id). */
export function symbolKeys(table: SymbolTable, qualified: readonly string[] = qualifiedNames(table)): string[] {
  const seen = new Map<string, number>();
  return qualified.map((name, at) => {
    const key = `${name}#${table.kinds[at] ?? ''}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key}~${count}`;
  });
}
