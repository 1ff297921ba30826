import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {CodeBase, Lookup} from '../../../src/code/resolve/code-base.ts';
import {createLookup} from '../../../src/code/resolve/create-lookup.ts';
import {indexFiles, meanings} from '../index-files.ts';

describe('questions that lead to questions (issue 6: a repository of any size, at once)', () => {
  it('are given up when one name needs more than 2000; the next name is answered again', () => {
    const lookup: Lookup = createLookup({} as CodeBase);
    let answered = 0;
    const ask = (question: string, depth: number): boolean | undefined =>
      lookup.once(question, () => {
        answered++;
        for (let next = 0; next < 5; next++) if (depth > 0) ask(`${question} ${next}`, depth - 1);
        return true;
      });
    expect({is: ask('a', 7), answered}).toEqual({is: true, answered: 2000});
    expect({is: ask('b', 0), answered}).toEqual({is: true, answered: 2001});
  });

  it('find what one of many parts of a class says, and what its base says in another (Ruby)', async () => {
    const part = (n: number): string => `class Base\n  def b${n}\n  end\nend\nclass Thing < Base\n  def t${n}\n  end\nend\n`;
    const files = Object.fromEntries(Array.from({length: 12}, (_, n) => [`lib/p${n}.rb`, part(n)]));
    const use = ['class Use', '  def go', '    thing = Thing.new', '    thing.t11', '    thing.b11', '    thing.none', '  end', 'end'];
    const text = ["require_relative 'p0'", ...use].join('\n');
    const path = await indexFiles({...files, 'lib/use.rb': text});
    expect(meanings(path).filter((line) => line.includes('use.rb') && /:[5-7] /.test(line))).toMatchInlineSnapshot(`
      [
        "lib/use.rb:5 call t11 -> lib/p11.rb::Thing.t11#method",
        "lib/use.rb:6 call b11 -> lib/p11.rb::Base.b11#method",
        "lib/use.rb:7 call none -> ?",
      ]
    `);
  });

  it('of which the first is answered as if nothing was ever kept, also where names lead in circles', () => {
    fc.assert(
      fc.property(graph, fc.nat(6), (nodes, question) => {
        const {once}: Lookup = createLookup({} as CodeBase);
        expect(search(nodes, question, once)).toEqual(anew(nodes, question));
      }),
      {numRuns: 2000},
    );
  });

  // In circles a later answer depends on who was asked first, with and without what is kept.
  it('are answered once, later ones without circles as if nothing was ever kept', () => {
    const straight = graph.map((nodes) => nodes.map((node, at) => ({...node, next: node.next.filter((next) => next > at)})));
    fc.assert(
      fc.property(straight, fc.array(fc.nat(6), {minLength: 1, maxLength: 12}), (nodes, questions) => {
        const {once}: Lookup = createLookup({} as CodeBase);
        expect(questions.map((node) => search(nodes, node, once))).toEqual(questions.map((node) => anew(nodes, node)));
      }),
      {numRuns: 2000},
    );
    let asked = 0;
    const {once}: Lookup = createLookup({} as CodeBase);
    for (const question of ['a', 'b', 'a', 'b']) once(question, () => void asked++);
    expect(asked).toBe(2);
  });

  it('find a name behind modules that hand each other on in more ways than can be tried (TypeScript, C)', async () => {
    const levels = Array.from({length: 20}, (_, n) => n);
    const barrels = levels.map((n) => [`b${n}.ts`, `export * from './b${n + 1}.js';\nexport * from './b${n + 2}.js';\n`]);
    const headers = levels.map((n) => [`h${n}.h`, `#include "h${n + 1}.h"\n#include "h${n + 2}.h"\n`]);
    const path = await indexFiles({
      ...Object.fromEntries([...barrels, ...headers]),
      'b21.ts': '',
      'h21.h': '',
      'last.ts': 'export const wanted = 1;\n',
      'all.ts': "export * from './b0.js';\nexport * from './last.js';\n",
      'use.ts': "import {wanted} from './all.js';\nwanted;\n",
      'last.h': 'int other_last(int);\nint wanted_c(int);\n',
      'use.c': '#include "h0.h"\n#include "last.h"\nint use(void) { return wanted_c(1); }\n',
    });
    expect(meanings(path).filter((line) => / wanted/.test(line))).toMatchInlineSnapshot(`
      [
        "use.c:3 call wanted_c -> last.h::wanted_c#function",
        "use.ts:2 reference wanted -> last.ts::wanted#constant",
        "use.ts:1 import wanted -> last.ts::wanted#constant",
      ]
    `);
  });

  it('C: the first declaration, those of a file before those of what it includes, through includes that lead in circles', async () => {
    const path = await indexFiles({
      'a.h': '#include "b.h"\n#define LIMIT 1\n',
      'b.h': '#include "a.h"\n#include "c.h"\n#define LIMIT 2\n#define OWN 2\n',
      'c.h': '#define OWN 3\n#define LAST 3\n',
      'use.c': '#include "a.h"\n#include "c.h"\nint use(void) { return LIMIT + OWN + LAST + NONE; }\n',
      'again.c': '#include "c.h"\n#include "b.h"\nint use(void) { return LIMIT + OWN + LAST + NONE; }\n',
    });
    expect(meanings(path).filter((line) => /\.c:3/.test(line))).toMatchInlineSnapshot(`
      [
        "again.c:3 reference LIMIT -> b.h::LIMIT#constant",
        "again.c:3 reference OWN -> c.h::OWN#constant",
        "again.c:3 reference LAST -> c.h::LAST#constant",
        "again.c:3 reference NONE -> ?",
        "use.c:3 reference LIMIT -> a.h::LIMIT#constant",
        "use.c:3 reference OWN -> b.h::OWN#constant",
        "use.c:3 reference LAST -> c.h::LAST#constant",
        "use.c:3 reference NONE -> ?",
      ]
    `);
  });
});

/** What a node says itself, else the first answer of the next ones that is not too small for it. */
type Node = {readonly value: number | undefined; readonly next: readonly number[]; readonly least: number};

const graph: fc.Arbitrary<readonly Node[]> = fc.array(
  fc.record({
    value: fc.option(fc.integer({min: 1, max: 3}), {nil: undefined, freq: 3}),
    next: fc.array(fc.nat(6), {maxLength: 3}),
    least: fc.constantFrom(0, 0, 0, 2),
  }),
  {minLength: 7, maxLength: 7},
);

function search(nodes: readonly Node[], at: number, once: Lookup['once']): number | undefined {
  const node = nodes[at];
  return once(`${at}`, () => {
    if (node?.value !== undefined) return node.value;
    for (const next of node?.next ?? []) {
      const found = search(nodes, next, once);
      if (found !== undefined && found >= (node?.least ?? 0)) return found;
    }
    return undefined;
  });
}

/** A question that is asked while it is being answered is answered with nothing; nothing is kept. */
function anew(nodes: readonly Node[], question: number): number | undefined {
  const open = new Set<string>();
  return search(nodes, question, (asked, answer) => {
    if (open.has(asked)) return undefined;
    open.add(asked);
    const found = answer();
    open.delete(asked);
    return found;
  });
}
