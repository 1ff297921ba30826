import type {ExpressionRule} from '../languages/language.ts';
import {NO_SOURCE} from './draft.ts';
import type {Draft, TypeSource} from './draft.ts';
import {pick} from './pick.ts';
import {childrenOf, fieldOf, parentOf, textOf, typeOf} from './syntax.ts';

/** A parameter of a function that stands among the arguments of a call gets what the called one hands in. */
export function callbackSource(draft: Draft, node: number): TypeSource {
  const {syntax, language} = draft;
  const scope = draft.scopes[draft.scope];
  if (scope === undefined || (scope.kind !== 'lambda' && scope.kind !== 'function')) return NO_SOURCE;
  const list = parentOf(syntax, scope.node);
  const call = parentOf(syntax, list);
  const rule = language.expressions[typeOf(syntax, call)];
  const parameters = parentOf(syntax, node) === scope.node ? [node] : childrenOf(syntax, parentOf(syntax, node));
  if (language.contexts !== undefined && rule?.is !== 'call') {
    return {...NO_SOURCE, context: scope.node, scope: scope.parent, steps: `^${parameters.indexOf(node)}`};
  }
  if (scope.kind !== 'lambda' || rule?.is !== 'call' || fieldOf(syntax, list) !== 'arguments') return NO_SOURCE;
  return handedSource(draft, {call, rule, place: parameters.indexOf(node)});
}

interface Handed {
  readonly call: number;
  readonly rule: Extract<ExpressionRule, {readonly is: 'call'}>;
  /** Of the parameter in the function that is handed over. */
  readonly place: number;
}

function handedSource(draft: Draft, {call, rule, place}: Handed): TypeSource {
  const {syntax, language} = draft;
  const scope = draft.scopes[draft.scope];
  if (scope === undefined) return NO_SOURCE;
  const argument = childrenOf(syntax, parentOf(syntax, scope.node))
    .filter((child) => !language.comments.includes(typeOf(syntax, child)))
    .indexOf(scope.node);
  const callee = pick(syntax, call, rule.callee);
  const owner = rule.of === undefined ? -1 : pick(syntax, call, rule.of);
  const steps = `(${argument}:${place})`;
  if (owner >= 0) return {...NO_SOURCE, value: owner, scope: scope.parent, steps: `.${textOf(syntax, callee)}${steps}`};
  return {...NO_SOURCE, value: callee, scope: scope.parent, steps};
}

/** A value that the function around the present place gives back. */
export function noteReturn(draft: Draft, value: number): void {
  let at = draft.scope;
  while (at > 0 && draft.scopes[at]?.kind !== 'function' && draft.scopes[at]?.kind !== 'lambda') at = draft.scopes[at]?.parent ?? 0;
  if (value < 0 || at === 0) return;
  const known = draft.returns.get(at);
  if (known === undefined) draft.returns.set(at, [value]);
  else known.push(value);
}
