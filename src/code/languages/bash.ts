import {declareName, markHandled, nameText} from '../extract/declare.ts';
import {HANDLED, type Draft} from '../extract/draft.ts';
import {declares, isDeclared, isInner} from '../extract/scopes.ts';
import {childIn, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Language} from './language.ts';

export const bash: Language = {
  name: 'bash',
  grammar: 'bash',
  extensions: ['.sh', '.bash', '.bats', '.ksh', '.zsh'],
  fileNames: ['.bashrc', '.profile', '.bash_profile'],
  declares: {function_definition: {kind: 'function'}},
  scopes: {function_definition: 'function', subshell: 'lambda'},
  names: {word: {use: 'skip'}, variable_name: {use: 'reference', space: 'both'}},
  places: {'command_name.': 'call'},
  expressions: {},
  types: {},
  patterns: {},
  comments: ['comment'],
  wrappers: ['declaration_command'],
  exported: () => true,
  mend: mendBash,
  special: {
    command,
    simple_expansion: parameter,
    expansion: parameter,
    variable_assignment: (draft, node) => assigned(draft, childIn(draft.syntax, node, 'name'), node),
    for_statement: (draft, node) => assigned(draft, childIn(draft.syntax, node, 'variable'), node),
    declaration_command: (draft, node) => {
      for (const child of childrenOf(draft.syntax, node)) {
        if (typeOf(draft.syntax, child) === 'variable_name') assigned(draft, child, child);
      }
    },
  },
};

/** Without the brackets of a condition, which the grammar does not know: `[ -f a -o \\( -d b -a -d c \\) ]`. */
function mendBash(text: string): string {
  return text.replaceAll(/\\[()]/gu, '  ');
}

/** `$1`, `${2}`: no variable that is declared anywhere. */
function parameter(draft: Draft, node: number): void {
  for (const child of childrenOf(draft.syntax, node)) if (/^\d+$/u.test(textOf(draft.syntax, child))) draft.marks[child] = HANDLED;
}

/** `source file`, `. file`, `alias name=…`. */
function command(draft: Draft, node: number): void {
  const {syntax} = draft;
  const [head, first] = childrenOf(syntax, node);
  if (head === undefined || first === undefined) return;
  const name = textOf(syntax, head);
  if (name === 'source' || name === '.') {
    draft.imports.push({node: first, local: '*', original: '*', module: sourcedPath(nameText(syntax, first))});
    markHandled(draft, head);
  } else if (name === 'alias') {
    const alias = /^([^=]+)=/u.exec(textOf(syntax, first))?.[1];
    if (alias !== undefined) declareName(draft, {kind: 'function', name: alias, nameNode: childrenOf(syntax, first)[0] ?? first, node});
  }
}

/** What stands before the path is computed (`$(dirname "$0")/lib.sh`, `"$HERE"/lib.sh`): almost always the folder of the file, or the root. */
function sourcedPath(written: string): string {
  return /^"?(?:\$\(.*\)|\$\{[^}]*\}|\$\w+|`[^`]*`)"?\/(.+)$/su.exec(written)?.[1]?.replace(/"$/u, '') ?? written;
}

/** A variable belongs to the file, unless `local` or `declare` in a function says otherwise; the first assignment declares it. */
function assigned(draft: Draft, nameNode: number, node: number): void {
  const {syntax} = draft;
  const holder = parentOf(syntax, node);
  // Settings for one command (`A=1 command`) declare nothing.
  if (nameNode < 0 || typeOf(syntax, nameNode) !== 'variable_name' || typeOf(syntax, holder) === 'command') return;
  const name = textOf(syntax, nameNode);
  const command = typeOf(syntax, holder) === 'declaration_command' ? textOf(syntax, holder).replace(/\s.*$/su, '') : '';
  const isLocal = isInner(draft) && (typeOf(syntax, node) === 'for_statement' || ['local', 'declare', 'typeset'].includes(command));
  if (isLocal ? declares(draft, draft.scope, name) : isDeclared(draft, name)) return;
  const kind = isLocal ? 'local' : command === 'readonly' ? 'constant' : 'variable';
  declareName(draft, {kind, nameNode, node, scope: isLocal ? draft.scope : 0});
}
