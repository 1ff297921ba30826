import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, it} from 'vitest';
import {FettleError, isFettleError, toFettleError} from '../../src/base/errors.ts';
import {scratch} from '../support/scratch.ts';

async function thrownBy(action: () => Promise<unknown>): Promise<unknown> {
  return await action().then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('toFettleError', () => {
  it('keeps a FettleError as it is', () => {
    const error = new FettleError({code: 'STALE', message: 'changed', hint: 'read it again'});
    expect(toFettleError(error)).toBe(error);
  });

  it('gives errors of the operating system a code and a hint', async () => {
    const folder = await scratch();
    await mkdir(`${folder}/d`);
    const missing = toFettleError(await thrownBy(() => readFile(`${folder}/none`)));
    const directory = toFettleError(await thrownBy(() => readFile(`${folder}/d`)));
    expect([missing.code, missing.hint]).toEqual(['NOT_FOUND', 'Check the path; list the folder to see what is there.']);
    expect([directory.code, directory.hint]).toEqual(['NOT_A_FILE', 'This is a folder; list it instead.']);
  });

  it('says what is to be done about a database that cannot be used; a wrong statement is a defect', async () => {
    const file = join(await scratch({'broken.sqlite': 'x'.repeat(5000)}), 'broken.sqlite');
    const full = Object.assign(new Error('database or disk is full'), {code: 'ERR_SQLITE_ERROR', errcode: 13});
    expect(toFettleError(full)).toMatchObject({code: 'IO', hint: expect.stringContaining('The disk is full')});
    const broken = await thrownBy(async () => new DatabaseSync(file).exec('SELECT * FROM a'));
    expect(toFettleError(broken)).toMatchObject({code: 'IO', message: 'The database cannot be used: file is not a database.'});
    const wrong = await thrownBy(async () => new DatabaseSync(':memory:').exec('SELEC'));
    expect(toFettleError(wrong)).toMatchObject({code: 'INTERNAL'});
  });

  it('calls an unknown system error IO, an abort CANCELLED and anything else a defect', () => {
    const system = Object.assign(new Error('odd'), {code: 'EWEIRD'});
    expect(toFettleError(system).code).toBe('IO');
    expect(toFettleError(new DOMException('stop', 'AbortError')).code).toBe('CANCELLED');
    expect(toFettleError(new TypeError('x is not a function'))).toMatchObject({code: 'INTERNAL', message: 'x is not a function'});
    expect(toFettleError('text').message).toBe('text');
  });

  it('is recognised across copies of the class by its brand', () => {
    const foreign = Object.assign(new Error('from another copy'), {[Symbol.for('fettle.error')]: true});
    expect([isFettleError(foreign), isFettleError(new Error('plain')), isFettleError(null)]).toEqual([true, false, false]);
  });
});
