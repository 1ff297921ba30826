import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {affectsExecution} from '../../../src/base/variable-names.ts';
import {addedVariables} from '../../../src/exec/variables/added-variables.ts';

const ENV = {
  DATABASE_URL: 'postgres://me:hunter22@db/x',
  APP_MODE: 'test',
  APP_TOKEN: 'secret-1',
  APP_BASE_URL: 'http://localhost:3000',
  APP_DB: 'postgres://me:hunter22@db/x',
  CI: 'true',
  EMPTY: '',
  GONE: undefined,
  LD_PRELOAD: '/x.so',
  GIT_SSH_COMMAND: 'sh -c id',
  NODE_OPTIONS: '--import x',
  PATH: '/bin',
};

describe('addedVariables', () => {
  it.each<[string, readonly string[], object]>([
    ['nothing is passed by itself', [], {}],
    [
      'names, also those of secrets',
      ['DATABASE_URL', 'APP_TOKEN', 'EMPTY'],
      {DATABASE_URL: ENV.DATABASE_URL, APP_TOKEN: 'secret-1', EMPTY: ''},
    ],
    ['what is not set is not passed', ['GONE', 'NOWHERE'], {}],
    [
      'a glob passes no secret: neither by name nor by a password in an address',
      ['APP_*'],
      {APP_MODE: 'test', APP_BASE_URL: ENV.APP_BASE_URL},
    ],
    ['a glob in the middle, several', ['A*_M*E', '*I'], {APP_MODE: 'test', CI: 'true'}],
    [
      'all: never what makes programs load or run something',
      ['*'],
      {APP_MODE: 'test', APP_BASE_URL: ENV.APP_BASE_URL, CI: 'true', EMPTY: ''},
    ],
    ['not by their names either', ['LD_PRELOAD', 'GIT_SSH_COMMAND', 'NODE_OPTIONS', 'PATH'], {}],
    ['case counts', ['ci'], {}],
  ])('%s: %j', (_, pass, passed) => expect(addedVariables(ENV, {pass, set: {}})).toEqual(passed));

  it('values of its own are stronger, and are never those that steer programs', () => {
    const set = {CI: '0', NEW: 'x', LD_PRELOAD: '/x.so', BASH_ENV: 'x', 'BASH_FUNC_ls%%': '() { id; }', __proto__: 'x'};
    expect(addedVariables(ENV, {pass: ['CI'], set})).toEqual({CI: '0', NEW: 'x'});
  });

  it('whatever the names and patterns are, nothing that steers programs is passed, and a glob means what a shell means by it (property)', () => {
    const part = fc.string({unit: fc.constantFrom('A', 'B', '_', '*'), maxLength: 12});
    const name = fc.oneof(part, fc.constantFrom('LD_PRELOAD', 'PATH', 'GIT_DIR', 'BASH_FUNC_x%%', 'ENV'));
    fc.assert(
      fc.property(fc.array(name), fc.array(part), (names, pass) => {
        const given = Object.keys(addedVariables(Object.fromEntries(names.map((one) => [one, 'v'])), {pass, set: {}}));
        expect(given.filter(affectsExecution)).toEqual([]);
        const fits = (one: string): boolean =>
          pass.some((pattern) => (pattern.includes('*') ? new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(one) : pattern === one));
        expect(given.toSorted()).toEqual([...new Set(names)].filter((one) => fits(one) && !affectsExecution(one)).toSorted());
      }),
    );
  });

  it('a hostile pattern takes no time', () => {
    const [pattern, name] = ['*A'.repeat(2000), `${'A'.repeat(5000)}B`];
    expect(addedVariables({[name]: 'v'}, {pass: [pattern], set: {}})).toEqual({});
  });
});
