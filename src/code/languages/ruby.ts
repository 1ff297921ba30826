import {declareName, declarePattern, markHandled, nameText, sourceOf} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {declares, nearestScope} from '../extract/scopes.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {ancestorOf, childIn, childOf, childrenOf, fieldOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclareRule, Language} from './language.ts';
import {around} from './shapes.ts';

const PARAMETER: DeclareRule = {kind: 'local'};

export const ruby: Language = {
  name: 'ruby',
  grammar: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec'],
  fileNames: ['Rakefile', 'Gemfile'],
  membersInScope: true,
  declares: {
    module: {kind: 'module', name: constantName, owner: constantOwner},
    class: {kind: 'class', name: constantName, owner: constantOwner},
    method: {kind: (syntax, node) => (inType(syntax, node) ? 'method' : 'function'), body: 'body'},
    singleton_method: {kind: singletonKind, body: 'body', owner: singletonOwner},
    optional_parameter: PARAMETER,
    splat_parameter: PARAMETER,
    keyword_parameter: PARAMETER,
    hash_splat_parameter: PARAMETER,
    block_parameter: PARAMETER,
    exception_variable: {kind: 'local', name: (syntax, node) => childrenOf(syntax, node)[0] ?? -1},
    alias: {kind: (syntax, node) => (inType(syntax, node) ? 'method' : 'function')},
  },
  scopes: {
    module: 'type',
    class: 'type',
    method: 'function',
    singleton_method: 'function',
    do_block: 'lambda',
    block: 'lambda',
    lambda: 'lambda',
  },
  names: {
    identifier: {use: 'reference', space: 'both'},
    constant: {use: 'reference', space: 'both'},
    instance_variable: {use: 'reference', space: 'both'},
    class_variable: {use: 'reference', space: 'both'},
    global_variable: {use: 'reference', space: 'both'},
  },
  places: {
    'call.method': {of: 'receiver', use: 'call'},
    'call.receiver': {when: isMade, use: 'call'},
    'scope_resolution.name': {of: 'scope'},
    'superclass.': 'extends',
    // A module that is mixed in gives its members.
    'argument_list.': {when: isMixin, use: 'extends'},
    'alias.alias': 'reference',
  },
  expressions: {
    identifier: {is: 'name'},
    constant: {is: 'name'},
    instance_variable: {is: 'name'},
    self: {is: 'this'},
    super: {is: 'super'},
    call: {is: 'call', callee: 'method', of: 'receiver'},
    scope_resolution: {is: 'member', of: 'scope', name: 'name'},
    element_reference: {is: 'index', of: 'object'},
    parenthesized_statements: {is: 'pass'},
    string: {is: 'literal', type: 'String'},
    integer: {is: 'literal', type: 'Integer'},
    float: {is: 'literal', type: 'Float'},
    array: {is: 'array'},
  },
  types: {},
  patterns: {
    identifier: {is: 'leaf'},
    left_assignment_list: {is: 'zip'},
    destructured_parameter: {is: 'element'},
    destructured_left_assignment: {is: 'element'},
  },
  comments: ['comment'],
  wrappers: [],
  exported: () => true,
  unparsed: {node: 'simple_symbol', names: namesMethod, words: /([\p{L}_][\p{L}\p{N}_]*[?!]?)/gu},
  nameOf: (written) => written.replace(/^:/u, ''),
  special: {
    call: callSpecial,
    assignment,
    operator_assignment: assignment,
    method_parameters: parameters,
    block_parameters: parameters,
    lambda_parameters: parameters,
    method: lastValue,
    singleton_method: lastValue,
    return: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, childOf(draft.syntax, node, 'argument_list'))[0] ?? -1),
  },
};

/** A method gives what its last line does. */
function lastValue(draft: Draft, node: number): void {
  const body = childIn(draft.syntax, node, 'body');
  noteReturn(draft, typeOf(draft.syntax, body) === 'body_statement' ? (childrenOf(draft.syntax, body).at(-1) ?? -1) : body);
}

function isMixin(syntax: Syntax, list: number): boolean {
  const call = parentOf(syntax, list);
  return childIn(syntax, call, 'receiver') < 0 && /^(?:include|extend|prepend)$/u.test(textOf(syntax, childIn(syntax, call, 'method')));
}

/** `Item` in `Item.new`. */
function isMade(syntax: Syntax, call: number): boolean {
  return textOf(syntax, childIn(syntax, call, 'method')) === 'new';
}

/** A symbol that a declaration in a class is given (`before_action :load`, `private :load`), or a call that looks for a method of that name. */
function namesMethod(syntax: Syntax, node: number): 'here' | 'elsewhere' | undefined {
  if (typeOf(syntax, parentOf(syntax, node)) === 'alias') return 'here';
  let at = node;
  for (; BETWEEN.has(typeOf(syntax, parentOf(syntax, at))); at = parentOf(syntax, at)) {
    if (fieldOf(syntax, at) === 'key') return undefined;
    if (typeOf(syntax, parentOf(syntax, at)) === 'block_argument') return 'elsewhere';
  }
  const call = parentOf(syntax, at);
  if (typeOf(syntax, call) !== 'call' || typeOf(syntax, at) !== 'argument_list') return undefined;
  const isOwn = childIn(syntax, call, 'receiver') < 0;
  const isDeclaration = isOwn && ['class', 'module'].includes(around(syntax, call, ['body_statement']));
  if (!isDeclaration && !ASKS.test(textOf(syntax, childIn(syntax, call, 'method')))) return undefined;
  return isOwn ? 'here' : 'elsewhere';
}

