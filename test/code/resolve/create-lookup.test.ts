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
});
