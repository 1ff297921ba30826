import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

describe('what cannot be known ends (issue 6: hostile repositories are the normal case)', () => {
  it('methods of which each returns what the next one returns: no answer, and no end of the stack', async () => {
    const index = await indexFiles({
      'a.py':
        'class T:\n    @classmethod\n    def load(cls):\n        new = cls.make()\n        return new.step()\n\n    @classmethod\n    def make(cls):\n        return cls()\n\n    def step(self):\n        return self.long()\n\n    def long(self):\n        next = self.load()\n        next.offset = 1\n        return next\n',
    });
    expect(meanings(index).filter((line) => /step|long|load|offset/.test(line))).toMatchInlineSnapshot(`
      [
        "a.py:16 reference offset -> ?",
      ]
    `);
  });
});
