import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {languageOf} from '../../../src/code/languages/all.ts';
import type {SymbolKind} from '../../../src/code/symbol.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SAMPLES = join(import.meta.dirname, '../samples');
const found = spawnSync('ctags', ['--version'], {encoding: 'utf8'}).output?.join('').includes('Universal Ctags') ?? false;
const signal = new AbortController().signal;

/** Their kinds and the ones of ours that mean the same. What is not in the table is compared by its own name. */
const SAME: Readonly<Record<string, readonly SymbolKind[]>> = {
  alias: ['type', 'function', 'method'], // TypeScript: a type. Sh and Ruby: another name of a command or a method.
  accessor: ['property'], // Ruby attr_reader: used like a property.
  annotation: ['interface', 'class'], // Java @interface, Kotlin annotation class.
  array: ['property'], // JSON keys are properties whatever their value is.
  boolean: ['property'],
  chapter: ['namespace'], // Headings hold what is under them.
  section: ['namespace'],
  subsection: ['namespace'],
  class: ['class', 'struct', 'function', 'enum'], // Kotlin enum class; JavaScript functions that ctags sees used as classes.
  const: ['constant'],
  constant: ['constant', 'class', 'enum_member', 'property', 'function'], // Ruby `A = Struct.new`; TypeScript `const f = () =>`.
  define: ['constant'], // PHP define().
  enumConstant: ['enum_member'],
  enumerator: ['enum_member'],
  callback: ['method'],
  delegate: ['function'],
  event: ['property'],
  externvar: ['variable'],
  field: ['property', 'constant'], // Java static final fields are listed as fields there.
  func: ['function', 'method'],
  function: ['function', 'method'], // Elixir, Lua, C++ and PHP have one kind for both there.
  generator: ['function'],
  getter: ['method'],
  setter: ['method'],
  guard: ['function'],
  implementation: ['impl'],
  interface: ['interface', 'trait'], // A Rust trait is listed as an interface.
  macro: ['constant', 'function'], // With parameters it is used as a function.
  member: ['property', 'method', 'variable'], // Python methods, C members.
  method: ['method', 'function', 'property'], // Kotlin and Ruby functions at the top are methods there.
  methodSpec: ['method'],
  module: ['module', 'namespace'],
  namespace: ['namespace', 'module'],
  null: ['property'],
  number: ['property'],
  object: ['property', 'class'], // JSON objects; Kotlin objects are classes with one instance.
  package: ['module'],
  packageName: ['module'],
  property: ['property', 'method'], // A property that holds a function is a method of ours.
  protocol: ['interface'],
  prototype: ['function', 'method'],
  singletonMethod: ['method'],
  string: ['property'],
  struct: ['struct'],
  talias: ['type'],
  trait: ['trait'],
  type: ['type'],
  typealias: ['type'],
  typedef: ['type'],
  union: ['struct'], // One kind for what has fields.
  var: ['variable'],
  variable: ['variable', 'constant', 'property', 'function'], // Python constants and class variables; PHP members; Kotlin `val`.
  variant: ['enum_member'],
};

