import {readdirSync, statSync, symlinkSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {appendPrompt, readPrompts} from '../../../../src/hosts/tui/editor/history-file.ts';
import {scratch} from '../../../support/scratch.ts';

const run = promisify(execFile);
const NAME = 'state/prompts.jsonl';

describe('the file of prompts', () => {
  it('is made for the owner alone, and keeps line ends, order and any character', async () => {
    const file = join(await scratch(), NAME);
    expect(readPrompts(file)).toEqual([]);
    for (const prompt of ['one', 'two\n"2"', '资料 😀', '资料 😀', ' private', '  ', 'x'.repeat(70_000)]) appendPrompt(file, prompt);
    expect(readPrompts(file)).toEqual(['one', 'two\n"2"', '资料 😀']);
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('holds no secret', async () => {
    const file = join(await scratch(), NAME);
    appendPrompt(file, `use ghp_${'a1B2'.repeat(9)} for it`);
    expect(await readFile(file, 'utf8')).toBe('{"text":"use [redacted GitHub token] for it"}\n');
  });

  it('a line that was cut off, or of another kind, costs no other', async () => {
    const file = join(await scratch({[NAME]: '{"text":"one"}\n[]\n{"text":1}\n{"text":"tw'}), NAME);
    appendPrompt(file, 'three');
    expect(readPrompts(file)).toEqual(['one', 'three']);
  });

  it('keeps 1,000 prompts and 1 MB, newest ones', async () => {
    const root = await scratch();
    const file = join(root, NAME);
    const prompts = Array.from({length: 60}, (_, index) => `${index} ${'x'.repeat(50_000)}`);
    for (const prompt of prompts) appendPrompt(file, prompt);
    const kept = readPrompts(file);
    expect(kept).toEqual(prompts.slice(-kept.length));
    const bytes = readdirSync(join(file, '..')).reduce((sum, name) => sum + statSync(join(file, '..', name)).size, 0);
    expect([kept.length > 8, bytes <= 1024 * 1024]).toEqual([true, true]);

    const many = join(root, 'many.jsonl');
    for (let index = 0; index < 1100; index++) appendPrompt(many, String(index));
    expect(readPrompts(many)).toEqual(Array.from({length: 1000}, (_, index) => String(index + 100)));
  });

  it('several processes lose no line of each other', async () => {
    const file = join(await scratch(), NAME);
    const module = join(import.meta.dirname, '../../../../src/hosts/tui/editor/history-file.ts');
    const program = `import {appendPrompt} from ${JSON.stringify(module)};
      const [, file, name] = process.argv;
      for (let index = 0; index < 100; index++) appendPrompt(file, name + ' ' + index + ' ' + 'x'.repeat(1000));`;
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => run(process.execPath, ['--input-type=module', '-e', program, file, name])));
    const kept = readPrompts(file).map((prompt) => prompt.replace(/ x+$/, ''));
    expect(kept.toSorted((a, b) => a.localeCompare(b))).toEqual(
      names.flatMap((name) => Array.from({length: 100}, (_, index) => `${name} ${index}`)).toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it('a link in its place is not followed', async () => {
    const root = await scratch({other: ''});
    const file = join(root, 'prompts.jsonl');
    symlinkSync(join(root, 'other'), file);
    expect(() => appendPrompt(file, 'one')).toThrow('ELOOP');
    expect(await readFile(join(root, 'other'), 'utf8')).toBe('');
  });
});
