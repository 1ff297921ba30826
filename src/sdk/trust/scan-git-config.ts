import {namesProgram, type GitSection, type GitValue} from '../../exec/process/safe-git.ts';

export interface ScannedGitConfig {
  readonly sections: readonly GitSection[];
  readonly values: readonly GitValue[];
}

/**
 * Finds every section and setting that git could see in a configuration file (git-config(1), "Syntax"), and
 * perhaps some that it would not: text in a comment or in a multi-line value counts too. Use it to remove
 * settings; `parseGitConfig` finds those in force.
 */
export function scanGitConfig(text: string): ScannedGitConfig {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const sections: GitSection[] = [];
  const values: GitValue[] = [];
  let prefixes: string[] = [];
  for (const [index, line] of lines.entries()) {
    const {headers, rest} = splitLine(line);
    // After a line that continues, git does not read this as a header.
    if (headers.length > 0 && !goesOn(lines[index - 1])) prefixes = [];
    for (const {section, name} of headers) {
      if (name !== undefined) sections.push({section, name});
      prefixes.push(name === undefined ? section : `${section}.${name}`);
    }
    const [, key, value] = SETTING.exec(rest) ?? [];
    if (key === undefined) continue;
    for (const prefix of prefixes) values.push([`${prefix}.${key.toLowerCase()}`, valueOf(value, lines.slice(index + 1))]);
  }
  return {sections, values};
}

/** Returns the keys of a configuration that make git run a program, read further files, or define an alias. Each once. */
export function gitPrograms(text: string): string[] {
  const found = scanGitConfig(text).values.filter(
    ([key, value]) => namesProgram(key) || /^include(?:if\..*)?\.path$/is.test(key) || (key.startsWith('alias.') && value.startsWith('!')),
  );
  return [...new Set(found.map(([key]) => key))];
}

/** Returns the headers of a line, and the text after the last of them. */
function splitLine(line: string): {headers: {section: string; name: string | undefined}[]; rest: string} {
  const found = [...line.matchAll(HEADER)];
  const last = found.at(-1);
  return {headers: found.map(sectionOf), rest: last === undefined ? line : line.slice(last.index + last[0].length)};
}

function goesOn(line = ''): boolean {
  return line.trimEnd().endsWith('\\');
}

const HEADER = /\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/g;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s;

/** Parses `[filter "x"]`, and the older `[filter.x]`. */
function sectionOf([, first = '', quoted]: RegExpMatchArray): {section: string; name: string | undefined} {
  const lower = first.toLowerCase();
  if (quoted !== undefined) return {section: lower, name: quoted.replaceAll(/\\(.)/g, '$1')};
  const dot = lower.indexOf('.');
  return dot < 0 ? {section: lower, name: undefined} : {section: lower.slice(0, dot), name: lower.slice(dot + 1)};
}

/** Returns the value, continued in the next line as long as a line ends in a backslash. */
function valueOf(first: string | undefined, after: readonly string[]): string {
  if (first === undefined) return 'true';
  let value = first.trimEnd();
  for (const line of after) {
    if (!value.endsWith('\\')) break;
    value = value.slice(0, -1) + line.trimEnd();
  }
  return /^"(?:[^"\\]|\\.)*"$/.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}
