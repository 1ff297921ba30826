import {declareName, markHandled} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {childIn, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import {directivesApart} from './c-directives.ts';
import {isReserved, mendC, mendCpp} from './c-macros.ts';
import {namespaces} from './c-namespaces.ts';
import {cSpecials} from './c-names.ts';
import type {DeclaredKind, DeclareRule, Language} from './language.ts';
import {child, none} from './shapes.ts';

const BODIED: DeclareRule = {kind: (syntax, node) => whenBodied(syntax, node, 'struct'), name: typeName, type: none};

/** Other words than those of declarations, which name nothing either. */
const OPERATORS =
  /^(?:sizeof|break|continue|catch|defined|new|nullptr|this|true|false|typeid|typeof|__typeof__|decltype|(?:static|const|dynamic|reinterpret)_cast|static_assert|_Static_assert|_Generic|_Pragma|_Bool|union|__VA_ARGS__|__VA_OPT__)$/u;

const cParts: Omit<Language, 'name' | 'grammar' | 'extensions'> = {
  sequential: true,
  declares: {
    struct_specifier: BODIED,
    union_specifier: BODIED,
    enum_specifier: {kind: (syntax, node) => whenBodied(syntax, node, 'enum'), name: typeName, type: none},
  },
  scopes: {
    function_definition: 'function',
    declaration: whenParameters,
    field_declaration: whenParameters,
    type_definition: whenParameters,
    parameter_declaration: whenParameters,
    compound_statement: 'block',
    for_statement: 'block',
    struct_specifier: 'literal',
    union_specifier: 'literal',
    enum_specifier: 'literal',
    preproc_function_def: () => 'lambda',
  },
  names: {
    identifier: {use: 'reference', space: 'both'},
    type_identifier: {use: 'uses_type', space: 'both'},
    field_identifier: {use: 'skip'},
  },
  places: {
    'call_expression.function': 'call',
    'field_expression.field': {of: 'argument'},
    'attribute.name': 'skip',
  },
  expressions: {
    identifier: {is: 'name'},
    field_expression: {is: 'member', of: 'argument', name: 'field'},
    call_expression: {is: 'call', callee: 'function'},
    subscript_expression: {is: 'index', of: 'argument'},
    pointer_expression: {is: 'pass', inner: 'argument'},
    parenthesized_expression: {is: 'pass'},
    cast_expression: {is: 'cast', type: 'type'},
  },
  types: {
    type_identifier: {is: 'name'},
    primitive_type: {is: 'name'},
    struct_specifier: {is: 'pass', inner: 'name'},
    union_specifier: {is: 'pass', inner: 'name'},
    enum_specifier: {is: 'pass', inner: 'name'},
    class_specifier: {is: 'pass', inner: 'name'},
    type_descriptor: {is: 'pass', inner: 'type'},
    qualified_identifier: {is: 'name', inner: 'name'},
    template_type: {is: 'generic', name: 'name', args: 'arguments'},
  },
  patterns: {},
  comments: ['comment'],
  wrappers: ['template_declaration'],
  exported: (syntax, node) => !/^\s*static\b/u.test(textOf(syntax, node).slice(0, 20)) && !inAnonymous(syntax, node),
  special: {...cSpecials, preproc_params: macroParameters},
  apart: directivesApart,
  unparsed: {
    node: 'preproc_arg',
    names: inMacro,
    // Comments, strings, characters and numbers are found, so that nothing within them is.
    words: /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\.)*'|\b\d[\w.']*|([\p{L}_$][\p{L}\p{N}_$]*)/gu,
    isReserved: (word) => isReserved(word) || OPERATORS.test(word),
  },
};

/**
 * What looks like something else: `namespace std VISIBILITY(default) {` and `struct EXPORT Name {` like functions, a macro on a line of its own
 * like a type.
 */
