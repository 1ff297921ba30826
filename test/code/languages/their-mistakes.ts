import type {SymbolFact} from '../../../src/code/file-facts.ts';
import type {SymbolKind} from '../../../src/code/symbol.ts';
import type {Tag} from './agreement.ts';

interface Reported {
  readonly tag: Tag;
  readonly lines: readonly string[];
  /** Ours on the line of the tag. */
  readonly here: readonly SymbolFact[];
  /** All of ours. */
  readonly symbols: readonly SymbolFact[];
  readonly texts: ReadonlySet<number>;
}

interface Mistake {
  /** What version 5.9 does, with an example. */
  readonly is: string;
  readonly languages: readonly string[];
  readonly when: (told: Reported & {readonly line: string; readonly before: string}) => boolean;
}

const SCRIPTS = ['javascript', 'typescript', 'tsx'];
const DECLARED =
  /^(?:(?:export|declare|default|abstract|async|\}?;)\s*)*(?:const|let|var|function\s*\*?|class|interface|type|(?:const\s+)?enum|namespace|module)\s+([\w$]+)/u;

/** What ctags lists and the text does not say. Found one by one in real files; recognised by the line, and by ours where that is all that differs. */
const MISTAKES: readonly Mistake[] = [
  {
    is: 'code in a string, a comment or a here-document is none',
    languages: ['bash', 'elixir', 'ruby', 'lua', 'python', 'php', 'kotlin', 'cpp', 'c', 'rust', 'markdown'],
    when: ({tag, texts}) => texts.has(tag.line),
  },
  {
    is: 'the name of a test is cut off: `test "take_random/2" do`',
    languages: ['elixir'],
    when: ({tag, here}) => tag.kind === 'test' && here.some(({name}) => name.startsWith(tag.name)),
  },
  {
    is: 'a name that is computed is not known: `def unquote(name)()`',
    languages: ['elixir'],
    when: ({tag}) => tag.name === 'unquote',
  },
  {
    is: 'a name within a function without a name is local: `(function () {` around a whole file',
    languages: ['javascript'],
    when: ({tag, lines}) => lines.slice(0, tag.line - 1).some((line) => /^[!;+]?\((?:async )?(?:function\b|\([\w, ]*\)\s*=>)/u.test(line)),
  },
  {
    is: 'a delegate is a type and no method: `delegate void Handler(int a);`',
    languages: ['csharp'],
    when: ({tag, line, here}) => tag.kind === 'method' && /\bdelegate\b/u.test(line) && has(here, tag, 'type'),
  },
  {
    is: 'an imported module is no variable: `const fs = require("fs")`',
    languages: SCRIPTS,
    when: ({line}) => /\brequire\(/u.test(line) || /^import\b/u.test(line),
  },
  {
    is: 'a word of the value, a flag, a part of a number: `const a = /b/g`, `const c = 0x7f`',
    languages: ['typescript', 'tsx'],
    when: ({tag, line}) => DECLARED.exec(line)?.[1] !== tag.name && !new RegExp(String.raw`^\s*\W*${tag.name}\b\s*[=:<]`, 'u').test(line),
  },
  {
    is: 'an object, or what a function gives, is neither class nor function: `const sizes = {small: 1}`, `var a = (function () {…})()`',
    languages: ['javascript'],
    when: ({tag, here, line}) =>
      /^(?:class|function)$/u.test(tag.kind) && /=\s*(?:\{|\/\*|\(|[\w.]+\()/u.test(line) && has(here, tag, 'constant', 'variable'),
  },
  {
    is: 'a name within a function that is not indented is local',
    languages: ['javascript', 'typescript', 'tsx', 'lua', 'kotlin'],
    when: ({tag, symbols}) =>
      symbols.some(({kind, range}) => /^(?:function|method)$/u.test(kind) && range.start.line + 1 < tag.line && tag.line <= range.end.line),
  },
  {
    is: 'a member, or an export, does not declare its class once more: `Stop.prototype.go = function () {}`',
    languages: ['javascript'],
    when: ({tag, line}) => tag.kind === 'class' && /^\s*(?:[\w$.]+\.prototype\b|(?:module\.)?exports\b)/u.test(line),
  },
  {
    is: 'the name of a function or class behind a member is known in it alone: `Stop.go = function Stop_go() {}`',
    languages: ['javascript'],
    when: ({tag, line}) =>
      /^(?:function|class)$/u.test(tag.kind) &&
      /^[\w$]+(?:\.[\w$]+)+\s*=\s*(?:function|class)\s+([\w$]+)/u.exec(line)?.[1] === tag.name &&
      !/^module\.exports\s*=/u.test(line),
  },
  {
    is: 'a variable of a function without a name is local: `spl_autoload_register(function ($class) {…})`',
    languages: ['php'],
    when: ({tag, line}) => tag.kind === 'variable' && (/^\s/u.test(line) || /\bfunction\b/u.test(line)),
  },
  {
    is: 'compiled code in one line: scopes are lost',
    languages: ['javascript'],
    when: ({line}) => line.length > 500,
  },
  {
    is: 'a member is no parameter of a function: `_M.get = protect(function(a)`, `{__call = function() end}`',
    languages: ['lua'],
    when: ({line}) => /[({,=]\s*function\s*\(/u.test(line) && !/^(?:local\s+)?[\w.:[\]"'-]+\s*=\s*function\b/u.test(line),
  },
  {
    is: 'the implementation of a trait is named by its type, on the line where that stands: `impl Foo<0> for () {}`',
    languages: ['rust'],
    when: ({tag, symbols}) =>
      tag.kind === 'implementation' &&
      symbols.some(({kind, range}) => kind === 'impl' && range.start.line < tag.line && tag.line <= range.end.line + 1),
  },
  {
    is: "what a reference leads to is no variable: `&'static [Name]`",
    languages: ['rust'],
    when: ({tag, line}) => tag.kind === 'variable' && new RegExp(String.raw`&'static\s+(?:mut\s+)?${tag.name}\b`, 'u').test(line),
  },
  {
    is: 'to version 5.9 a generic structure is only a type: `type Pair[A any] struct {…}`',
    languages: ['go'],
    when: ({tag, line, here}) => tag.kind === 'type' && /\w+\[/u.test(line) && has(here, tag, 'struct', 'interface'),
  },
  {
    is: 'the call of a macro declares nothing that is called so: `DEFINE_LIST(a);`, `TEST(a) {`',
    languages: ['c', 'cpp'],
    when: ({tag, line, before}) =>
      /^(?:function|prototype)$/u.test(tag.kind) &&
      new RegExp(String.raw`^(?:static\s+)?${tag.name}\s*\(`, 'u').test(line) &&
      /(?:[;}>"']|\*\/|^\s*#.*|\w\)|^\s*|^[A-Z_]+)\s*$/u.test(before),
  },
  {
    is: 'an attribute is not the name: `internal_function __attribute ((pure))`',
    languages: ['c', 'cpp'],
    when: ({line}) => /^\w+\s+__attribute/u.test(line),
  },
  {
    is: 'an instance of a template is no variable: `template class Box<int>;`',
    languages: ['cpp'],
    when: ({tag, line}) => /^(?:variable|externvar)$/u.test(tag.kind) && /^\s*(?:extern\s+)?template\s+(?:class|struct)\b/u.test(line),
  },
  {
    is: 'a further assignment, in another branch or a loop, declares nothing new: `except ImportError: filters = []`',
    languages: ['python'],
    when: ({tag, symbols}) =>
      tag.kind === 'variable' &&
      symbols.some(({name, parent, nameRange}) => name === tag.name && parent < 0 && nameRange.start.line + 1 < tag.line),
  },
  {
    is: 'a further clause of a function: `def f(0)`, `def f(n)`',
    languages: ['elixir'],
    when: ({tag, symbols}) =>
      /^(?:function|macro|guard|operator|callback|delegate)$/u.test(tag.kind) &&
      symbols.some(({name, nameRange}) => name === tag.name && nameRange.start.line + 1 < tag.line),
  },
  {
    is: 'the clause of an `alias` without its sign: `alias valid? check?`',
    languages: ['ruby'],
    when: ({tag, here}) => tag.kind === 'alias' && here.some(({name}) => name === `${tag.name}?` || name === `${tag.name}!`),
  },
  {
    is: 'the key of a hash is no constant: `STOP => :stop,`',
    languages: ['ruby'],
    when: ({tag, line}) => tag.kind === 'constant' && new RegExp(String.raw`^\s*(?:[\w:]+::)?${tag.name}\s*=>`, 'u').test(line),
  },
  {
    is: 'what stands for a type is not the name: `LIST_OF(a) *first(void);`, `extern int REDIRECT (a, (int), b);`',
    languages: ['c', 'cpp'],
    when: ({tag, line, here}) =>
      /^(?:prototype|externvar|typedef|function)$/u.test(tag.kind) &&
      new RegExp(String.raw`^\s*(?:\w+\s+)*${tag.name}\s*\(`, 'u').test(line) &&
      (/\)\s*$/u.test(line) || tag.kind === 'externvar' || here.some(({name}) => name !== tag.name)),
  },
  {
    is: 'a type that is only announced is no variable: `class EXPORT Box;`',
    languages: ['cpp'],
    when: ({tag, line}) =>
      tag.kind === 'variable' && new RegExp(String.raw`^\s*(?:class|struct)\s+[A-Z_\d]+\s+${tag.name};`, 'u').test(line),
  },
  {
    is: 'a list is no function: `declare -a list=()`',
    languages: ['bash'],
    when: ({tag}) => tag.name.endsWith('='),
  },
];

function has(here: readonly SymbolFact[], {name}: Tag, ...kinds: readonly SymbolKind[]): boolean {
  return here.some((symbol) => symbol.name === name && kinds.includes(symbol.kind));
}

/** What is wrong with a tag, in words; undefined for one that is right. */
export function theirMistake(language: string, told: Omit<Reported, 'here'>): string | undefined {
  const {tag, lines, symbols} = told;
  const line = lines[tag.line - 1] ?? '';
  const before = lines[tag.line - 2] ?? '';
  const here = symbols.filter(({nameRange}) => nameRange.start.line + 1 === tag.line);
  return MISTAKES.find(({languages, when}) => languages.includes(language) && when({...told, here, line, before}))?.is;
}
