import type {LanguageRules} from './language-rules.ts';
import {cRules} from './languages/c.ts';
import {goRules} from './languages/go.ts';
import {packageRules} from './languages/packages.ts';
import {pythonRules} from './languages/python.ts';
import {rustRules} from './languages/rust.ts';
import {scriptRules} from './languages/scripts.ts';
import {typescriptRules} from './languages/typescript.ts';

/** The rules of a language; one without rules has only what its files say by themselves. */
export function rulesOf(language: string): LanguageRules {
  return RULES[language] ?? NOTHING;
}

const NOTHING: LanguageRules = {modules: () => [], exportsAreMarked: false};

const RULES: Readonly<Record<string, LanguageRules | undefined>> = {
  typescript: typescriptRules,
  tsx: typescriptRules,
  javascript: typescriptRules,
  python: pythonRules,
  go: goRules,
  rust: rustRules,
  java: packageRules,
  kotlin: packageRules,
  scala: packageRules,
  csharp: packageRules,
  c_sharp: packageRules,
  php: packageRules,
  c: cRules,
  cpp: cRules,
  ruby: scriptRules,
  lua: scriptRules,
  bash: scriptRules,
  elixir: scriptRules,
  swift: scriptRules,
};
