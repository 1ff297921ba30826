import {declareImport, declareName, declarePattern, nameText, sourceOf} from '../extract/declare.ts';
import {HANDLED} from '../extract/draft.ts';
import type {Draft} from '../extract/draft.ts';
import {alsoIn, declares, nearestScope, outerScope} from '../extract/scopes.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, fieldOf, parentOf, startOf, textOf, typeOf} from '../extract/syntax.ts';
import {SPACE} from './language.ts';
import type {Language} from './language.ts';
import {lastChild} from './shapes.ts';

/** Modules of JavaScript and TypeScript, both kinds, and what declares names without a node of its own. */
export const specials: Language['special'] = {
  import_statement: importStatement,
  export_statement: exportStatement,
  variable_declarator: requireDeclarator,
  call_expression: loadedModule,
  assignment_expression: assignment,
  enum_body: enumBody,
  required_parameter: parameterProperty,
  optional_parameter: parameterProperty,
  formal_parameters: plainParameters,
  arrow_function: arrowFunction,
  return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  object: shorthandMembers,
};

function importStatement(draft: Draft, node: number): void {
  const {syntax} = draft;
  const required = childOf(syntax, node, 'import_require_clause');
  const module = nameText(syntax, childIn(syntax, required >= 0 ? required : node, 'source'));
  if (required >= 0) {
    const name = childOf(syntax, required, 'identifier');
    return declareImport(draft, {node: name, local: textOf(syntax, name), original: '=', module});
  }
  const clause = childOf(syntax, node, 'import_clause');
  if (clause < 0) return declareImport(draft, {node, original: '*', module});
  for (const child of childrenOf(syntax, clause)) {
    const type = typeOf(syntax, child);
    if (type === 'identifier') declareImport(draft, {node: child, local: textOf(syntax, child), original: 'default', module});
    else if (type === 'namespace_import') {
      const name = childOf(syntax, child, 'identifier');
      declareImport(draft, {node: name, local: textOf(syntax, name), original: '*', module});
    } else if (type === 'named_imports') for (const specifier of childrenOf(syntax, child)) importSpecifier(draft, specifier, module);
  }
}

function importSpecifier(draft: Draft, specifier: number, module: string): void {
  const {syntax} = draft;
  const name = childIn(syntax, specifier, 'name');
  if (name < 0) return;
  const alias = childIn(syntax, specifier, 'alias');
  const localNode = alias < 0 ? name : alias;
  declareImport(draft, {node: name, localNode, local: nameText(syntax, localNode), original: nameText(syntax, name), module});
}

function exportStatement(draft: Draft, node: number): void {
  const {syntax} = draft;
  const source = childIn(syntax, node, 'source');
  const module = source < 0 ? {} : {module: nameText(syntax, source)};
  const clause = childOf(syntax, node, 'export_clause');
  const namespace = childOf(syntax, node, 'namespace_export');
  if (clause >= 0) for (const specifier of childrenOf(syntax, clause)) exportSpecifier(draft, specifier, module);
  else if (namespace >= 0) {
    const name = childrenOf(syntax, namespace)[0] ?? namespace;
    draft.marks[name] = HANDLED;
    draft.exports.push({name: nameText(syntax, name), original: '*', ...module, node: name});
  } else if (source >= 0) draft.exports.push({name: '*', original: '*', ...module, node});
  else exportedValue(draft, node);
}

function exportSpecifier(draft: Draft, specifier: number, module: {readonly module?: string}): void {
  const {syntax} = draft;
  const name = childIn(syntax, specifier, 'name');
  if (name < 0) return;
  const alias = childIn(syntax, specifier, 'alias');
  if (alias >= 0) draft.marks[alias] = HANDLED;
  if (module.module !== undefined) draft.marks[name] = HANDLED;
  const aliased = alias < 0 ? {} : {aliasNode: alias};
  draft.exports.push({
    name: nameText(syntax, alias < 0 ? name : alias),
    original: nameText(syntax, name),
    ...module,
    node: name,
    ...aliased,
  });
}

/** `export default …`, `export = …`. */
function exportedValue(draft: Draft, node: number): void {
  const {syntax} = draft;
  const head = /^export\s*(=|default\b)/u.exec(syntax.text.slice(syntax.start[node], startOf(syntax, node) + 100));
  const declared = childIn(syntax, node, 'declaration');
  const value = declared >= 0 ? declared : lastChild(syntax, node);
  if (head === null || value < 0) return;
  const name = head[1] === '=' ? '=' : 'default';
  const named = typeOf(syntax, value) === 'identifier' ? value : childIn(syntax, value, 'name');
  const plain = ['identifier', 'type_identifier'].includes(typeOf(syntax, named));
  if (!plain) declareDefault(draft, value);
  draft.exports.push({name, original: plain ? textOf(syntax, named) : 'default', node: plain ? named : node});
}

