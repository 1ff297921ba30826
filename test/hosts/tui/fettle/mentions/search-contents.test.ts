import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {searchContents} from '../../../../../src/hosts/tui/fettle/mentions/search-contents.ts';
import {createSearchEngine} from '../../../../../src/search/create-engine.ts';
import {scratch} from '../../../../support/scratch.ts';
import {never} from '../session-support.ts';

const ENGINES = {ripgrep: createSearchEngine(), 'built in': createSearchEngine({locate: () => undefined})};
const FILES = {
  'src/a.ts': 'const one = 1;\n  call(one.two*);\n',
  'src/b.ts': 'const One = 2;\n',
  'dist/a.js': 'one\n',
  '.ignore': 'dist\n',
  '.hidden/a.ts': 'one\n',
};

describe.each(Object.entries(ENGINES))('contents behind @/, by the engine: %s', (_, engine) => {
  it.each([
    [
      'either case, without what is ignored or hidden',
      'one',
      ['src/a.ts:1: const one = 1;', 'src/a.ts:2: call(one.two*);', 'src/b.ts:1: const One = 2;'],
    ],
    ['its own case where it has an upper case letter', 'One', ['src/b.ts:1: const One = 2;']],
    ['characters of patterns as they are', 'one.two*)', ['src/a.ts:2: call(one.two*);']],
    ['a text with blanks, none around it counts', ' const one ', ['src/a.ts:1: const one = 1;', 'src/b.ts:1: const One = 2;']],
    ['nothing for one character', 'o', []],
    ['nothing where nothing is', 'three', []],
  ])('%s', async (__, text, labels) => {
    const root = await scratch(FILES);
    const found = await searchContents(text, {engine, root}, never);
    expect(found).toEqual(labels.map((label) => ({value: /^\S+:\d+/.exec(label)?.[0], label})));
  });

  it('at most 50 lines, long ones cut; every ASCII mark can be searched for', async () => {
    const marks = String.raw`!"#$%&'()*+,-./:;<=>?@[\]^_{|}~`;
    const root = await scratch({'many.txt': `needle ${'x'.repeat(1000)}\n`.repeat(200), 'marks.txt': `${marks}\n`});
    const found = await searchContents('needle', {engine, root}, never);
    expect([found.length, found.at(-1)?.value, found.every(({label}) => label.length < 340)]).toEqual([50, 'many.txt:50', true]);
    expect(await searchContents(marks, {engine, root}, never)).toEqual([{value: 'marks.txt:1', label: `marks.txt:1: ${marks}`}]);
  });

  it('is cancelled by its signal', async () => {
    const stop = new AbortController();
    const searching = searchContents('needle', {engine, root: await scratch({'a.txt': 'needle\n'})}, stop.signal);
    stop.abort();
    await expect(searching).rejects.toMatchObject({code: 'CANCELLED'});
  });
});

describe('a search whose answer nobody waits for', () => {
  it('its process is ended', async () => {
    const [root, bin] = [await scratch({}), await scratch({})];
    const program = join(bin, 'rg');
    writeFileSync(program, `#!/bin/sh\necho $$ > ${bin}/pid\nexec sleep 1000\n`);
    chmodSync(program, 0o755);
    const stop = new AbortController();
    const searching = searchContents('needle', {engine: createSearchEngine({locate: () => program}), root}, stop.signal);
    await expect.poll(() => existsSync(join(bin, 'pid')) && readFileSync(join(bin, 'pid'), 'utf8')).toMatch(/\d\n/);
    stop.abort();
    await expect(searching).rejects.toMatchObject({code: 'CANCELLED'});
    // It has been waited for: its number is free.
    expect(() => process.kill(Number(readFileSync(join(bin, 'pid'), 'utf8')), 0)).toThrow('ESRCH');
  });
});
