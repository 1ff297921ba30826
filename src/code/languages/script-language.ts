import {languageOf} from './all.ts';

/** The language of a text by the name of its file, or, where that has no extension, by the program that its first line asks for. */
export function languageOfText(path: string, text: string): string | undefined {
  return languageOf(path) ?? (mayBeScript(path) ? scriptLanguage(text) : undefined);
}

/** A file without an extension whose name tells nothing. */
export function mayBeScript(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.') && languageOf(path) === undefined;
}

/** As much of a file as its first line may need, in bytes. */
export const FIRST_LINE = 128;

/** `#!/bin/sh`, `#!/usr/bin/env -S node --flag`; undefined for what no interpreter of a known language reads. */
export function scriptLanguage(text: string): string | undefined {
  const program = /^#!\s*(?:\S*\/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*\/)?([a-z]+)/u.exec(text.slice(0, FIRST_LINE))?.[1] ?? '';
  return Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
}

const PROGRAMS: Readonly<Record<string, string | undefined>> = {
  sh: 'bash',
  bash: 'bash',
  dash: 'bash',
  ash: 'bash',
  ksh: 'bash',
  zsh: 'bash',
  python: 'python',
  pypy: 'python',
  node: 'javascript',
  nodejs: 'javascript',
  tsx: 'typescript',
  deno: 'typescript',
  bun: 'typescript',
  ruby: 'ruby',
  php: 'php',
  lua: 'lua',
  luajit: 'lua',
  elixir: 'elixir',
  scala: 'scala',
  swift: 'swift',
};