/** What is exported without a name is a symbol called `default`. */
function declareDefault(draft: Draft, value: number): void {
  const {syntax} = draft;
  const kind = KINDS[typeOf(syntax, value)] ?? 'variable';
  const source = kind === 'variable' ? sourceOf(draft, -1, value) : sourceOf(draft, childIn(syntax, value, 'return_type'), -1);
  const bodyNode = childIn(syntax, value, 'body');
  const statement = parentOf(syntax, value);
  declareName(draft, {kind, name: 'default', nameNode: statement, node: value, bodyNode, source, exported: true});
  draft.marks[statement] = 0;
}

const KINDS: Readonly<Record<string, 'function' | 'class'>> = {
  function_expression: 'function',
  generator_function: 'function',
  arrow_function: 'function',
  class: 'class',
};

/** `const a = require('m')`, `const {a, b: c} = require('m')`. */
function requireDeclarator(draft: Draft, node: number): void {
  const {syntax} = draft;
  const module = requiredModule(draft, childIn(syntax, node, 'value'));
  const name = childIn(syntax, node, 'name');
  if (module === undefined) return;
  if (typeOf(syntax, name) === 'identifier') {
    declareImport(draft, {node: name, local: textOf(syntax, name), original: '=', module});
  } else if (typeOf(syntax, name) === 'object_pattern') {
    for (const child of childrenOf(syntax, name)) requiredName(draft, child, module);
  } else return;
  draft.marks[node] = HANDLED;
}

function requiredName(draft: Draft, node: number, module: string): void {
  const {syntax} = draft;
  if (typeOf(syntax, node) === 'shorthand_property_identifier_pattern') {
    declareImport(draft, {node, local: textOf(syntax, node), original: textOf(syntax, node), module});
  }
  const [key, localNode] = [childIn(syntax, node, 'key'), childIn(syntax, node, 'value')];
  if (typeOf(syntax, node) !== 'pair_pattern' || typeOf(syntax, localNode) !== 'identifier') return;
  declareImport(draft, {node: key, localNode, local: textOf(syntax, localNode), original: nameText(syntax, key), module});
}

function requiredModule({syntax}: Draft, value: number): string | undefined {
  if (value < 0 || typeOf(syntax, value) !== 'call_expression' || textOf(syntax, childIn(syntax, value, 'function')) !== 'require')
    return undefined;
  const argument = childrenOf(syntax, childIn(syntax, value, 'arguments'))[0] ?? -1;
  return argument >= 0 && typeOf(syntax, argument) === 'string' ? nameText(syntax, argument) : undefined;
}

/** `import('m')` and `require('m')` wherever they stand. */
function loadedModule(draft: Draft, node: number): void {
  const {syntax} = draft;
  const callee = childIn(syntax, node, 'function');
  const type = typeOf(syntax, callee);
  if (type !== 'import' && type !== 'identifier') return;
  if (type === 'identifier' && requiredModule(draft, node) === undefined) return;
  const parent = parentOf(syntax, node);
  if (parent >= 0 && draft.marks[parent] === HANDLED) return;
  const argument = childrenOf(syntax, childIn(syntax, node, 'arguments'))[0] ?? -1;
  if (argument < 0 || typeOf(syntax, argument) !== 'string') return;
  draft.imports.push({node: argument, original: '*', module: nameText(syntax, argument)});
}

/** `module.exports = …`, `exports.a = …`; in JavaScript also `this.a = …`, which declares a member. */
function assignment(draft: Draft, node: number): void {
  const {syntax, language} = draft;
  const left = childIn(syntax, node, 'left');
  if (typeOf(syntax, left) !== 'member_expression') return;
  const [object, property, right] = [childIn(syntax, left, 'object'), childIn(syntax, left, 'property'), childIn(syntax, node, 'right')];
  const target = textOf(syntax, left);
  if (target === 'module.exports') return wholeModule(draft, left, right);
  const of = textOf(syntax, object);
  if (of === 'exports' || of === 'module.exports') return exportedMember(draft, node, {property, right});
  const prototype = /^([\w$]+)\.prototype$/u.exec(of)?.[1];
  if (prototype !== undefined) return prototypeMember(draft, node, {property, right, owner: prototype});
  if (language.name === 'javascript' && typeOf(syntax, object) === 'this') thisMember(draft, node, {property, right});
}

/** `this.a = …` in a class declares a member, the first time. */
function thisMember(draft: Draft, node: number, {property, right}: Assigned): void {
  const scope = nearestScope(draft, 'type', 'literal');
  if ((draft.scopes[scope]?.owner ?? -1) < 0 || declares(draft, scope, textOf(draft.syntax, property))) return;
  declareName(draft, {kind: 'property', nameNode: property, node, scope, source: sourceOf(draft, -1, right)});
}

