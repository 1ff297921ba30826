import {describe, expect, it} from 'vitest';
import {insertSymbol} from '../../../src/code/edits/insert-symbol.ts';
import {moveSymbol} from '../../../src/code/edits/move-symbol.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {replaceSymbol} from '../../../src/code/edits/replace-symbol.ts';
import {afterwards, indexed} from './support.ts';

/** A mark at the beginning, CRLF, tabs, no line break at the end. */
const CRLF = '\uFEFFclass A {\r\n\ta() {\r\n\t\treturn 1;\r\n\t}\r\n\r\n\tb() {}\r\n}\r\nfunction f() {}\r\nfunction g() {}';
const OBJECT = 'const o = {\n  a() {},\n  b: 2, // two, not three\n  c() {}\n};\n';

describe('issue 6 › edit by symbol: bytes that nobody asked to change stay', {timeout: 60_000}, () => {
  it('a byte order mark, CRLF, tabs, and no line break at the end', async () => {
    const {symbol, sources} = await indexed({'a.js': CRLF});
    const [a, b, f, g] = [await symbol('A.a'), await symbol('A.b'), await symbol('f'), await symbol('g')];
    const text = 'function n() {\n\treturn 1;\n}';
    const after = async (plan: ReturnType<typeof renameSymbol>): Promise<unknown> => afterwards(await plan)['a.js'];
    expect({
      moved: await after(moveSymbol({symbol: f, beside: g, where: 'after'}, sources)),
      last: await after(moveSymbol({symbol: g, beside: f, where: 'before'}, sources)),
      member: await after(moveSymbol({symbol: a, beside: b, where: 'after'}, sources)),
      inserted: await after(insertSymbol({beside: g, where: 'after', text}, sources)),
      replaced: await after(replaceSymbol(f, text.replace('n()', 'f()'), sources)),
      renamed: await after(renameSymbol({symbol: g, newName: 'h'}, sources)),
    }).toEqual({
      moved: CRLF.replace('function f() {}\r\nfunction g() {}', 'function g() {}\r\nfunction f() {}'),
      last: CRLF.replace('function f() {}\r\nfunction g() {}', 'function g() {}\r\nfunction f() {}'),
      member: CRLF.replace('\ta() {\r\n\t\treturn 1;\r\n\t}\r\n\r\n\tb() {}', '\tb() {}\r\n\r\n\ta() {\r\n\t\treturn 1;\r\n\t}'),
      inserted: `${CRLF}\r\n\r\nfunction n() {\r\n\treturn 1;\r\n}`,
      replaced: CRLF.replace('function f() {}', 'function f() {\r\n\treturn 1;\r\n}'),
      renamed: CRLF.replace('g()', 'h()'),
    });
  });

  it('members that commas part: the last one has none, whichever that is', async () => {
    const {symbol, sources} = await indexed({'a.js': OBJECT, 'b.js': 'class B {\n  b() {}\n}\n'});
    const [a, c] = [await symbol('o.a'), await symbol('o.c')];
    const after = async (plan: ReturnType<typeof renameSymbol>): Promise<unknown> => Object.values(afterwards(await plan))[0];
    expect({
      first: await after(moveSymbol({symbol: c, beside: a, where: 'before'}, sources)),
      last: await after(moveSymbol({symbol: a, beside: c, where: 'after'}, sources)),
      inserted: await after(insertSymbol({beside: c, where: 'after', text: 'd: 4'}, sources)),
      between: await after(insertSymbol({beside: c, where: 'before', text: 'd: 4'}, sources)),
      classes: await after(insertSymbol({beside: await symbol('B.b'), where: 'after', text: 'c() {}'}, sources)),
    }).toEqual({
      first: 'const o = {\n  c() {},\n  a() {},\n  b: 2 // two, not three\n};\n',
      last: 'const o = {\n  b: 2, // two, not three\n  c() {},\n  a() {}\n};\n',
      inserted: OBJECT.replace('c() {}', 'c() {},\n  d: 4'),
      between: OBJECT.replace('  c() {}', '  d: 4,\n  c() {}'),
      classes: 'class B {\n  b() {}\n  c() {}\n}\n',
    });
  });
});
