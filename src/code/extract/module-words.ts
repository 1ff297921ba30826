import {nameText} from './declare.ts';
import type {Draft} from './draft.ts';
import {childIn, childrenOf, textOf, typeOf} from './syntax.ts';

/** `typeof import('m')` of a call that loads a module, `import('m')`; undefined for any other call. */
export function moduleWords({syntax, language}: Draft, call: number): string | undefined {
  if (language.contexts === undefined || textOf(syntax, childIn(syntax, call, 'function')) !== 'import') return undefined;
  const [module = -1] = childrenOf(syntax, childIn(syntax, call, 'arguments'));
  const path = typeOf(syntax, module) === 'string' ? nameText(syntax, module) : '';
  return /^[\w@./:#~-]+$/u.test(path) ? `typeof import('${path}')` : undefined;
}
