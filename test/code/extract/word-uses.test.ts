import {expect, it} from 'vitest';
import {factsOf} from '../../../src/code/extract/facts.ts';
import {namesInText} from '../../../src/code/extract/names-in-text.ts';

const {signal} = new AbortController();

it.each([
  ['C, what a macro stands for', 'c', 'int add_one(int a);\n#define SHORT add_one\n', ['1:14-21 SHORT -> 0']],
  [
    'C, parameters of the macro, halves of names, strings and numbers',
    'c',
    '#define M(a, b) a(b ## c, "d", 0xe, \'f\') /* g */ // h\n',
    [],
  ],
  ['C, members', 'c', '#define M(a) (a)->next.last\n', ['0:18-22 M -> ?', '0:23-27 M -> ?']],
  ['Ruby, symbols in a class', 'ruby', 'class A\n  private :load\n  def load; end\nend\n', ['1:2-9 A -> -1', '1:11-15 A -> 1']],
  ['Ruby, symbols that are only values', 'ruby', 'class A\n  X = [:load, {a: :load}]\n  def load; end\nend\n', []],
])('%s (issue 6: who uses it is what grep finds, without comments and strings)', async (_name, language, text, expected) => {
  const {uses, symbols} = await factsOf(language, text, signal);
  expect(
    uses.map(({range: {start, end}, within, target, receiver}) => {
      return `${start.line}:${start.character}-${end.character} ${symbols[within]?.name ?? ''} -> ${receiver ?? target}`;
    }),
  ).toEqual(expected);
});

it('a macro that stands for one name alone: its place is known, and no other (issue 6: a rename changes every place once)', async () => {
  const text = 'int add_one(int a);\n#define SHORT add_one\n';
  expect(await namesInText({language: 'c', text, signal}, 'add_one')).toEqual([]);
});
