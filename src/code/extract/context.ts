import type {Draft} from './draft.ts';
import {nameText} from './declare.ts';
import {pick} from './pick.ts';
import {childIn, childrenOf, fieldOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** What reads types, as far as a context needs it. */
export interface ContextReader {
  ofContext(node: number): string | undefined;
  ofExpression(node: number): string | undefined;
  ofType(node: number): string | undefined;
  step(words: string | undefined, step: string): string | undefined;
}

/** The type, in words, that the place of an expression asks of it; undefined where none does. */
export function contextWords(draft: Draft, node: number, reader: ContextReader): string | undefined {
  return ELEMENTS.has(typeOf(draft.syntax, node)) ? properties(draft.syntax, node, reader) : placeWords(draft, node, reader);
}

const ELEMENTS: ReadonlySet<string> = new Set(['jsx_opening_element', 'jsx_self_closing_element']);

/** Of a component what it takes; what is written small is no name of this text. */
function properties(syntax: Syntax, node: number, reader: ContextReader): string | undefined {
  const name = childIn(syntax, node, 'name');
  const isPlain = name < 0 || /^[a-z][^.]*$/u.test(textOf(syntax, name));
  return isPlain ? undefined : reader.step(reader.ofExpression(name), '^0');
}

function placeWords(draft: Draft, node: number, reader: ContextReader): string | undefined {
  const {syntax, language} = draft;
  const parent = parentOf(syntax, node);
  const rule = parent < 0 ? undefined : language.contexts?.[`${typeOf(syntax, parent)}.${fieldOf(syntax, node)}`];
  switch (rule) {
    case 'declared':
      return reader.ofType(childIn(syntax, parent, 'type'));
    case 'argument':
      return argument(draft, node, reader);
    case 'returned':
      return returned(syntax, node, reader);
    case 'key':
      return reader.step(reader.ofContext(parentOf(syntax, parent)), `.${nameText(syntax, childIn(syntax, parent, 'key'))}`);
    case 'method':
      return methodContext(syntax, node, reader);
    case 'element':
      return reader.step(reader.ofContext(parent), '[]');
    case 'beside':
      return reader.ofExpression(otherSide(syntax, node));
    case 'cast':
      return cast(syntax, node, reader);
    case 'same':
      return reader.ofContext(parent);
    default:
      return undefined;
  }
}

/** Of an assignment. */
function otherSide(syntax: Syntax, node: number): number {
  return childIn(syntax, parentOf(syntax, node), fieldOf(syntax, node) === 'left' ? 'right' : 'left');
}

/** Of what is called its parameter in that place, of a class that of its constructor. */
function argument({syntax, language}: Draft, node: number, reader: ContextReader): string | undefined {
  const list = parentOf(syntax, node);
  const call = parentOf(syntax, list);
  const place = childrenOf(syntax, list)
    .filter((child) => !language.comments.includes(typeOf(syntax, child)))
    .indexOf(node);
  const rule = language.expressions[typeOf(syntax, call)];
  if (rule?.is === 'call')
    return reader.step(reader.ofExpression(pick(syntax, call, rule.callee)), `^${place}${typesGiven(syntax, call, reader)}`);
  if (rule?.is !== 'new') return undefined;
  return reader.step(reader.ofExpression(call), `.constructor^${place}`);
}

/** `<A,B>` that a call is given. */
function typesGiven(syntax: Syntax, call: number, reader: ContextReader): string {
  const types = childrenOf(syntax, childIn(syntax, call, 'type_arguments')).map((type) => reader.ofType(type) ?? '?');
  return types.some((type) => type !== '?') ? `<${types.join(',')}>` : '';
}

function methodContext(syntax: Syntax, node: number, reader: ContextReader): string | undefined {
  const parent = parentOf(syntax, node);
  // What is spread into an object may be like it.
  if (typeOf(syntax, node) === 'spread_element') return reader.ofContext(parent);
  const name = childIn(syntax, node, 'name');
  return name < 0 ? undefined : reader.step(reader.ofContext(parent), `.${nameText(syntax, name)}`);
}

function returned(syntax: Syntax, node: number, reader: ContextReader): string | undefined {
  const at = functionAround(syntax, node);
  if (at < 0) return undefined;
  const type = reader.ofType(childIn(syntax, at, 'return_type')) ?? reader.step(reader.ofContext(at), '()');
  const isAsync = syntax.text.startsWith('async', startOf(syntax, at)) || /\basync\b[^(]*$/u.test(headOf(syntax, at));
  return isAsync ? reader.step(type, '!') : type;
}

/** The function that a value is returned from; -1 for none. */
export function functionAround(syntax: Syntax, node: number): number {
  let at = parentOf(syntax, node);
  while (at >= 0 && childIn(syntax, at, 'parameters') < 0 && childIn(syntax, at, 'parameter') < 0) at = parentOf(syntax, at);
  return at;
}

/** What is written of a function before its parameters. */
function headOf(syntax: Syntax, node: number): string {
  const parameters = childIn(syntax, node, 'parameters');
  return parameters < 0 ? '' : syntax.text.slice(startOf(syntax, node), startOf(syntax, parameters));
}

function cast(syntax: Syntax, node: number, reader: ContextReader): string | undefined {
  const parent = parentOf(syntax, node);
  const type = childrenOf(syntax, parent).at(-1) ?? -1;
  return type === node ? undefined : (reader.ofType(type) ?? reader.ofContext(parent));
}
