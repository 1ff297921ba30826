import {FettleError} from '../../base/errors.ts';
import type {Language} from './language.ts';
import {bash} from './bash.ts';
import {c, cpp} from './c.ts';
import {csharp} from './csharp.ts';
import {json, markdown, toml, yaml} from './data.ts';
import {elixir} from './elixir.ts';
import {go} from './go.ts';
import {java} from './java.ts';
import {kotlin} from './kotlin.ts';
import {lua} from './lua.ts';
import {php} from './php.ts';
import {python} from './python.ts';
import {ruby} from './ruby.ts';
import {rust} from './rust.ts';
import {scala} from './scala.ts';
import {swift} from './swift.ts';
import {javascript, tsx, typescript} from './typescript.ts';

/** Every language with a table. */
export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  rust,
  go,
  java,
  kotlin,
  c,
  cpp,
  csharp,
  ruby,
  php,
  swift,
  scala,
  bash,
  lua,
  elixir,
  json,
  yaml,
  toml,
  markdown,
];

const BY_NAME = new Map(LANGUAGES.map((language) => [language.name, language]));
const BY_EXTENSION = new Map(LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language.name])));
const BY_FILE = new Map(LANGUAGES.flatMap((language) => (language.fileNames ?? []).map((file) => [file, language.name])));

/** The language of a file by its name; undefined for one without a table. */
export function languageOf(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  return (
    BY_FILE.get(file) ?? (dot < 0 ? undefined : (BY_EXTENSION.get(file.slice(dot)) ?? BY_EXTENSION.get(file.slice(dot).toLowerCase())))
  );
}

/** What only C++ has, at the beginning of a line: many projects give its headers the name of those of C. */
const CPP =
  /^[ \t]*(?:template\s*<|(?:inline\s+)?namespace(?:\s+[\w:]+)?(?:\s+[A-Z_]\w*\s*\(\w*\))?\s*(?:\{|$)|class\s+\w[^;(){}:]{0,200}[{:]|(?:public|private|protected)\s*:|(?:typedef\s+)?enum\s+(?:class|struct)\s|using\s+(?:namespace\s|\w+\s*=|\w*::))/mu;

/** JavaScript with types that are written nearly as those of TypeScript: https://flow.org/en/docs/usage/#toc-prepare-your-code-for-flow. */
const FLOW = /^\s*(?:\/\/|\/?\*).*@flow\b/mu;

/** The table by which a text is read: that of its language, or of the one that the text is really in. Errors: as `languageNamed`. */
export function tableFor(language: string, text: string): Language {
  if (language === 'javascript' && FLOW.test(text.slice(0, 2000))) return tsx;
  return language === 'c' && CPP.test(text) ? cpp : languageNamed(language);
}

/** Errors: BAD_ARGS for a language without a table. */
export function languageNamed(name: string): Language {
  const language = BY_NAME.get(name);
  if (language !== undefined) return language;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `There is no table for the language "${name}".`,
    hint: `Known are: ${[...BY_NAME.keys()].join(', ')}.`,
  });
}
