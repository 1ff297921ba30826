import type {CodeSymbol} from '../symbol.ts';

/** Whether a symbol is reached through what it is in, as `a.b`. What a function declares is not; what stands outside of its type is. */
export function isMember(symbol: CodeSymbol): boolean {
  if (symbol.parentId === undefined) return symbol.qualifiedName !== symbol.name;
  return !isLocal(symbol);
}

/** Declared in the body of a function: nothing outside of that can name it. */
export function isLocal({parentId, kind}: CodeSymbol): boolean {
  return parentId !== undefined && IN_FUNCTION.test(parentId) && kind !== 'property' && kind !== 'method';
}

const IN_FUNCTION = /#(?:function|method)(?:~\d+)?$/;
