import {describe, expect, it} from 'vitest';
import {snakeCase} from '../../../src/tools/custom/tool-name.ts';
import {toolFile, useTools} from './run-tools.ts';

const custom = ({names, files}: {names: readonly string[]; files: Readonly<Record<string, string>>}) =>
  names.filter((name) => name in files).map((name) => [name, files[name]]);

describe('where tools are found (vibe tool system › Search Path Resolution, Tool Discovery)', () => {
  it('recursively, *.ts, *.js and *.mjs; what begins with _ or ., declarations and node_modules are not tools', async () => {
    const found = await useTools({
      'home/tools/one.ts': toolFile('1'),
      'home/tools/deep/er/two.js': toolFile('2'),
      'home/tools/three.mjs': toolFile('3'),
      'home/tools/_part.ts': 'throw new Error("never read")',
      'home/tools/_folder/x.ts': 'throw new Error("never read")',
      'home/tools/.hidden.ts': 'throw new Error("never read")',
      'home/tools/types.d.ts': 'export {}',
      'home/tools/node_modules/p/index.js': 'throw new Error("never read")',
      'home/tools/notes.md': 'none',
    });
    expect(found.notices).toEqual([]);
    expect(custom(found)).toEqual([
      ['one', '<root>/home/tools/one.ts'],
      ['three', '<root>/home/tools/three.mjs'],
      ['two', '<root>/home/tools/deep/er/two.js'],
    ]);
  });

  it('built-in < tool_paths < the tools folder of the user; who stands in for whom is said', async () => {
    const found = await useTools(
      {
        'home/config.toml': 'tool_paths = ["~/more", "~/single/b.ts", "~/none"]',
        'home/more/a.ts': toolFile('a of tool_paths'),
        'home/single/b.ts': toolFile('b of a single file'),
        'home/tools/a.ts': toolFile('a of the user'),
      },
      {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
    );
    expect(found.results.map(({text}) => text)).toEqual(['answer: a of the user', 'answer: b of a single file']);
    expect(found.notices).toEqual([
      '<root>/home/none (tool_paths): does not exist',
      '<root>/home/tools/a.ts: a replaces the one of <root>/home/more/a.ts',
    ]);
  });

  it('a built-in tool is only replaced where that is meant (reference: builtin override requires `override: true`)', async () => {
    const found = await useTools(
      {
        'home/tools/ls.ts': toolFile('ls'),
        'home/tools/glob.ts': toolFile('my glob', 'override: true,'),
        'home/tools/start-command.ts': toolFile('deferred'),
      },
      {calls: [['glob', {}]]},
    );
    expect(found.results).toMatchObject([{text: 'answer: my glob'}]);
    expect(found.notices).toEqual([
      '<root>/home/tools/glob.ts: glob replaces the built-in tool',
      '<root>/home/tools/ls.ts: not loaded: ls is a built-in tool (Give it another name, or `override: true`.)',
      '<root>/home/tools/start-command.ts: not loaded: start_command is a built-in tool (Give it another name, or `override: true`.)',
    ]);
    expect(found.names.filter((name) => name === 'glob' || name === 'ls')).toEqual(['glob', 'ls']);
  });

  it('tools of a project are never run: that needs trust (reference: nothing of a folder runs before trust)', async () => {
    const found = await useTools({'work/.fettle/tools/evil.ts': 'throw new Error("ran")'});
    // That there is something to trust is told once, by the settings (test/e2e/trust.test.ts).
    expect([found.names.includes('evil'), found.notices]).toEqual([false, []]);
  });
});

describe('design §4: "optional cache key"', () => {
  it.each([
    ['write', 'sideEffect: "write", cacheKey: () => "k"', 'cacheKey is for tools that change nothing, and the side effect is write'],
    ['execute', 'sideEffect: "execute", cacheKey: () => "k"', 'cacheKey is for tools that change nothing, and the side effect is execute'],
    ['a text', 'cacheKey: "k"', 'cacheKey must be a function'],
    [
      'state',
      'cacheKey: () => "k", state: z.object({n: z.number().default(0)})',
      'cacheKey and state exclude each other: a run may change the state',
    ],
  ])('is refused when it is loaded: %s', async (_, fields, problem) => {
    const {notices} = await useTools({'home/tools/kept.ts': toolFile('a', fields)});
    expect(notices).toEqual([`<root>/home/tools/kept.ts: not loaded: kept: ${problem}`]);
  });
});

describe('a broken file is reported, and costs nothing else (vibe tool system › Tool Discovery; its import errors were silent)', () => {
  it('says what is wrong, for each file', async () => {
    const define = (fields: string): string =>
      `import {defineCustomTool, z} from 'fettle/tools';\nexport const t = defineCustomTool({${fields}});\n`;
    const {notices, results} = await useTools(
      {
        'home/tools/a_good.ts': toolFile('good'),
        'home/tools/b_syntax.ts': 'const a = 1;\nconst = 3;\n',
        'home/tools/c_throws.ts': 'throw new TypeError("no luck");\n',
        'home/tools/d_nothing.ts': 'export const a = 1;\n',
        'home/tools/e_enum.ts': `enum Colour { Red }\n${toolFile('e')}`,
        'home/tools/f_package.ts': `import x from 'left-pad';\n${toolFile('f')}`,
        'home/tools/g_schema.ts': define(`description: ' ', args: z.string(), result: {}, sideEffect: 'magic', run: 5`),
        'home/tools/h_slots.ts': define(
          `description: 'd', args: z.object({big: z.literal(1n)}), result: z.string(), sideEffect: 'pure', state: z.object({n: z.number()}), async run() {}`,
        ),
        'home/tools/i_two.ts': `${toolFile('i')}\n${toolFile('i2')
          .replace(/^import.*\n/, '')
          .replace('tool =', 'other =')}`,
        'home/tools/9lives.ts': toolFile('nine'),
      },
      {calls: [['a_good', {}]]},
    );
    expect(results).toMatchObject([{text: 'answer: good'}]);
    expect(notices).toMatchInlineSnapshot(`
      [
        "<root>/home/tools/9lives.ts: not loaded: 9lives: "9lives" is not a tool name: it must begin with a letter, and have letters, digits and "_", at most 64",
        "<root>/home/tools/b_syntax.ts: not loaded: SyntaxError in line 2: Unexpected token \`=\`. Expected yield, an identifier, [ or {",
        "<root>/home/tools/c_throws.ts: not loaded: TypeError in line 1: no luck",
        "<root>/home/tools/d_nothing.ts: not loaded: it exports no tool (Export what defineCustomTool() returns; begin the name with \`_\` if the file is only a part of others.)",
        "<root>/home/tools/e_enum.ts: not loaded: SyntaxError in line 1: TypeScript enum is not supported in strip-only mode (Types are stripped, not compiled: no enum, namespace or parameter property.)",
        "<root>/home/tools/f_package.ts: not loaded: Error: Cannot find package 'left-pad' imported from <root>/home/tools/f_package.ts (\`import {defineCustomTool, z} from 'fettle/tools'\` is always there; other packages must be installed beside the file.)",
        "<root>/home/tools/g_schema.ts: not loaded: g_schema: description must be a text; sideEffect must be one of pure, read, write, execute, network, interact; run must be a function; args must be a zod object, not string; result must be a zod schema",
        "<root>/home/tools/h_slots.ts: not loaded: h_slots: args cannot be described to a model: BigInt literals cannot be represented in JSON Schema; state needs a default for each field: n: Invalid input: expected number, received undefined",
        "<root>/home/tools/i_two.ts: not loaded: it exports several tools: each of them needs a name",
      ]
    `);
  });
});

describe('names (vibe tool system › get_name: snake_case)', () => {
  it.each([
    ['SearchReplace', 'search_replace'],
    ['wordCount', 'word_count'],
    ['word-count', 'word_count'],
    ['HTTPStatus', 'http_status'],
    ['grep2Lines', 'grep2_lines'],
    ['todo', 'todo'],
  ])('%s → %s', (name, snake) => {
    expect(snakeCase(name)).toBe(snake);
  });

  it('of the file, or as the tool says; several in one file each say theirs', async () => {
    const two = `${toolFile('1', `name: 'FirstOne',`)}${toolFile('2', `name: 'second',`)
      .replace(/^import.*\n/, '')
      .replace('tool =', 'other =')}`;
    const found = await useTools({'home/tools/WordCount.ts': toolFile('w'), 'home/tools/two.ts': two});
    expect([custom(found).map(([name]) => name), found.notices]).toEqual([['first_one', 'second', 'word_count'], []]);
  });
});

describe('prompts/<name>.md beside the file (vibe tool system › Tool Prompts)', () => {
  it('stands behind the description; what is too long is cut, and said', async () => {
    const {schemas, notices} = await useTools({
      'home/tools/first-tool.ts': toolFile('1'),
      'home/tools/prompts/first_tool.md': '\nUse it first.\n',
      'home/tools/second-tool.ts': toolFile('2'),
      'home/tools/prompts/second-tool.md': 'x'.repeat(5000),
    });
    expect(schemas.map(({description}) => description.length)).toEqual([
      'Answers 1.\n\nUse it first.'.length,
      'Answers 2.\n\n'.length + 4000,
    ]);
    expect(schemas[0]?.description).toBe('Answers 1.\n\nUse it first.');
    expect(notices).toEqual([
      '<root>/home/tools/prompts/second-tool.md: only its first 4000 characters are used, of 5000: every request carries them',
    ]);
  });
});

describe('what a file may import', () => {
  it('its own parts, in TypeScript, without a package.json beside it', async () => {
    const {results, notices} = await useTools(
      {
        'home/tools/sum.ts': `import {defineCustomTool, z} from 'fettle/tools';
import {add} from './_add.ts';
export default defineCustomTool({description: 'Adds.', args: z.object({a: z.number(), b: z.number().default(2)}), result: z.number(), sideEffect: 'pure',
  run: async ({a, b}) => add(a, b)});`,
        'home/tools/_add.ts': 'export function add(a: number, b: number): number { return a + b; }',
      },
      {
        calls: [
          ['sum', {a: 1}],
          ['sum', {a: '5', b: 5}],
          ['sum', {b: 5}],
        ],
      },
    );
    expect(notices).toEqual([]);
    expect(results).toEqual([
      {outcome: 'success', text: '3', summary: '3', changes: []},
      {outcome: 'success', text: '10', summary: '10', changes: []},
      {
        outcome: 'invalid',
        text: 'Error: The arguments of sum do not fit: a is missing (number).\nParameters: a: number, b?: number.',
        summary: 'The arguments of sum do not fit: a is missing (number).',
        changes: [],
      },
    ]);
  });
});