const MISREAD =
  /^[ \t]*(?:(?:inline\s+)?namespace\s+\w+\s+[A-Z_]\w*\s*\(|(?:class|struct|union)\s+[A-Z][A-Z\d_]+\s+\w+\s*(?:final\s*)?[{:]|[A-Z][A-Z\d_]+[ \t]*\r?\n\s*(?:typedef|extern|static|struct|class|enum|union|namespace|template)\b)/mu;

export const c: Language = {name: 'c', grammar: 'c', extensions: ['.c', '.h'], ...cParts, mend: mendC, misread: MISREAD};

export const cpp: Language = {
  name: 'cpp',
  grammar: 'cpp',
  extensions: ['.cpp', '.cc', '.cxx', '.c++', '.hpp', '.hh', '.hxx', '.h++', '.ipp', '.inl'],
  ...cParts,
  membersInScope: true,
  declares: {
    ...cParts.declares,
    class_specifier: {kind: (syntax, node) => whenBodied(syntax, node, 'class'), name: typeName, type: none},
    alias_declaration: {kind: 'type'},
    concept_definition: {kind: 'type'},
    type_parameter_declaration: {kind: 'local', name: child('type_identifier'), type: none, space: 'type'},
  },
  scopes: {
    ...cParts.scopes,
    class_specifier: 'literal',
    namespace_definition: () => 'namespace',
    template_declaration: 'namespace',
    lambda_expression: 'lambda',
    for_range_loop: 'block',
    catch_clause: 'block',
  },
  names: {...cParts.names, namespace_identifier: {use: 'reference', space: 'both'}},
  places: {
    ...cParts.places,
    'qualified_identifier.name': {of: 'scope'},
    'qualified_identifier.scope': {of: outerSpace, use: 'reference'},
    'template_type.name': 'climb',
    'template_function.name': 'climb',
    'base_class_clause.': 'extends',
    'new_expression.type': 'call',
    'destructor_name.': 'skip',
    'field_initializer.': 'reference',
  },
  expressions: {
    ...cParts.expressions,
    this: {is: 'this'},
    new_expression: {is: 'new', type: 'type'},
    qualified_identifier: {is: 'member', of: 'scope', name: 'name'},
    namespace_identifier: {is: 'member', of: outerSpace, name: (_syntax, node) => node},
  },
  special: {...cSpecials, preproc_params: macroParameters, namespace_definition: namespaces, using_declaration: using},
  mend: mendCpp,
  misread: MISREAD,
};

/** `Box` of `struct shop::Box<int, T>`: what stands in it belongs to a type of that name, whatever it is made for. */
function typeName(syntax: Syntax, node: number): number {
  let name = childIn(syntax, node, 'name');
  while (['qualified_identifier', 'template_type'].includes(typeOf(syntax, name))) name = childIn(syntax, name, 'name');
  return name;
}

/** `a` for `b` in `a::b::c`; -1 for the first. */
function outerSpace(syntax: Syntax, node: number): number {
  const path = parentOf(syntax, node);
  const outer = parentOf(syntax, path);
  return typeOf(syntax, outer) === 'qualified_identifier' && childIn(syntax, outer, 'name') === path ? childIn(syntax, outer, 'scope') : -1;
}

function macroParameters(draft: Draft, node: number): void {
  for (const nameNode of childrenOf(draft.syntax, node)) {
    if (typeOf(draft.syntax, nameNode) === 'identifier') declareName(draft, {kind: 'local', nameNode, node: nameNode});
  }
}

/** `using namespace a::b;` opens it, `using a::b;` takes one name of it. */
function using(draft: Draft, node: number): void {
  const {syntax} = draft;
  const path = childrenOf(syntax, node).at(-1) ?? -1;
  const [last, ...before] = textOf(syntax, path).replace(/^::/u, '').split('::').toReversed();
  if (path < 0 || last === undefined) return;
  const words = before.toReversed().join('::');
  if (/^using\s+namespace\b/u.test(textOf(syntax, node).slice(0, 40))) {
    draft.imports.push({node: path, local: '*', original: '*', module: `::${words === '' ? last : `${words}::${last}`}`});
  } else {
    const name = typeOf(syntax, path) === 'qualified_identifier' ? lastName(syntax, path) : path;
    markHandled(draft, path);
    draft.imports.push({node: name, local: last, original: last, module: `::${words}`});
  }
}

function lastName(syntax: Syntax, path: number): number {
  let name = path;
  while (typeOf(syntax, name) === 'qualified_identifier') name = childIn(syntax, name, 'name');
  return name;
}

/** What a macro stands for, and the name of one that ends: not the words of `#error` and `#pragma`. */
function inMacro(syntax: Syntax, node: number): 'here' | undefined {
  const parent = parentOf(syntax, node);
  return typeOf(syntax, parent) !== 'preproc_call' || /^#\s*undef\b/u.test(textOf(syntax, parent)) ? 'here' : undefined;
}

/** `struct a` without a body only names it. */
function whenBodied(syntax: Syntax, node: number, kind: DeclaredKind): DeclaredKind | undefined {
  return childIn(syntax, node, 'body') >= 0 ? kind : undefined;
}

/** The parameters of what has no body are names of it alone. */
function whenParameters(syntax: Syntax, node: number): 'lambda' | undefined {
  return textOf(syntax, childIn(syntax, node, 'declarator')).includes('(') ? 'lambda' : undefined;
}

function inAnonymous(syntax: Syntax, node: number): boolean {
  for (let at = parentOf(syntax, node); at >= 0; at = parentOf(syntax, at)) {
    if (typeOf(syntax, at) === 'namespace_definition' && childIn(syntax, at, 'name') < 0) return true;
  }
  return false;
}
