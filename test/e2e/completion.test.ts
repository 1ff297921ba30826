import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {fettle, place} from './support.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

describe.skipIf(!hasBash)('completion in bash', () => {
  it('offers commands and options, also behind values and arguments; values where there is a list of them', async () => {
    const {stdout: script} = await fettle(await place(), ['completion', 'bash']);
    const offered = (...words: readonly string[]): string => {
      const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fettle; echo "${COMPREPLY[*]}"';
      return spawnSync('bash', ['-c', `${script}\n${ask}`, 'bash', 'fettle', ...words], {encoding: 'utf8'}).stdout.trim();
    };
    expect(offered('sess')).toBe('sessions');
    expect(offered('sessions', 'ex')).toBe('export');
    expect(offered('--model', 'a/b', 'ex')).toBe('exec');
    expect(offered('exec', '--max-turns', '3', '--js')).toBe('--json');
    expect(offered('sessions', 'export', 'thr_1', '--f')).toBe('--format');
    expect(offered('exec', '--mode', '')).toBe('plan ask accept-edits full-auto');
  });
});
