import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {shellParts} from '../../src/policy/shell/shell-parts.ts';

/**
 * Scripts of this machine, read twice: as people wrote them, and as bash prints what it has read (`--pretty-print` runs nothing). A command
 * that the parser loses in one of the two is missing in the comparison.
 */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/etc/init.d', '/usr/lib/git-core', '/usr/share/bash-completion/completions'];
const MAX_SIZE = 40_000;

describe('real scripts', () => {
  it('have the same commands as what bash makes of them', {timeout: 120_000}, () => {
    const wrong: string[] = [];
    let commands = 0;
    for (const path of scripts()) {
      const written = commandsOf(readFileSync(path, 'utf8'));
      const printed = commandsOf(pretty(path));
      // Too long for a line, or printed by bash in a way that bash itself cannot read (a here-document in front of an `if`).
      if (written === undefined || printed === undefined) continue;
      commands += written.length;
      const lost = difference(written, printed);
      // bash 5.2 forgets to end the command behind a here-document: then the words are compared.
      if (lost.length > 0 && difference(wordsOf(written), wordsOf(printed)).length > 0)
        wrong.push(`${path}: ${lost.slice(0, 5).join(' | ')}`);
    }
    expect([commands > 300, wrong]).toEqual([true, []]);
  });
});

function scripts(): string[] {
  return FOLDERS.flatMap((folder) => filesIn(folder)).filter((path) => {
    const size = statSync(path, {throwIfNoEntry: false})?.size ?? Infinity;
    return size < MAX_SIZE && /^(?:#!\s*\/(?:usr\/)?bin\/(?:env\s+)?(?:ba|da)?sh\b|# +bash completion)/.test(readFileSync(path, 'latin1'));
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
  } catch {
    return [];
  }
}

function pretty(path: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('/bin/bash', ['--norc', '--pretty-print', path], {encoding: 'utf8', stdio: [...stdio], env: {LC_ALL: 'C.UTF-8'}});
  } catch {
    // Other syntax than that of bash.
    return ')';
  }
}

/** One text for each command; undefined where not all could be read. */
function commandsOf(source: string): string[] | undefined {
  const {commands, unresolved} = shellParts(source);
  if (unresolved.some(({reason}) => /^cannot be read|^too long/.test(reason))) return undefined;
  return commands.map(({words}) => words.map(({value}) => (value ?? '?').replaceAll(/(?<=\()\s+|\s+(?=\))/g, '')).join(' '));
}

function wordsOf(commands: readonly string[]): string[] {
  return commands.flatMap((command) => command.split(/\s+/));
}

function difference(one: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of one) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const text of other) counts.set(text, (counts.get(text) ?? 0) - 1);
  return [...counts].flatMap(([text, count]) => (count === 0 ? [] : [text]));
}
