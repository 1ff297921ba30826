import {declareName} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {childIn, childOf, childrenOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {Language} from './language.ts';
import {none} from './shapes.ts';

/** What languages without code have in common: an outline, and nothing that is used. */
const OUTLINE: Omit<Language, 'name' | 'grammar' | 'extensions' | 'declares' | 'scopes'> = {
  names: {},
  places: {},
  expressions: {},
  types: {},
  patterns: {},
  comments: ['comment'],
  wrappers: [],
  exported: () => true,
};

export const json: Language = {
  ...OUTLINE,
  name: 'json',
  grammar: 'json',
  extensions: ['.json', '.jsonc', '.webmanifest'],
  declares: {pair: {kind: 'property', name: 'key', type: none, body: 'value'}},
  scopes: {pair: 'namespace'},
};

export const yaml: Language = {
  ...OUTLINE,
  name: 'yaml',
  grammar: 'yaml',
  extensions: ['.yaml', '.yml'],
  declares: {
    block_mapping_pair: {kind: 'property', name: 'key', type: none, body: 'value'},
    flow_pair: {kind: 'property', name: 'key', type: none, body: 'value'},
  },
  scopes: {block_mapping_pair: 'namespace', flow_pair: 'namespace'},
};

const TOML_KEYS = ['bare_key', 'dotted_key', 'quoted_key'] as const;

export const toml: Language = {
  ...OUTLINE,
  name: 'toml',
  grammar: 'toml',
  extensions: ['.toml'],
  fileNames: ['Cargo.lock', 'poetry.lock', 'Pipfile'],
  declares: {
    pair: {kind: 'property', name: tomlKey, type: none, value: none, body: (syntax, node) => childrenOf(syntax, node)[1] ?? -1},
    table: {kind: 'namespace', name: tomlKey, type: none, body: (syntax, node) => childOf(syntax, node, 'pair')},
    table_array_element: {kind: 'namespace', name: tomlKey, type: none, body: (syntax, node) => childOf(syntax, node, 'pair')},
  },
  scopes: {pair: 'namespace', table: 'namespace', table_array_element: 'namespace'},
};

export const markdown: Language = {
  ...OUTLINE,
  name: 'markdown',
  grammar: 'markdown',
  extensions: ['.md', '.markdown', '.mdx'],
  comments: [],
  declares: {},
  nameOf: (written) => written.replace(/\s+#+\s*$/u, '').trim(),
  scopes: {section: () => 'namespace'},
  special: {section: headings},
};

function tomlKey(syntax: Syntax, node: number): number {
  return childOf(syntax, node, ...TOML_KEYS);
}

/** A section is named by its heading. The grammar leaves underlined ones in the section before: each is a symbol of its own. */
function headings(draft: Draft, node: number): void {
  const {syntax} = draft;
  const found = childrenOf(syntax, node).filter((child) => ['atx_heading', 'setext_heading'].includes(typeOf(syntax, child)));
  for (const [index, heading] of found.entries()) {
    const nameNode = childIn(syntax, heading, 'heading_content');
    const bodyNode = index === 0 ? (childrenOf(syntax, node)[1] ?? -1) : -1;
    // As it is written: a name between marks for code keeps them.
    const name = textOf(syntax, nameNode);
    if (nameNode >= 0) declareName(draft, {kind: 'namespace', name, nameNode, node: index === 0 ? node : heading, bodyNode});
  }
}