/** What they list and we do not, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  unknown: 'imported names: imports are facts of their own',
  packageName: 'an import under another name',
  heredoc: 'the end marker of a text, no symbol',
  parameter: 'local to its function',
  local: 'local to its function',
  anchor: 'an anchor of YAML is no key',
  library: 'an import',
  use: 'an import',
  anonMember: 'an embedded type has no name of its own',
};

interface Tag {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly scope?: string;
  readonly scopeKind?: string;
}

function tagsOf(file: string): Tag[] {
  const args = ['--output-format=json', '--fields=+nKe', '--kinds-C=+px', '--kinds-C++=+px', '-f', '-', file];
  const lines = execFileSync('ctags', args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26}).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Tag);
}

/** Their tags that no symbol of ours has by name, kind and line. */
async function missing(file: string, wanted: (tag: Tag) => boolean): Promise<{readonly count: number; readonly lost: readonly string[]}> {
  const {symbols} = await factsOf(languageOf(file) ?? '', readFileSync(file, 'utf8'), signal);
  const tags = tagsOf(file).filter(
    (tag) => LEFT_OUT[tag.kind] === undefined && !/^(?:__anon|<lambda>|\d+$)/u.test(tag.name) && wanted(tag),
  );
  const lost = tags.filter((tag) => {
    const written = tag.name.replace(/^operator /u, 'operator');
    const name = written.split(/[.:]/u).at(-1);
    return !symbols.some(
      (symbol) =>
        (symbol.name === written || symbol.name.replace(/^.*[.]/u, '') === name || symbol.name.replace(/^[$#]/u, '') === name) &&
        symbol.nameRange.start.line + 1 === tag.line &&
        (SAME[tag.kind] ?? [tag.kind]).includes(symbol.kind),
    );
  });
  return {count: tags.length, lost: lost.map((tag) => `${tag.kind} ${tag.name} ${tag.line}`)};
}

describe.skipIf(!found)(
  'outlines agree with universal-ctags (issue 6, "kinds and lines for ≥ 99 % of top-level symbols"; skipped without it)',
  () => {
    const NAMES = readdirSync(SAMPLES).filter(
      (name) => !['sample.swift', 'sample.scala', 'sample.toml', 'sample.tsx', 'sample.yaml'].includes(name),
    );

    it.each(NAMES)('%s: every symbol of theirs, nested ones too', async (name) => {
      const file = join(SAMPLES, name);
      const top = declaredAtTop(readFileSync(file, 'utf8'));
      const {count, lost} = await missing(file, (tag) => !OWN[name]?.includes(tag.name) && (!name.endsWith('.ts') || top(tag)));
      expect(lost).toEqual([]);
      expect(count).toBeGreaterThan(1);
    });

    it('our own sources: at least 99 % of what stands at the top', async () => {
      const files = readdirSync(join(ROOT, 'src'), {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
      const chosen = files.sort().filter((_, index) => index % 20 === 0);
      let all = 0;
      const lost: string[] = [];
      for (const file of chosen) {
        const result = await missing(join(ROOT, 'src', file), declaredAtTop(readFileSync(join(ROOT, 'src', file), 'utf8')));
        all += result.count;
        lost.push(...result.lost.map((line) => `${file}: ${line}`));
      }
      expect(all).toBeGreaterThan(50);
      expect(lost.length / all <= 0.01 ? [] : lost).toEqual([]);
    });
  },
);

/**
 * Their parser of TypeScript also lists, as if at the top: names in imports, local names, flags of regular expressions (`y`) and parts of
 * numbers (`_000`). Compared is what a line declares that is not indented.
 */
function declaredAtTop(text: string): (tag: Tag) => boolean {
  const lines = text.split('\n');
  const words =
    /^(?:(?:export|declare|default|abstract|async) )*(?:const|let|var|function\*?|class|interface|type|enum|namespace) +([\w$]+)/u;
  return ({name, line}) => words.exec(lines[line - 1] ?? '')?.[1] === name;
}

/** Names in the samples that are theirs alone, by file. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  // `using Money =` is an import, a delegate a type, `IRated` a constraint, `Person` a constructor without words; operators have no name.
  'sample.cs': ['Money', 'Compare', 'IRated', 'Person', 'operator ==', '~Stop'],
  'sample.ex': ['rate'], // Each clause of a function is listed; to us they are one. The callback of that name is compared by the snapshot.
  'sample.go': ['Pair'], // A generic structure is only a type to version 5.9.
  'sample.js': ['path', 'Stop'], // An import; a name in `module.exports`, listed once more.
  'sample.ts': ['config'], // A constant to us; version 5.9 loses its kind over `as const`.
  'sample.php': ['Cost', 'Money', 'Rate', 'charge'], // Imports.
  'sample.py': ['osp'], // An import.
  'sample.rb': ['height='], // The writer of an attribute is the attribute.
  'sample.kt': ['found', 'item', 'mine', 'one', 'size', 'x', 'y'], // Local names.
};
