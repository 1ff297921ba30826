import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {afterwards, indexed} from './support.ts';

const SCRIPT = 'export class A {\n  run() {}\n}\nexport class B {\n  run() {}\n}\n';
const PYTHON = 'class A:\n    def run(self):\n        pass\n\n\nclass B:\n    def run(self):\n        pass\n\n\n';

describe('issue 6 › rename: refused where one value may be of two classes that have the member', {timeout: 60_000}, () => {
  it.each([
    ['a type of alternatives', 'a.ts:8:5', {'a.ts': `${SCRIPT}export function f(x: A | B) {\n  x.run();\n}\n`}],
    [
      'as an argument of a type',
      'a.ts:8:28',
      {'a.ts': `${SCRIPT}export function f(x: Set<A | B>) {\n  for (const one of x) one.run();\n}\n`},
    ],
    [
      'an alias of one of them, under another name',
      'b.ts:3:32',
      {
        'a.ts': `${SCRIPT}export type X = A | string;\n`,
        'b.ts': "import {type X as Y, B} from './a';\nexport function f(x: Y | B) {\n  if (typeof x !== 'string') x.run();\n}\n",
      },
    ],
    ['a class below one of them', 'a.ts:9:5', {'a.ts': `${SCRIPT}class C extends B {}\nexport function f(x: A | C) {\n  x.run();\n}\n`}],
    ['one or the other', 'a.ts:8:27', {'a.ts': `${SCRIPT}export function f(c: boolean) {\n  (c ? new A() : new B()).run();\n}\n`}],
    ['a list', 'a.ts:7:39', {'a.ts': `${SCRIPT}for (const x of [new A(), new B()]) x.run();\n`}],
    ['a variable that gets both', 'a.js:8:9', {'a.js': `${SCRIPT}let x = new A();\nx = new B();\nx.run();\n`}],
    [
      'a property that gets both',
      'a.js:10:23',
      {
        'a.js': `${SCRIPT}export class C {\n  constructor(c) {\n    if (c) this.x = new A();\n    else this.x = new B();\n  }\n  go() {\n    this.x.run();\n  }\n}\n`,
      },
    ],
    [
      'a result',
      'a.ts:9:14',
      {'a.ts': `${SCRIPT}function f(c: boolean) {\n  if (c) return new A();\n  return new B();\n}\nf(true).run();\n`},
    ],
    ['a type of alternatives in Python', 'a.py:12:7', {'a.py': `${PYTHON}def f(x: A | B):\n    x.run()\n`}],
    ['one or the other in Python', 'a.py:12:9', {'a.py': `${PYTHON}def f(c):\n    x = A() if c else B()\n    x.run()\n`}],
  ])('%s', async (_, place, files) => {
    const {symbol, sources} = await indexed(files);
    const refusal = async (name: string): Promise<string> =>
      await renameSymbol({symbol: await symbol(name), newName: 'go'}, sources).then(
        (plan) => JSON.stringify(afterwards(plan)),
        (error: unknown) => toFettleError(error).message,
      );
    const message = `run is not renamed: a value there may be of another type that has this member as well: ${place}.`;
    expect([await refusal('A.run'), await refusal('B.run')]).toEqual([message, message]);
  });

  it('classes that keep apart, though one function makes both', async () => {
    const text = `${SCRIPT}export function f(x: A | undefined, y: B | undefined) {\n  if (x) {\n    const a = new A();\n    a.run();\n  } else {\n    const a = new B();\n    a.run();\n  }\n  x?.run();\n  y?.run();\n}\n`;
    const {symbol, sources} = await indexed({'a.ts': text});
    expect(afterwards(await renameSymbol({symbol: await symbol('A.run'), newName: 'go'}, sources))).toEqual({
      'a.ts': text.replace('run() {}', 'go() {}').replace('a.run', 'a.go').replace('x?.run', 'x?.go'),
    });
  });
});
