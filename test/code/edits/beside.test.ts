import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {insertSymbol} from '../../../src/code/edits/insert-symbol.ts';
import {moveSymbol} from '../../../src/code/edits/move-symbol.ts';
import {replaceSymbol} from '../../../src/code/edits/replace-symbol.ts';
import {afterwards, indexed} from './support.ts';

const TS = {
  'a.ts':
    '/** First. */\nexport function first(): number {\n  return 1;\n}\n\nexport class Box {\n  /** Opens. */\n  open(): void {}\n\n  close(): void {}\n}\n\nexport const last = 3;\n',
};
const PY = {'a.py': 'import os\n\n\n@cached\ndef first():\n    return 1\n\n\nclass Box:\n    def open(self):\n        pass\n'};

describe('a declaration is replaced', {timeout: 60_000}, () => {
  it('without the comment above it; further lines take its indentation', async () => {
    expect(await replaced('Box.open', 'open(force: boolean): void {\n  if (force) return;\n}', TS)).toBe(
      TS['a.ts'].replace('open(): void {}', 'open(force: boolean): void {\n    if (force) return;\n  }'),
    );
    expect(await replaced('first', 'export const first = (): number => 2;', TS)).toBe(
      TS['a.ts'].replace('export function first(): number {\n  return 1;\n}', 'export const first = (): number => 2;'),
    );
  });

  it('a file with CRLF keeps it', async () => {
    const files = {'a.ts': 'function a() {\r\n  return 1;\r\n}\r\nfunction b() {}\r\n'};
    expect(await replaced('a', 'function a() {\n  return 2;\n}', files)).toBe('function a() {\r\n  return 2;\r\n}\r\nfunction b() {}\r\n');
  });

  it.each([
    ['another name', 'export function other() {}'],
    ['what does not parse', 'export function first( {'],
    ['more than was there', '}\nexport function first() {}'],
    ['what is there', 'export function first(): number {\n  return 1;\n}'],
  ])('refused: %s', async (_, text) => {
    expect(await replaced('first', text, TS)).toBe('BAD_ARGS');
  });
});

describe('a declaration is put beside another', {timeout: 60_000}, () => {
  it.each([
    ['before, above the comment', 'first', 'before', 'const zero = 0;', (text: string) => `const zero = 0;\n\n${text}`],
    [
      'after',
      'first',
      'after',
      'const zero = 0;',
      (text: string) => text.replace('}\n\nexport class', '}\n\nconst zero = 0;\n\nexport class'),
    ],
    ['after the last line', 'last', 'after', 'const end = 4;', (text: string) => `${text}\nconst end = 4;\n`],
    ['a member', 'Box.close', 'before', 'lock(): void {}', (text: string) => text.replace('  close', '  lock(): void {}\n\n  close')],
  ] as const)('%s', async (_, name, where, text, expected) => {
    const {symbol, sources} = await indexed(TS);
    const plan = await insertSymbol({beside: await symbol(name), where, text}, sources);
    expect(afterwards(plan)).toEqual({'a.ts': expected(TS['a.ts'])});
  });

  it('Python: decorators belong to what they decorate', async () => {
    const {symbol, sources} = await indexed(PY);
    const plan = await insertSymbol({beside: await symbol('first'), where: 'before', text: 'def zero():\n    return 0'}, sources);
    expect(afterwards(plan)).toEqual({'a.py': PY['a.py'].replace('@cached', 'def zero():\n    return 0\n\n\n@cached')});
  });
});

