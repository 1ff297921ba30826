import type {FileFacts, SymbolFact, UseFact} from '../file-facts.ts';
import {familyOf} from '../store/symbol-edges.ts';
import type {SymbolKind} from '../symbol.ts';

/**
 * The name of what would be used before it is declared, and was not so before; undefined where there is none. What runs while a file is loaded
 * counts: the bodies of functions run later. In C everything counts.
 */
export function usedTooEarly(before: FileFacts, after: FileFacts): string | undefined {
  const [was, would] = [earlyUses(before), earlyUses(after)];
  return would.find((name) => count(would, name) > count(was, name));
}

function count(names: readonly string[], name: string): number {
  return names.filter((one) => one === name).length;
}

function earlyUses({language, symbols, uses}: FileFacts): readonly string[] {
  const family = familyOf(language);
  if (!ORDERED.has(family)) return [];
  return uses.flatMap((use) => {
    const target = symbols[use.target];
    if (target === undefined || PASSED.has(target.kind) || !isBefore(use, target)) return [];
    if (family === 'c') return [target.name];
    const isRead = family === 'python' || (use.kind !== 'uses_type' && use.kind !== 'implements');
    return isRead && !isLater(use, symbols) && !HOISTED.test(target.signature) ? [target.name] : [];
  });
}

/** Languages that run, or read, a file from its beginning to its end. */
const ORDERED: ReadonlySet<string> = new Set(['typescript', 'python', 'ruby', 'lua', 'c']);
const PASSED: ReadonlySet<SymbolKind> = new Set(['interface', 'type']);
/** ECMAScript › FunctionDeclaration: known in all of its scope. */
const HOISTED = /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b/;

function isBefore({range: {start}}: UseFact, {nameRange}: SymbolFact): boolean {
  return start.line < nameRange.start.line || (start.line === nameRange.start.line && start.character < nameRange.start.character);
}

/** In a function or one of its kind. */
function isLater({within}: UseFact, symbols: readonly SymbolFact[]): boolean {
  for (let at = within; at >= 0; at = symbols[at]?.parent ?? -1) if (RUNS_LATER.has(symbols[at]?.kind ?? 'variable')) return true;
  return false;
}

const RUNS_LATER: ReadonlySet<SymbolKind> = new Set(['function', 'method']);
