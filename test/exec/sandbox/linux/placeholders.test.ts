import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../../src/base/errors.ts';
import {makePlaceholders} from '../../../../src/exec/sandbox/linux/placeholders.ts';

describe.skipIf(process.platform !== 'linux')('makePlaceholders', () => {
  // Nobody may make anything there, not even root.
  it.each([[undefined], ['text']])('a folder that is not writable is a clear refusal, and no raw error of the system: %j', (content) => {
    let thrown: unknown;
    try {
      makePlaceholders('/sys', [{path: '.fettle-test', content}]);
    } catch (error) {
      thrown = error;
    }
    const {code, message, hint} = toFettleError(thrown);
    expect({code, message, hint}).toEqual({
      code: 'UNAVAILABLE',
      message: 'The sandbox cannot be set up, and the command was not run: /sys is not writable for you.',
      hint: 'Make the folder writable, work in a copy of it, or run without the sandbox (--sandbox off).',
    });
  });
});
