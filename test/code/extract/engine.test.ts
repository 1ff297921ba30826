import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';

const SCRIPT = join(import.meta.dirname, 'parse-samples.ts');
const LINE = /^Compiled function (?<module>0x[0-9a-f]+)#\d+ using (?<compiler>\w+)/gm;

describe('optimiseEngine (nodejs/node#63421: optimising a grammar needs gigabytes and may abort)', () => {
  it('lets the engine be optimised, and none of all grammars, however hot they are', async () => {
    const {stdout} = await promisify(execFile)(process.execPath, ['--liftoff-only', '--trace-wasm-compilation-times', SCRIPT], {
      maxBuffer: 64 * 2 ** 20,
    });
    const compiled = [...stdout.matchAll(LINE)].map(({groups}) => ({module: groups?.['module'], compiler: groups?.['compiler']}));
    const optimised = new Set(compiled.filter(({compiler}) => compiler === 'TurboFan').map(({module}) => module));
    expect(optimised.size).toBe(1);
    expect(new Set(compiled.map(({module}) => module)).size).toBeGreaterThan(20);
  });
});