function wholeModule(draft: Draft, left: number, right: number): void {
  const {syntax} = draft;
  draft.marks[left] = HANDLED;
  if (typeOf(syntax, right) === 'identifier') draft.exports.push({name: '=', original: textOf(syntax, right), node: right});
  const [kind, nameNode] = [KINDS[typeOf(syntax, right)], childIn(syntax, right, 'name')];
  // `module.exports = function name() {…}`: the file is that function.
  if (kind !== undefined && nameNode >= 0) {
    const source = sourceOf(draft, childIn(syntax, right, 'return_type'), -1);
    declareName(draft, {kind, nameNode, node: right, bodyNode: childIn(syntax, right, 'body'), source, exported: true});
    draft.exports.push({name: '=', original: textOf(syntax, nameNode), node: nameNode});
  }
  if (typeOf(syntax, right) !== 'object') return;
  for (const child of childrenOf(syntax, right)) {
    const type = typeOf(syntax, child);
    const value = childIn(syntax, child, 'value');
    if (type === 'shorthand_property_identifier')
      draft.exports.push({name: textOf(syntax, child), original: textOf(syntax, child), node: child});
    else if (type === 'pair' && typeOf(syntax, value) === 'identifier')
      draft.exports.push({name: nameText(syntax, childIn(syntax, child, 'key')), original: textOf(syntax, value), node: value});
  }
}

interface Assigned {
  readonly property: number;
  readonly right: number;
}

function exportedMember(draft: Draft, node: number, {property, right}: Assigned): void {
  const {syntax} = draft;
  const name = textOf(syntax, property);
  // What compilers write before the value is there: `exports.a = void 0;`.
  if (name === '__esModule' || /^(?:exports\.[\w$]+ = )*(?:void 0|undefined)$/u.test(textOf(syntax, right))) return;
  if (typeOf(syntax, right) === 'identifier') {
    draft.marks[property] = HANDLED;
    draft.exports.push({name, original: textOf(syntax, right), node: right});
    return;
  }
  const kind = KINDS[typeOf(syntax, right)] ?? 'variable';
  const known = draft.scopes[0]?.names.has(name) === true;
  if (known) return;
  declareName(draft, {
    kind,
    nameNode: property,
    node,
    bodyNode: childIn(syntax, right, 'body'),
    source: sourceOf(draft, -1, right),
    scope: 0,
    exported: true,
  });
}

/** `A.prototype.b = …` declares a member of `A`. */
function prototypeMember(draft: Draft, node: number, {property, right, owner}: Assigned & {readonly owner: string}): void {
  const kind = KINDS[typeOf(draft.syntax, right)] === undefined ? 'property' : 'method';
  if (draft.scopes[draft.scope]?.inner === true) return;
  declareName(draft, {
    kind,
    nameNode: property,
    node,
    owner,
    bodyNode: childIn(draft.syntax, right, 'body'),
    source: sourceOf(draft, -1, right),
    exported: true,
  });
}

function enumBody(draft: Draft, node: number): void {
  const {syntax} = draft;
  for (const child of childrenOf(syntax, node)) {
    const nameNode = fieldOf(syntax, child) === 'name' ? child : childIn(syntax, child, 'name');
    if (nameNode >= 0)
      declareName(draft, {
        kind: 'enum_member',
        nameNode,
        node: child,
        exported: draft.symbols[draft.scopes[draft.scope]?.owner ?? -1]?.exported === true,
      });
  }
}

/** `constructor(private readonly a: A)` declares a parameter and a member in one. */
function parameterProperty(draft: Draft, node: number): void {
  const {syntax} = draft;
  const pattern = childIn(syntax, node, 'pattern');
  if (pattern < 0 || typeOf(syntax, pattern) !== 'identifier') return;
  const before = syntax.text.slice(syntax.start[node], syntax.start[pattern]);
  if (!/\b(?:private|public|protected|readonly)\b/u.test(before)) return;
  const scope = outerScope(draft);
  if ((draft.scopes[scope]?.owner ?? -1) < 0) return;
  const source = sourceOf(draft, childIn(syntax, node, 'type'), childIn(syntax, node, 'value'));
  if (declareName(draft, {kind: 'property', nameNode: pattern, node, source, scope}) < 0) return;
  alsoIn(draft, draft.scope, pattern);
  draft.marks[node] = HANDLED;
}

/** JavaScript has its parameters as bare patterns. */
function plainParameters(draft: Draft, node: number): void {
  for (const child of childrenOf(draft.syntax, node)) plainParameter(draft, child);
}

function plainParameter(draft: Draft, node: number): void {
  if (draft.language.patterns[typeOf(draft.syntax, node)] === undefined) return;
  declarePattern(draft, node, {kind: 'local', node, source: callbackSource(draft, node), space: SPACE.value});
}

/** `x => …` has a parameter without brackets; `=> value` returns without the word. */
function arrowFunction(draft: Draft, node: number): void {
  const {syntax} = draft;
  plainParameter(draft, childIn(syntax, node, 'parameter'));
  const body = childIn(syntax, node, 'body');
  if (typeOf(syntax, body) !== 'statement_block') noteReturn(draft, body);
}

/** `{a}` declares a member and uses a name in one. */
function shorthandMembers(draft: Draft, node: number): void {
  const {syntax} = draft;
  if ((draft.scopes[draft.scope]?.owner ?? -1) < 0) return;
  for (const child of childrenOf(syntax, node)) {
    if (typeOf(syntax, child) !== 'shorthand_property_identifier') continue;
    const source = {...sourceOf(draft, -1, child), scope: draft.scopes[draft.scope]?.parent ?? 0};
    declareName(draft, {kind: 'property', nameNode: child, node: child, source});
    draft.marks[child] = 0;
  }
}
