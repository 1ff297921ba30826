import {declareName, nameText, sourceOf} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {alsoIn, isInner, scopeHere} from '../extract/scopes.ts';
import {noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, fieldOf, startOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import {isReserved} from './c-macros.ts';
import type {DeclaredKind, Language} from './language.ts';
import {around} from './shapes.ts';

/** C writes a name in the midst of its type: `char *(*f)(int)`. These find it. */
export const cSpecials: Language['special'] = {
  declaration,
  field_declaration: declaration,
  type_definition: declaration,
  function_definition: definition,
  parameter_declaration: parameter,
  optional_parameter_declaration: parameter,
  for_range_loop: parameter,
  preproc_include: included,
  preproc_def: macro,
  preproc_function_def: macro,
  enumerator,
  return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
};

interface Declared {
  /** The node of the name; -1 for none. */
  readonly name: number;
  /** `A::b` in `A::b::c`. */
  readonly owner: string | undefined;
  /** The outermost part is a list of parameters: a function, and no pointer to one. */
  readonly isFunction: boolean;
}

const NAMES: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'namespace_identifier',
  // `typedef int int32_t;`: the grammar knows the name as one of its own.
  'primitive_type',
]);

/** What a declarator declares. */
export function declaredBy(syntax: Syntax, declarator: number): Declared {
  let owner: string | undefined;
  let isFunction = false;
  let at = declarator;
  while (at >= 0 && !NAMES.has(typeOf(syntax, at))) {
    const type = typeOf(syntax, at);
    if (type === 'function_declarator') isFunction = typeOf(syntax, childIn(syntax, at, 'declarator')) !== 'parenthesized_declarator';
    if (type === 'qualified_identifier') {
      const scope = textOf(syntax, childIn(syntax, at, 'scope'));
      owner = owner === undefined ? scope : `${owner}::${scope}`;
      at = childIn(syntax, at, 'name');
    } else if (type === 'template_function' || type === 'template_method') at = childIn(syntax, at, 'name');
    else {
      const next = childIn(syntax, at, 'declarator');
      at = next >= 0 ? next : childOf(syntax, at, ...DECLARATORS);
    }
  }
  return {name: at, owner, isFunction: isFunction || typeOf(syntax, at) === 'operator_cast'};
}

const DECLARATORS = [
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'qualified_identifier',
  ...NAMES,
] as const;

/** `operator bool`, of which the grammar has the parameters in the name. */
function castName(syntax: Syntax, node: number): {readonly name?: string} {
  return typeOf(syntax, node) === 'operator_cast' ? {name: textOf(syntax, node).replace(/\s*\([^]*$/u, '')} : {};
}

function inClass(syntax: Syntax, node: number): boolean {
  return around(syntax, node, ['template_declaration', 'preproc_if', 'preproc_ifdef', 'access_specifier']) === 'field_declaration_list';
}

function declaration(draft: Draft, node: number): void {
  const {syntax} = draft;
  const type = childIn(syntax, node, 'type');
  for (const declarator of childrenOf(syntax, node)) {
    if (fieldOf(syntax, declarator) !== 'declarator') continue;
    const {name, owner, isFunction} = declaredBy(syntax, declarator);
    if (name < 0 || isReserved(textOf(syntax, name))) continue;
    const value = childIn(syntax, declarator, 'value');
    if (owner !== undefined && !isFunction && draft.scopes[draft.scope]?.inner === true) continue;
    declareName(draft, {
      kind: declarationKind(draft, node, isFunction),
      nameNode: name,
      ...castName(syntax, name),
      node,
      source: sourceOf(draft, type, value),
      ...(owner === undefined ? {} : {owner}),
      // Constructors have the name of their class.
      hidden: owner !== undefined || (isFunction && type < 0),
    });
  }
}

function declarationKind(draft: Draft, node: number, isFunction: boolean): DeclaredKind {
  const {syntax} = draft;
  // `guard lock(mutex);` in a function looks like the declaration of one.
  if (isFunction && isInner(draft)) return 'local';
  if (typeOf(syntax, node) === 'type_definition') return 'type';
  const member = inClass(syntax, node);
  if (isFunction) return member ? 'method' : 'function';
  if (member) return 'property';
  return 'variable';
}

function definition(draft: Draft, node: number): void {
  const {syntax} = draft;
  const {name, owner} = declaredBy(syntax, childIn(syntax, node, 'declarator'));
  if (name < 0 || isReserved(textOf(syntax, name))) return;
  const home = draft.scopes[draft.scope]?.parent ?? 0;
  const source = {...sourceOf(draft, childIn(syntax, node, 'type'), -1), scope: home};
  const kind = owner !== undefined || inClass(syntax, node) ? 'method' : 'function';
  declareName(draft, {
    kind,
    nameNode: name,
    ...castName(syntax, name),
    node,
    bodyNode: childIn(syntax, node, 'body'),
    source,
    hidden: childIn(syntax, node, 'type') < 0,
    scope: home,
    ...(owner === undefined ? {} : {owner}),
  });
}

function parameter(draft: Draft, node: number): void {
  const {syntax} = draft;
  const {name} = declaredBy(syntax, childIn(syntax, node, 'declarator'));
  const loop = typeOf(syntax, node) === 'for_range_loop';
  const source = {...sourceOf(draft, childIn(syntax, node, 'type'), loop ? childIn(syntax, node, 'right') : -1), steps: loop ? '[]' : ''};
  if (name >= 0) declareName(draft, {kind: 'local', nameNode: name, node, source});
}

/** The preprocessor knows no scopes: a macro is known in the whole file, wherever it is written. */
function macro(draft: Draft, node: number): void {
  const {syntax} = draft;
  const isFunction = typeOf(syntax, node) === 'preproc_function_def';
  const bodyNode = isFunction ? childIn(syntax, node, 'value') : -1;
  declareName(draft, {kind: isFunction ? 'function' : 'constant', nameNode: childIn(syntax, node, 'name'), node, bodyNode, scope: 0});
}

/** Everything of the other file can be seen. `<…>` keeps its brackets: it is looked for elsewhere. */
function included(draft: Draft, node: number): void {
  const {syntax} = draft;
  const path = childIn(syntax, node, 'path');
  if (path >= 0) draft.imports.push({node: path, local: '*', original: '*', module: nameText(syntax, path)});
}

/** Members of a plain enumeration are names of what is around it. */
function enumerator(draft: Draft, node: number): void {
  const {syntax} = draft;
  const nameNode = childIn(syntax, node, 'name');
  const home = scopeHere(draft);
  if (nameNode < 0 || home === undefined) return;
  declareName(draft, {kind: 'enum_member', nameNode, node, source: sourceOf(draft, -1, childIn(syntax, node, 'value'))});
  const head = syntax.text.slice(syntax.start[home.node], startOf(syntax, home.node) + 12);
  if (home.owner >= 0 && !/^enum\s+(?:class|struct)\b/u.test(head)) alsoIn(draft, home.parent, nameNode);
}