const BETWEEN: ReadonlySet<string> = new Set(['array', 'pair', 'argument_list', 'block_argument']);
const ASKS =
  /^(?:send|__send__|public_send|respond_to\?|method|instance_method|public_instance_method|method_defined\?|enum_for|to_enum|try!?)$/u;

function constantName(syntax: Syntax, node: number): number {
  const name = childIn(syntax, node, 'name');
  return typeOf(syntax, name) === 'scope_resolution' ? childIn(syntax, name, 'name') : name;
}

function constantOwner(syntax: Syntax, node: number): string | undefined {
  const scope = childIn(syntax, childIn(syntax, node, 'name'), 'scope');
  return scope < 0 ? undefined : textOf(syntax, scope);
}

function singletonOwner(syntax: Syntax, node: number): string | undefined {
  const object = childIn(syntax, node, 'object');
  return typeOf(syntax, object) === 'constant' && !inType(syntax, node) ? textOf(syntax, object) : undefined;
}

/** In a block that stands in no class, an object is made that only the block's method knows. */
function singletonKind(syntax: Syntax, node: number): 'method' | 'function' {
  return singletonOwner(syntax, node) !== undefined || ancestorOf(syntax, node, 'class', 'module') >= 0 ? 'method' : 'function';
}

function inType(syntax: Syntax, node: number): boolean {
  return ['class', 'module'].includes(around(syntax, node, ['body_statement', 'singleton_class', 'argument_list', 'call']));
}

function parameters(draft: Draft, node: number): void {
  for (const child of childrenOf(draft.syntax, node)) {
    declarePattern(draft, child, {kind: 'local', node: child, source: callbackSource(draft, child)});
  }
}

/** What is written as a call and declares: `require`, `attr_reader`, `alias_method`. */
function callSpecial(draft: Draft, node: number): void {
  const {syntax} = draft;
  if (childIn(syntax, node, 'receiver') >= 0) return;
  const method = textOf(syntax, childIn(syntax, node, 'method'));
  if (/^(?:include|extend|prepend|attr_(?:reader|writer|accessor)|alias_method)$/u.test(method))
    markHandled(draft, childIn(syntax, node, 'method'));
  const list = childrenOf(syntax, childIn(syntax, node, 'arguments'));
  const [first] = list;
  if (first === undefined) return;
  if ((method === 'require' || method === 'require_relative' || method === 'load') && typeOf(syntax, first) === 'string') {
    const path = nameText(syntax, first);
    draft.imports.push({node: first, local: '*', original: '*', module: method === 'require_relative' ? `./${path}` : path});
    markHandled(draft, childIn(syntax, node, 'method'));
  } else if (/^attr_(?:reader|writer|accessor)$/u.test(method)) {
    for (const symbol of list) declareSymbol(draft, symbol, {node, kind: 'property'});
  } else if (method === 'alias_method') declareSymbol(draft, first, {node, kind: 'method'});
}

function declareSymbol(draft: Draft, nameNode: number, {node, kind}: {readonly node: number; readonly kind: 'property' | 'method'}): void {
  const name = textOf(draft.syntax, nameNode).replace(/^:/u, '');
  declareName(draft, {kind, name, nameNode, node, scope: Math.max(nearestScope(draft, 'type'), 0)});
}

/** The first assignment declares: a constant, a member by its `@`, or a local name. */
function assignment(draft: Draft, node: number): void {
  const {syntax} = draft;
  const left = childIn(syntax, node, 'left');
  const source = sourceOf(draft, -1, childIn(syntax, node, 'right'));
  const given = {nameNode: left, node, source};
  const name = textOf(syntax, left);
  const first = (scope: number): boolean => scope >= 0 && !declares(draft, scope, name);
  const home = nearestScope(draft, 'type');
  switch (typeOf(syntax, left)) {
    case 'constant':
      // A block has no constants of its own.
      if (typeOf(syntax, node) === 'assignment') {
        declareName(draft, {...given, kind: isStruct(draft, node) ? 'class' : 'constant', scope: Math.max(home, 0)});
      }
      break;
    case 'global_variable':
      if (first(0)) declareName(draft, {...given, kind: 'variable', scope: 0});
      break;
    case 'instance_variable':
    case 'class_variable':
      if (first(home)) declareName(draft, {...given, kind: 'property', scope: home});
      break;
    case 'identifier':
      if (!known(draft, name)) declareName(draft, {...given, kind: 'local'});
      break;
    default:
      declarePattern(draft, left, {kind: 'local', node, source});
  }
}

function isStruct({syntax}: Draft, node: number): boolean {
  return /^(?:Struct|Class|Data)\.(?:new|define)\b/u.test(textOf(syntax, childIn(syntax, node, 'right')).slice(0, 20));
}

/** A block sees the names of what is around it, up to the method. */
function known(draft: Draft, name: string): boolean {
  for (let at = draft.scope; at >= 0; at = draft.scopes[at]?.parent ?? -1) {
    const home = draft.scopes[at];
    if (home?.names.get(name)?.some((binding) => (draft.bindings[binding]?.symbol ?? 0) < 0) === true) return true;
    if (home?.kind !== 'lambda') return false;
  }
  return false;
}
