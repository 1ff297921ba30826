import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

describe('names of TypeScript and JavaScript across files (issue: relations are resolved by scopes and imports, not by name alone)', () => {
  it('relative specifiers: with and without ending, `.js` for `.ts`, a folder for its index', async () => {
    const index = await indexFiles({
      'a.ts': 'export const a = 1;\n',
      'b/index.ts': 'export function b() {}\n',
      'c.tsx': 'export class C {}\n',
      'main.ts':
        "import {a} from './a.ts';\nimport {b} from './b';\nimport {C} from './c.js';\nimport {gone} from './gone';\nb();\nnew C();\nconsole.log(a, gone);\n",
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "main.ts:5 call b -> b/index.ts::b#function",
        "main.ts:6 call C -> c.tsx::C#class",
        "main.ts:7 reference console -> ?",
        "main.ts:7 call log -> ?",
        "main.ts:7 reference a -> a.ts::a#constant",
        "main.ts:7 reference gone -> ?",
        "main.ts:1 import a -> a.ts::a#constant",
        "main.ts:2 import b -> b/index.ts::b#function",
        "main.ts:3 import C -> c.tsx::C#class",
        "main.ts:4 import gone -> ?",
      ]
    `);
  });

  it('what is exported again is what it was, through any number of files; circles end', async () => {
    const index = await indexFiles({
      'deep.ts': 'export class Deep { go() {} }\nexport default function first() {}\n',
      'mid.ts':
        "export * from './deep.ts';\nexport {Deep as Renamed} from './deep.ts';\nexport {default as second} from './deep.ts';\nexport * as all from './deep.ts';\nexport * from './top.ts';\n",
      'top.ts': "export * from './mid.ts';\n",
      'use.ts':
        "import {Deep, Renamed, second, all, none} from './top.ts';\nnew Deep().go();\nnew Renamed();\nsecond();\nall.Deep;\nnone();\n",
    });
    expect(meanings(index).filter((line) => line.startsWith('use.ts'))).toMatchInlineSnapshot(`
      [
        "use.ts:2 call Deep -> deep.ts::Deep#class",
        "use.ts:2 call go -> deep.ts::Deep.go#method",
        "use.ts:3 call Renamed -> deep.ts::Deep#class",
        "use.ts:4 call second -> deep.ts::first#function",
        "use.ts:5 reference all -> ?",
        "use.ts:5 reference Deep -> deep.ts::Deep#class",
        "use.ts:6 call none -> ?",
        "use.ts:1 import Deep -> deep.ts::Deep#class",
        "use.ts:1 import Renamed -> deep.ts::Deep#class",
        "use.ts:1 import second -> deep.ts::first#function",
        "use.ts:1 import all -> ?",
        "use.ts:1 import none -> ?",
      ]
    `);
  });

  it('members: of what a function returns, of a field, inherited, of a namespace, of a list, behind await', async () => {
    const index = await indexFiles({
      'server.ts':
        'export interface Closable { close(): void }\nexport class Base { stop(): void {} }\nexport class Server extends Base implements Closable {\n  readonly log = new Log();\n  start(): this { return this; }\n  close(): void {}\n  static make(): Server { return new Server(); }\n}\nexport class Log { write(text: string): void {} }\nexport async function later(): Promise<Server> { return new Server(); }\nexport const servers: Server[] = [];\nexport namespace Names { export const one = 1; }\nexport enum Colour { red }\nexport const table = {first: 1, second: {third: 2}};\n',
      'use.ts':
        "import {Server, later, servers, Names, Colour, table, type Closable} from './server.ts';\nimport * as all from './server.ts';\nexport async function run(given: Closable) {\n  const made = Server.make();\n  made.start();\n  made.stop();\n  made.log.write('');\n  (await later()).close();\n  servers[0]?.stop();\n  for (const one of servers) one.start();\n  servers.map((each) => each.log);\n  given.close();\n  all.later();\n  Names.one; Colour.red; table.second.third;\n}\nclass Mine extends Server { again() { super.start(); this.stop(); } }\n",
    });
    expect(meanings(index).filter((line) => line.startsWith('use.ts'))).toMatchInlineSnapshot(`
      [
        "use.ts:3 uses_type Closable -> server.ts::Closable#interface",
        "use.ts:4 reference Server -> server.ts::Server#class",
        "use.ts:4 call make -> server.ts::Server.make#method",
        "use.ts:5 call start -> server.ts::Server.start#method",
        "use.ts:6 call stop -> server.ts::Base.stop#method",
        "use.ts:7 reference log -> server.ts::Server.log#property",
        "use.ts:7 call write -> server.ts::Log.write#method",
        "use.ts:8 call later -> server.ts::later#function",
        "use.ts:8 call close -> server.ts::Server.close#method",
        "use.ts:9 reference servers -> server.ts::servers#constant",
        "use.ts:9 call stop -> server.ts::Base.stop#method",
        "use.ts:10 reference servers -> server.ts::servers#constant",
        "use.ts:10 call start -> server.ts::Server.start#method",
        "use.ts:11 reference servers -> server.ts::servers#constant",
        "use.ts:11 call map -> ?",
        "use.ts:11 reference log -> server.ts::Server.log#property",
        "use.ts:12 call close -> server.ts::Closable.close#method",
        "use.ts:13 reference all -> ?",
        "use.ts:13 call later -> server.ts::later#function",
        "use.ts:14 reference Names -> server.ts::Names#namespace",
        "use.ts:14 reference one -> server.ts::Names.one#constant",
        "use.ts:14 reference Colour -> server.ts::Colour#enum",
        "use.ts:14 reference red -> server.ts::Colour.red#enum_member",
        "use.ts:14 reference table -> server.ts::table#constant",
        "use.ts:14 reference second -> server.ts::table.second#property",
        "use.ts:14 reference third -> server.ts::table.second.third#property",
        "use.ts:16 extends Server -> server.ts::Server#class",
        "use.ts:16 call start -> server.ts::Server.start#method",
        "use.ts:16 call stop -> server.ts::Base.stop#method",
        "use.ts:1 import Server -> server.ts::Server#class",
        "use.ts:1 import later -> server.ts::later#function",
        "use.ts:1 import servers -> server.ts::servers#constant",
        "use.ts:1 import Names -> server.ts::Names#namespace",
        "use.ts:1 import Colour -> server.ts::Colour#enum",
        "use.ts:1 import table -> server.ts::table#constant",
        "use.ts:1 import Closable -> server.ts::Closable#interface",
        "use.ts:2 import ./server.ts -> ?",
      ]
    `);
  });

  it('a name that is the same by chance is not taken', async () => {
    const index = await indexFiles({
      'other.ts': 'export function start() {}\nexport class Thing { go() {} }\n',
      'use.ts': 'export function f(unknown: any) { start(); unknown.go(); const start2 = 1; return start2; }\n',
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "use.ts:1 call start -> ?",
        "use.ts:1 call go -> ?",
      ]
    `);
  });

  it('`paths` and `baseUrl` of the nearest tsconfig, also inherited; packages of the repository by their name and exports', async () => {
    const index = await indexFiles({
      'tsconfig.base.json': '{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/src/*"]}}}',
      'app/tsconfig.json': '{// with a comment\n"extends": "../tsconfig.base.json",}',
      'lib/src/tool.ts': 'export const tool = 1;\n',
      'packages/one/package.json': '{"name": "@scope/one", "exports": {".": "./dist/main.js", "./sub/*": {"import": "./src/*.ts"}}}',
      'packages/one/src/main.ts': 'export const main = 1;\n',
      'packages/one/src/extra.ts': 'export const extra = 1;\n',
      'app/use.ts':
        "import {tool} from '@lib/tool';\nimport {tool as same} from 'lib/src/tool';\nimport {main} from '@scope/one';\nimport {extra} from '@scope/one/sub/extra';\nimport {none} from 'left-pad';\n",
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "app/use.ts:1 import tool -> lib/src/tool.ts::tool#constant",
        "app/use.ts:2 import tool -> lib/src/tool.ts::tool#constant",
        "app/use.ts:2 import same -> lib/src/tool.ts::tool#constant",
        "app/use.ts:3 import main -> packages/one/src/main.ts::main#constant",
        "app/use.ts:4 import extra -> packages/one/src/extra.ts::extra#constant",
        "app/use.ts:5 import none -> ?",
      ]
    `);
  });

  it('CommonJS: require, module.exports, exports.name', async () => {
    const index = await indexFiles({
      'whole.js': 'class Whole { run() {} }\nmodule.exports = Whole;\n',
      'parts.js': 'exports.part = function part() {};\nfunction other() {}\nmodule.exports.other = other;\n',
      'use.js':
        "const Whole = require('./whole');\nconst {part, other} = require('./parts');\nconst parts = require('./parts');\nnew Whole().run();\npart();\nother();\nparts.other();\n",
    });
    expect(meanings(index).filter((line) => line.startsWith('use.js'))).toMatchInlineSnapshot(`
      [
        "use.js:1 call require -> ?",
        "use.js:2 call require -> ?",
        "use.js:3 call require -> ?",
        "use.js:4 call Whole -> whole.js::Whole#class",
        "use.js:4 call run -> whole.js::Whole.run#method",
        "use.js:5 call part -> parts.js::part#function",
        "use.js:6 call other -> parts.js::other#function",
        "use.js:7 reference parts -> ?",
        "use.js:7 call other -> parts.js::other#function",
        "use.js:1 import ./whole -> whole.js::Whole#class",
        "use.js:2 import part -> parts.js::part#function",
        "use.js:2 import other -> parts.js::other#function",
        "use.js:3 import ./parts -> ?",
      ]
    `);
  });
});
