import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import {crashError} from '../../../../src/hosts/tui/runner/crash.ts';
import {scratch} from '../../../support/scratch.ts';

describe('crashError', () => {
  it('says where the trace is, in a file of the owner alone', async () => {
    const state = await scratch({});
    const thrown = new TypeError('x is undefined\nmore');
    const {code, message, hint} = crashError(thrown, state);
    const [name = ''] = readdirSync(join(state, 'crashes'));
    const file = join(state, 'crashes', name);
    expect({code, message, hint}).toEqual({
      code: 'INTERNAL',
      message: 'The screen has failed: x is undefined',
      hint: `What happened is in ${file}. The session is saved: fettle --last resumes it.`,
    });
    expect([readFileSync(file, 'utf8').includes(thrown.stack ?? '-'), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  });

  it('an expected error stays as it is; a folder that cannot be written costs only the file', async () => {
    const expected = new FettleError({code: 'UNAVAILABLE', message: 'm', hint: 'h'});
    const state = await scratch({crashes: ''});
    expect([crashError(expected, state), crashError('odd', state).hint]).toEqual([
      expected,
      'The session is saved: fettle --last resumes it.',
    ]);
  });
});