describe('a declaration is moved in its file', {timeout: 60_000}, () => {
  it('with its comment, and the blank line between', async () => {
    expect(await moved('last', 'first', 'before', TS)).toBe(
      `export const last = 3;\n\n${TS['a.ts'].replace('\nexport const last = 3;\n', '')}`,
    );
    expect(await moved('Box.close', 'Box.open', 'before', TS)).toBe(
      TS['a.ts'].replace(
        '  /** Opens. */\n  open(): void {}\n\n  close(): void {}\n',
        '  close(): void {}\n\n  /** Opens. */\n  open(): void {}\n',
      ),
    );
  });

  it.each([
    ['beside itself', 'first', 'first'],
    ['into a class', 'first', 'Box.open'],
  ])('refused: %s', async (_, name, target) => {
    expect(await moved(name, target, 'after', TS)).toBe('BAD_ARGS');
  });

  it('refused between overloads of TypeScript', async () => {
    const files = {'a.ts': 'function f(a: number): void;\nfunction f(a: string): void;\nfunction f() {}\nfunction g() {}\n'};
    expect(await moved('g', 'f', 'after', files)).toBe('BAD_ARGS');
    expect(await moved('g', 'f', 'before', files)).toContain('function g() {}\nfunction f(a: number)');
  });

  it('refused where something would be used before it is declared; what runs later, types and hoisted functions may stand anywhere', async () => {
    const script =
      'const one = 1;\nconst two = one + 1;\nfunction hoisted() {\n  return two;\n}\ninterface Box {\n  one: number;\n}\nconst box: Box = {one};\nhoisted();\n';
    const python = 'def first():\n    return second()\n\n\ndef second():\n    return 1\n\n\nVALUE = second()\n';
    const c = 'static int low(void) { return 1; }\nint high(void) { return low(); }\n';
    const found = [
      await moved('one', 'two', 'after', {'a.ts': script}),
      await moved('two', 'one', 'before', {'a.ts': script}),
      await moved('second', 'VALUE', 'after', {'a.py': python}),
      await moved('low', 'high', 'after', {'a.c': c}),
      await moved('one', 'hoisted', 'before', {'a.ts': 'function hoisted() {\n  return one;\n}\nconst one = 1;\n'}),
      await moved('hoisted', 'box', 'after', {'a.ts': script}),
      await moved('Box', 'box', 'after', {'a.ts': script}),
      await moved('first', 'second', 'after', {'a.py': python}),
    ];
    expect(found.map((text) => (text === 'BAD_ARGS' ? text : 'moved'))).toEqual([
      'BAD_ARGS',
      'BAD_ARGS',
      'BAD_ARGS',
      'BAD_ARGS',
      'moved',
      'moved',
      'moved',
      'moved',
    ]);
  });

  it('refused for what has its place for a reason: a package clause, a property that a constructor takes', async () => {
    const go = {'a.go': 'package tools\n\nimport "fmt"\n\nfunc Run() { fmt.Println() }\n'};
    const script = {
      'a.ts':
        'class Box {\n  size = 1;\n\n  constructor(\n    readonly name: string,\n    readonly owner: string,\n  ) {}\n\n  open() {}\n}\n',
    };
    expect([
      await moved('tools', 'Run', 'after', go),
      await moved('Run', 'tools', 'after', go),
      await moved('Box.name', 'Box.open', 'after', script),
      await moved('Box.size', 'Box.owner', 'before', script),
      await put('Box.name', '2', script),
      await put('tools', 'func Stop() {}', go),
    ]).toEqual(Array.from({length: 6}, () => 'BAD_ARGS'));
    expect(await moved('Box.size', 'Box.open', 'after', script)).toContain('open() {}\n\n  size = 1;');
    expect(await put('Run', 'func Stop() {}', go)).toContain('func Stop() {}');
  });
});

async function put(name: string, text: string, files: Readonly<Record<string, string>>): Promise<string> {
  const {symbol, sources} = await indexed(files);
  return await outcome(insertSymbol({beside: await symbol(name), where: 'after', text}, sources));
}

async function replaced(name: string, text: string, files: Readonly<Record<string, string>>): Promise<string> {
  const {symbol, sources} = await indexed(files);
  return await outcome(replaceSymbol(await symbol(name), text, sources));
}

async function moved(name: string, target: string, where: 'before' | 'after', files: Readonly<Record<string, string>>): Promise<string> {
  const {symbol, sources} = await indexed(files);
  return await outcome(moveSymbol({symbol: await symbol(name), beside: await symbol(target), where}, sources));
}

async function outcome(plan: ReturnType<typeof replaceSymbol>): Promise<string> {
  try {
    return Object.values(afterwards(await plan)).join('');
  } catch (error) {
    return toFettleError(error).code;
  }
}
