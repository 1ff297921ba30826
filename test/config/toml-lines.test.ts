import * as fc from 'fast-check';
import {parse, stringify} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {tomlLines} from '../../src/config/toml-lines.ts';

const lines = (text: string, paths: readonly (readonly (string | number)[])[]): number[] => {
  parse(text); // only texts that the parser accepts count
  const lineOf = tomlLines(text);
  return paths.map((path) => lineOf(path));
};

describe('tomlLines', () => {
  it('finds keys below headers, dotted keys and quoted keys', () => {
    const text = [
      '# comment with = and [brackets]',
      'model = "a/b" # [not.a.header]',
      'limits.max_turns = 3',
      '',
      '[providers.openai]',
      'base_url = "http://x"',
      '["providers"."with space"]',
      String.raw`"quo\u0074ed" = 1`,
      "'single' . key = 2",
    ].join('\n');
    expect(
      lines(text, [
        ['model'],
        ['limits', 'max_turns'],
        ['providers', 'openai'],
        ['providers', 'openai', 'base_url'],
        ['providers', 'with space'],
        ['providers', 'with space', 'quoted'],
        ['providers', 'with space', 'single', 'key'],
      ]),
    ).toEqual([2, 3, 5, 6, 7, 8, 9]);
  });

  it('counts the tables of an array of tables, and the tables below the last of them', () => {
    const text = ['[[a]]', 'x = 1', '[a.sub]', 'y = 1', '[[a]]', 'x = 2', '[[a.deep]]', 'z = 1', '[[a.deep]]', 'z = 2'].join('\n');
    expect(
      lines(text, [
        ['a'],
        ['a', 0],
        ['a', 0, 'x'],
        ['a', 0, 'sub', 'y'],
        ['a', 1],
        ['a', 1, 'x'],
        ['a', 1, 'deep', 0, 'z'],
        ['a', 1, 'deep', 1, 'z'],
      ]),
    ).toEqual([1, 1, 2, 4, 5, 6, 8, 10]);
  });

  it('is not led astray by what stands in strings', () => {
    const text = [
      'a = """',
      '[b]',
      String.raw`c = 1 \""" still inside`,
      'two quotes at the end: """""',
      "d = '''",
      "[e] = '' '",
      "'''''",
      'f = "# no comment" # comment "',
      "g = '\\'",
      'h = 1979-05-27 07:32:00 # a date with a space',
      'i = 1',
    ].join('\r\n');
    expect(lines(text, [['a'], ['d'], ['f'], ['g'], ['h'], ['i'], ['b'], ['e']])).toEqual([1, 5, 8, 9, 10, 11, 1, 1]);
  });

  it('finds the elements of lists and inline tables, also over several lines', () => {
    const text = [
      'a = [ # ]',
      '  "x", # ,',
      '',
      '  ["y",',
      '   "z"],',
      '  {k = 1, l = {m = [1,',
      ' 2]}},',
      ']',
      'b = [1, 2]',
      'c = ["""x""""",',
      '2]',
    ].join('\n');
    expect(
      lines(text, [
        ['a', 0],
        ['a', 1],
        ['a', 1, 0],
        ['a', 1, 1],
        ['a', 2, 'k'],
        ['a', 2, 'l', 'm', 0],
        ['a', 2, 'l', 'm', 1],
        ['b', 1],
        ['c', 1],
      ]),
    ).toEqual([2, 4, 4, 5, 6, 6, 7, 9, 11]);
  });

  it('answers for an absent path with the line of its nearest parent', () => {
    expect(lines('\n[limits]\nmax_turns = 1', [['limits', 'max_cost_usd'], ['nowhere']])).toEqual([2, 1]);
  });

  it('finds every value that the TOML writer wrote (property)', () => {
    const text = fc.string({maxLength: 8, unit: fc.constantFrom('"', "'", '\\', '[', ']', '{', '=', '.', '#', ',', '\n', ' ', 'a', 'é')});
    const leaf = fc.oneof(text, fc.constant(0));
    const {table} = fc.letrec<{node: unknown; table: Record<string, unknown>}>((tie) => ({
      node: fc.oneof(
        {maxDepth: 4},
        leaf,
        fc.array(leaf, {maxLength: 3}),
        tie('table'),
        fc.array(tie('table'), {minLength: 1, maxLength: 3}),
      ),
      table: fc.dictionary(text, tie('node'), {maxKeys: 4, noNullPrototype: true}),
    }));
    fc.assert(
      fc.property(table, (shape) => {
        const values = new Map<string, readonly (string | number)[]>();
        const written = stringify(number(shape, [], values));
        const lineOf = tomlLines(written);
        const found = [...values].map(([value, path]) => (written.split('\n')[lineOf(path) - 1] ?? '').includes(value));
        expect(found).toEqual(found.map(() => true));
      }),
      {numRuns: 500},
    );
  });
});

/** The same shape with a number of its own in each leaf. */
function number(value: unknown, path: readonly (string | number)[], values: Map<string, readonly (string | number)[]>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => number(item, [...path, index], values));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, number(child, [...path, key], values)]));
  }
  const own = 700_001 + values.size;
  values.set(String(own), path);
  return typeof value === 'string' ? `${value}${own}` : own;
}
