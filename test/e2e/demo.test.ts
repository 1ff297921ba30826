import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, place} from './support.ts';

/** Paths, ids and times are not the same twice, and the reporter of `node --test` depends on the Node that is found. */
function steady(text: string): string[] {
  return text
    .replaceAll(/script:\S+ in \S+ \(session \S+\)/g, 'script:FILE in FOLDER (session ID)')
    .replaceAll(/^ {2}\d+ lines$|\d+\.\d s$/gm, 'VARIES')
    .split('\n');
}

const TESTS = 'The tests of the project, run once more';

describe('the README', () => {
  it('shows what `fettle demo` prints', {timeout: 60_000}, async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const shown = /<!-- demo:begin -->\s*```text\n(.*?)\n```\s*<!-- demo:end -->/s.exec(readme)?.[1] ?? '';
    const {code, stdout} = await fettle(await place(), ['demo']);
    expect(code).toBe(0);
    const [told = '', tests = ''] = shown.split(TESTS);
    expect(steady(told)).toEqual(steady(stdout.split(TESTS)[0] ?? ''));
    expect([tests.trimEnd().endsWith('They pass.'), stdout.includes('\nThey pass.\n')]).toEqual([true, true]);
  });
});
