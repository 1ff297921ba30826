import {declareImport, declareName, declarePattern, markHandled, sourceOf} from '../extract/declare.ts';
import type {Draft, TypeSource} from '../extract/draft.ts';
import {declares} from '../extract/scopes.ts';
import {noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, fieldOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclaredKind, DeclareRule, Language, ScopeKind} from './language.ts';

const PARAMETER: DeclareRule = {kind: 'local'};
const UNNAMED_PARAMETER: DeclareRule = {kind: 'local', name: (syntax, node) => childOf(syntax, node, 'identifier', 'list_splat_pattern')};

export const python: Language = {
  name: 'python',
  grammar: 'python',
  extensions: ['.py', '.pyi', '.pyw'],
  self: ['self', 'cls'],
  membersInBody: true,
  isGetter: isProperty,
  declares: {
    function_definition: {kind: (syntax, node) => (inClass(syntax, node) ? 'method' : 'function')},
    class_definition: {kind: 'class'},
    typed_parameter: UNNAMED_PARAMETER,
    default_parameter: PARAMETER,
    typed_default_parameter: PARAMETER,
    for_in_clause: {kind: 'local', name: 'left', value: 'right', element: true},
    as_pattern: {kind: 'local', name: 'alias', value: firstChild},
    type_alias_statement: {
      kind: 'type',
      name: (syntax, node) => childOf(syntax, childIn(syntax, node, 'left'), 'identifier'),
      type: ['right'],
    },
  },
  scopes: {
    function_definition: 'function',
    class_definition: 'type',
    lambda: 'lambda',
    list_comprehension: 'lambda',
    set_comprehension: 'lambda',
    dictionary_comprehension: 'lambda',
    generator_expression: 'lambda',
  },
  names: {identifier: {use: 'reference', space: 'both'}},
  places: {
    'call.function': 'call',
    'decorator.': 'call',
    'attribute.attribute': {of: 'object'},
    'keyword_argument.name': 'skip',
    'type.': 'uses_type',
    'generic_type.': 'climb',
    'union_type.': 'climb',
    'member_type.': 'climb',
    'argument_list.': 'climb',
    'class_definition.superclasses': 'extends',
  },
  expressions: {
    identifier: {is: 'name'},
    attribute: {is: 'member', of: 'object', name: 'attribute'},
    call: {is: 'call', callee: 'function'},
    subscript: {is: 'index', of: 'value'},
    await: {is: 'await'},
    parenthesized_expression: {is: 'pass'},
    as_pattern: {is: 'pass'},
    boolean_operator: {is: 'either', fields: ['right', 'left']},
    conditional_expression: {is: 'pass'},
    list: {is: 'array'},
    string: {is: 'literal', type: 'str'},
    integer: {is: 'literal', type: 'int'},
    float: {is: 'literal', type: 'float'},
    true: {is: 'literal', type: 'bool'},
    false: {is: 'literal', type: 'bool'},
  },
  types: {
    type: {is: 'pass'},
    identifier: {is: 'name'},
    attribute: {is: 'name'},
    member_type: {is: 'name'},
    string: {is: 'quoted'},
    generic_type: {is: 'bracketed'},
    subscript: {is: 'bracketed'},
    union_type: {is: 'either', by: '|'},
    binary_operator: {is: 'either', by: '|'},
  },
  patterns: {
    identifier: {is: 'leaf'},
    as_pattern_target: {is: 'through'},
    pattern_list: {is: 'zip'},
    expression_list: {is: 'zip'},
    tuple_pattern: {is: 'element'},
    list_pattern: {is: 'element'},
    list_splat_pattern: {is: 'rest'},
    dictionary_splat_pattern: {is: 'rest'},
  },
  comments: ['comment'],
  wrappers: ['decorated_definition', 'expression_statement'],
  decorations: ['decorator'],
  exported: (_syntax, _node, name) => !name.startsWith('_') || name.endsWith('__'),
  docInside: docString,
  special: {
    import_statement: importStatement,
    import_from_statement: importFrom,
    future_import_statement: importFrom,
    assignment,
    augmented_assignment: assignment,
    named_expression: (draft, node) =>
      assigned(draft, {left: childIn(draft.syntax, node, 'name'), node, type: -1, value: childIn(draft.syntax, node, 'value')}),
    for_statement: (draft, node) =>
      assigned(draft, {
        left: childIn(draft.syntax, node, 'left'),
        node,
        type: -1,
        value: childIn(draft.syntax, node, 'right'),
        element: true,
      }),
    parameters,
    lambda_parameters: parameters,
    global_statement: outerNames,
    nonlocal_statement: outerNames,
    return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

function firstChild(syntax: Syntax, node: number): number {
  return childrenOf(syntax, node)[0] ?? -1;
}

function inClass(syntax: Syntax, node: number): boolean {
  let at = parentOf(syntax, node);
  while (['block', 'decorated_definition', 'if_statement', 'else_clause'].includes(typeOf(syntax, at))) at = parentOf(syntax, at);
  return typeOf(syntax, at) === 'class_definition';
}

/** `@property`, `@cached_property`, `@functools.cached_property`. */
function isProperty(syntax: Syntax, node: number): boolean {
  return childrenOf(syntax, parentOf(syntax, node)).some(
    (at) => typeOf(syntax, at) === 'decorator' && /^@\s*(?:\w+\.)*(?:cached_)?property\s*$/u.test(textOf(syntax, at)),
  );
}

function docString(syntax: Syntax, node: number): number {
  const body = childIn(syntax, node, 'body');
  const first = body < 0 ? -1 : (childrenOf(syntax, body)[0] ?? -1);
  return first >= 0 && typeOf(syntax, first) === 'expression_statement' ? childOf(syntax, first, 'string') : -1;
}

function parameters(draft: Draft, node: number): void {
  for (const child of childrenOf(draft.syntax, node)) {
    if (draft.language.patterns[typeOf(draft.syntax, child)] !== undefined) {
      declarePattern(draft, child, {kind: 'local', node: child});
    }
  }
}

function importStatement(draft: Draft, node: number): void {
  const {syntax} = draft;
  for (const child of childrenOf(syntax, node)) {
    const dotted = typeOf(syntax, child) === 'aliased_import' ? childIn(syntax, child, 'name') : child;
    const alias = typeOf(syntax, child) === 'aliased_import' ? childIn(syntax, child, 'alias') : -1;
    const module = textOf(syntax, dotted);
    const first = childrenOf(syntax, dotted)[0] ?? dotted;
    markHandled(draft, dotted);
    if (alias >= 0) declareImport(draft, {node: dotted, localNode: alias, local: textOf(syntax, alias), original: '*', module});
    else {
      // `import a.b` binds `a`, and loads `a.b`.
      declareImport(draft, {node: first, local: textOf(syntax, first), original: '*', module: textOf(syntax, first)});
      if (first !== dotted && module.includes('.')) draft.imports.push({node: dotted, original: '*', module});
    }
  }
}

function importFrom(draft: Draft, node: number): void {
  const {syntax} = draft;
  const from = childIn(syntax, node, 'module_name');
  const module = from < 0 ? '__future__' : textOf(syntax, from);
  if (from >= 0) {
    markHandled(draft, from);
    draft.imports.push({node: from, original: '*', module});
  }
  for (const child of childrenOf(syntax, node)) {
    if (typeOf(syntax, child) === 'wildcard_import') draft.imports.push({node: child, local: '*', original: '*', module});
    if (fieldOf(syntax, child) !== 'name') continue;
    const aliased = typeOf(syntax, child) === 'aliased_import';
    const name = aliased ? childIn(syntax, child, 'name') : child;
    const leaf = childrenOf(syntax, name)[0] ?? name;
    const localNode = aliased ? childIn(syntax, child, 'alias') : leaf;
    markHandled(draft, name);
    declareImport(draft, {node: leaf, localNode, local: textOf(syntax, localNode), original: textOf(syntax, name), module});
  }
}

function assignment(draft: Draft, node: number): void {
  const {syntax} = draft;
  const left = childIn(syntax, node, 'left');
  const [type, value] = [childIn(syntax, node, 'type'), childIn(syntax, node, 'right')];
  if (typeOf(syntax, left) === 'attribute') return member(draft, {left, node, type, value});
  if (typeOf(syntax, node) !== 'augmented_assignment') assigned(draft, {left, node, type, value});
}

interface Assigned {
  readonly left: number;
  readonly node: number;
  readonly type: number;
  readonly value: number;
  readonly element?: boolean;
}

/** The first assignment in a scope declares the name; the others use it. */
function assigned(draft: Draft, given: Assigned): void {
  const {syntax} = draft;
  const scope = draft.scopes[draft.scope];
  if (given.left < 0 || scope === undefined) return;
  const isAgain = typeOf(syntax, given.left) === 'identifier' && scope.names.has(textOf(syntax, given.left));
  if (isAgain && !replacesImport(draft, given.left)) return;
  const source = {...sourceOf(draft, given.type, given.value), steps: given.element === true ? '[]' : ''};
  declarePattern(draft, given.left, {
    kind: scope.inner ? 'local' : assignedKind(syntax, given, scope.kind),
    node: given.node,
    source,
    bodyNode: -1,
    hidden: isAgain,
  });
}

/** `except ImportError: ssl = None`: what a module has where the import fails. The name itself still means what is imported. */
function replacesImport(draft: Draft, node: number): boolean {
  const name = textOf(draft.syntax, node);
  const known = draft.scope === 0 ? draft.scopes[0]?.names.get(name) : undefined;
  const isImported = known?.every((binding) => (draft.bindings[binding]?.import ?? -1) >= 0) === true;
  return isImported && !draft.symbols.some((symbol) => symbol.name === name && symbol.parent < 0);
}

function assignedKind(syntax: Syntax, {left, value}: Assigned, home: ScopeKind): DeclaredKind {
  if (typeOf(syntax, left) !== 'identifier') return 'variable';
  if (home === 'type') return 'property';
  if (typeOf(syntax, value) === 'lambda') return 'function';
  return /^[A-Z][A-Z0-9_]*$/u.test(textOf(syntax, left)) ? 'constant' : 'variable';
}

/** `self.name = …` in a method declares a member of its class, the first time. */
function member(draft: Draft, {left, node, type, value}: Assigned): void {
  const {syntax} = draft;
  if (!['self', 'cls'].includes(textOf(syntax, childIn(syntax, left, 'object')))) return;
  let at = draft.scope;
  while (at > 0 && draft.scopes[at]?.kind !== 'type') at = draft.scopes[at]?.parent ?? 0;
  const home = draft.scopes[at];
  const name = childIn(syntax, left, 'attribute');
  if (at === 0 || home === undefined) return;
  const known = home.names.get(textOf(syntax, name));
  if (known !== undefined) return learnType(draft, known[0], sourceOf(draft, type, value));
  declareName(draft, {kind: 'property', nameNode: name, node, scope: at, source: sourceOf(draft, type, value)});
}

/** A member that began as `None` has the type of what is assigned next. */
function learnType(draft: Draft, known: number | undefined, source: TypeSource): void {
  const index = draft.bindings[known ?? -1]?.symbol ?? -1;
  const symbol = draft.symbols[index];
  if (symbol?.kind !== 'property' || symbol.source.type >= 0) return;
  if (typeOf(draft.syntax, symbol.source.value) === 'none') draft.symbols[index] = {...symbol, source};
}

/** `global` and `nonlocal`: the function does not have the name itself. Kept as taken, so that no assignment declares it. */
function outerNames(draft: Draft, node: number): void {
  const scope = draft.scopes[draft.scope];
  const isGlobal = typeOf(draft.syntax, node) === 'global_statement';
  for (const child of childrenOf(draft.syntax, node)) {
    const name = textOf(draft.syntax, child);
    scope?.names.set(name, []);
    // A name of the module that no line outside of functions declares.
    if (isGlobal && !declares(draft, 0, name) && !new RegExp(`^${name}\\s*[:=,]`, 'mu').test(draft.syntax.text)) {
      declareName(draft, {kind: 'variable', nameNode: child, node: child, scope: 0});
    }
  }
}
