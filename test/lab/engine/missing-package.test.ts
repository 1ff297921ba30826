import {expect, it, vi} from 'vitest';
import {openEngine} from '../../../src/lab/engine/open-engine.ts';
import {never} from './rollouts.ts';

vi.mock('pg-boss', () => {
  throw new Error("Cannot find package 'pg-boss'");
});

it('a queue without the package that it needs says how to install it', async () => {
  const error = await openEngine({folder: '/', queue: 'postgres://host/d'}, never).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'A queue in PostgreSQL needs the package pg-boss, which is not installed.',
    hint: 'Install it beside Fettle: npm install -g pg-boss@12.35.0',
  });
});
