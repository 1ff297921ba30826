import {describe, expect, it} from 'vitest';
import {indexed, signal} from '../edits/support.ts';

describe('references (issue 6: unresolved targets keep their name)', () => {
  it('what is a member of an object of the language is not listed as perhaps meant; a local, imported or declared one is', async () => {
    const {graph, symbol} = await indexed({
      'a.ts': 'export function log() {}\nconsole.log(1);\nfunction f(console: any, x: any) {\n  console.log(2);\n  x.log(3);\n}\n',
      'b.ts': "import {Math} from 'elsewhere';\nMath.log();\n",
      'c.js': 'Math.log(1);\nconsole\n  .log(2);\n',
    });
    const {unproven} = await graph.references((await symbol('log')).id, {limit: 100}, signal);
    expect(unproven.map(({path, range: {start}}) => `${path}:${start.line + 1}`)).toEqual(['a.ts:4', 'a.ts:5', 'b.ts:2', 'c.js:3']);
  });
});
