import {describe, expect, it} from 'vitest';
import {importLines, withImport, withoutImport} from '../../../src/code/edits/import-lines.ts';
import {specifierTo} from '../../../src/code/edits/specifier.ts';

describe('import lines', () => {
  it('what binds names, over several lines too; what only runs a module, or stands in a text, is none', () => {
    const text =
      "import './run.ts';\nimport a, {b, type c as d} from './x.ts';\nimport type {\n  e,\n} from \"y\"\nimport * as f from 'z';\nconst s = \"import {g} from 'h'\";\n";
    expect(importLines(text).map(({isType, module, outer, names}) => ({isType, module, outer, names}))).toEqual([
      {isType: false, module: './x.ts', outer: 'a', names: ['b', 'type c as d']},
      {isType: true, module: 'y', outer: '', names: ['e']},
      {isType: false, module: 'z', outer: '* as f', names: undefined},
    ]);
  });

  it.each([
    ['one of several', "import {a, b as c} from 'x';\nrest\n", 'b', "import {a} from 'x';\nrest\n"],
    ['the last', "import {a} from 'x';\nrest\n", 'a', 'rest\n'],
    ['beside a default', "import d, {a} from 'x';\n", 'a', "import d from 'x';\n"],
    ['of another name', "import {ab} from 'x';\n", 'a', "import {ab} from 'x';\n"],
  ])('without %s', (_, text, original, after) => {
    expect(withoutImport(text, {module: 'x', original})).toBe(after);
  });

  it.each([
    ['into the one of that module', "import {a} from 'x';\n", "import {a, n} from 'x';\n"],
    ['behind the others, in their manner', 'import { a } from "y"\nrest\n', 'import { a } from "y"\nimport { n } from "x"\nrest\n'],
    ['first, where there is none', '#!/usr/bin/env node\ncode\n', "#!/usr/bin/env node\nimport {n} from 'x';\n\ncode\n"],
    ['not twice', "import {n} from 'x';\n", "import {n} from 'x';\n"],
    ['apart from types', "import type {a} from 'x';\n", "import type {a} from 'x';\nimport {n} from 'x';\n"],
  ])('with one more: %s', (_, text, after) => {
    expect(withImport(text, {module: 'x', isType: false, name: 'n'})).toBe(after);
  });

  it('a file is named in the manner of the imports around it', () => {
    expect(specifierTo('a/b.ts', 'a/c.ts', ["import {x} from './y.ts';\n"])).toBe('./c.ts');
    expect(specifierTo('a/b.ts', 'c/d.mts', ["import {x} from './y.js';\n"])).toBe('../c/d.mjs');
    expect(specifierTo('a/b.ts', 'a/c/index.ts', ["import {x} from './y';\n"])).toBe('./c');
    expect(specifierTo('a/b.ts', 'a/c.tsx', ["import {x} from '../y.js';\n"])).toBe('./c.js');
  });
});
