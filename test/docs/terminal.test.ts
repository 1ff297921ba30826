import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {approvalChoices} from '../../src/hosts/tui/approval/approval-choices.ts';
import {KEY_ACTIONS} from '../../src/hosts/tui/keys/key-actions.ts';
import {keyNameOf} from '../../src/hosts/tui/keys/key-name.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/guide/terminal.md');
const page = readFileSync(PAGE, 'utf8');

describe('docs/guide/terminal.md', () => {
  it('names only keys that do something', () => {
    const bound = new Set<string>(Object.values(KEY_ACTIONS).flatMap(({keys}) => keys));
    const named = Array.from(page.matchAll(/\b((?:Ctrl|Alt|Shift)-(?:[A-Z][a-z]+|[A-Z]\b|_))/g), ([, key = '']) => key);
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((key) => !bound.has(nameOf(key)))).toEqual([]);
  });

  it('has every answer to an approval', () => {
    const hunk = {oldStart: 0, newStart: 0, lines: []};
    const diffs = [{path: '', before: '', after: '', hunks: [hunk, hunk]}];
    const question = {id: '', tool: '', reason: '', subject: [], diffs, rules: [{rule: 'bash:ls', meaning: ''}]};
    const letters = approvalChoices(question).map(({letter}) => letter);
    const [, table = ''] = /\| key \| answer \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
    const documented = Array.from(table.matchAll(/^\| `(\w)`/gm), ([, letter]) => letter);
    expect(new Set(documented.filter((letter) => letter !== 'e'))).toEqual(new Set(letters));
  });

  it('leads to files that are there', () => {
    const links = Array.from(page.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(dirname(PAGE), path)))).toEqual([]);
  });
});

/** `Alt-B` is the key `alt+b`. */
function nameOf(key: string): string {
  const name = key.replace('-', '+');
  return keyNameOf(/\+[A-Z]$/.test(name) ? name.toLowerCase() : name) ?? key;
}
