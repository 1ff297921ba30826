import {describe, expect, it, onTestFinished} from 'vitest';
import type {At, IndexOptions} from '../../../../src/hosts/cli/code-index/index-answers.ts';
import {graphOf, outline, references, resolveName, search} from '../../../../src/hosts/cli/code-index/index-questions.ts';
import {openCode} from '../../../../src/sdk/tools/code-access.ts';
import {openWorkspace} from '../../../../src/workspace/open-workspace.ts';
import {scratch} from '../../../support/scratch.ts';
import {capturedIo} from '../captured-io.ts';

const PROJECT = {
  'src/main.ts': "import {Server} from './server.ts';\n\nconst server = new Server();\nserver.start(80);\n",
  'src/server.ts':
    '/** Serves. */\nexport class Server {\n  /** Opens the port. */\n  start(port: number): void {\n    note(`port ${port}`);\n  }\n}\n\nfunction note(line: string): void {\n  console.log(line);\n}\n',
};
const signal = new AbortController().signal;

type Question = (at: At, subject: string) => Promise<number>;

/** Asks questions of one index of the project, one after the other: the exit code, and what was written. */
async function asking(): Promise<(question: Question, subject: string, options?: IndexOptions) => Promise<readonly [number, string]>> {
  const root = await scratch(PROJECT);
  const code = openCode({root, cacheDir: await scratch()});
  onTestFinished(async () => await code.close());
  const graph = await code.open(signal);
  await graph.fresh(signal);
  const workspace = await openWorkspace(root);
  return async (question, subject, options = {}) => {
    const {io, stdout} = capturedIo({cwd: root});
    const exit = await question({io, options: {limit: '20', ...options}, workspace, root, cwd: root, graph, signal}, subject);
    return [exit, stdout()];
  };
}

describe('fettle index: what questions print (issue 6: the command line)', () => {
  it('search, resolve, outline, graph, references', async () => {
    const ask = await asking();
    const start = 'src/server.ts:4 start(port: number): void\n  src/server.ts::Server.start#method\n';
    const rows: readonly (readonly [Question, string, IndexOptions, number, string])[] = [
      [search, 'stort', {}, 0, 'src/server.ts:4 method start(port: number): void in Server\n'],
      [search, 'start', {kind: 'class'}, 1, 'No symbol fits "start".\n'],
      [search, 'start', {path: 'src/main.ts'}, 1, 'No symbol fits "start".\n'],
      [resolveName, 'Server.start', {}, 0, start],
      [resolveName, 'src/server.ts:5', {}, 0, start],
      [resolveName, 'src/main.ts:4:8', {}, 0, start],
      [resolveName, 'src/server.ts:5:18', {}, 0, 'src/server.ts:4:9\n'],
      [
        outline,
        'src/server.ts',
        {},
        0,
        '2-7 class Server\n  4-6 method start(port: number): void\n9-11 function note(line: string): void\n',
      ],
      [
        graphOf,
        'Server',
        {},
        0,
        'src/server.ts:2 class Server\n  id src/server.ts::Server#class\n  Serves.\n  used by:\n    src/main.ts:3:20 call in server\n    src/main.ts:1:9 import\n  uses:\n    call src/server.ts::note#function\n  has:\n    4 method start(port: number): void\n',
      ],
      [
        graphOf,
        'Server.start',
        {},
        0,
        'src/server.ts:4 method start(port: number): void in Server\n  id src/server.ts::Server.start#method\n  Opens the port.\n  used by:\n    src/main.ts:4:8 call\n  uses:\n    call src/server.ts::note#function\n',
      ],
      [
        references,
        'note',
        {},
        0,
        'src/server.ts:9 function note(line: string): void\n  src/server.ts:9:10 reference\n  src/server.ts:5:5 call in Server.start\n',
      ],
      [references, 'src/server.ts:5:18', {}, 0, '  src/server.ts:4:9 reference\n  src/server.ts:5:18 reference\n'],
    ];
    for (const [question, subject, options, exit, text] of rows)
      expect([question.name, subject, ...(await ask(question, subject, options))]).toEqual([question.name, subject, exit, text]);
  });

  it('--json is the data of the answer', async () => {
    const ask = await asking();
    const json = async (question: Question, subject: string, options: IndexOptions = {}): Promise<unknown> =>
      JSON.parse((await ask(question, subject, {json: true, ...options}))[1]);
    expect(await json(resolveName, 'note')).toMatchObject([{id: 'src/server.ts::note#function'}]);
    expect(await json(resolveName, 'src/server.ts:5:18')).toEqual([
      {file_path: 'src/server.ts', range: {start: {line: 3, character: 8}, end: {line: 3, character: 12}}},
    ]);
    expect(await json(graphOf, 'note', {relation: 'call'})).toMatchObject({
      symbol: {name: 'note'},
      outgoing: [{target_name: 'log'}],
      truncated: false,
    });
  });
});
