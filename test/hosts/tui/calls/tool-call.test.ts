import {beforeAll, describe, expect, it} from 'vitest';
import {lineWidth} from '../../../../src/hosts/tui/cells/wrap-line.ts';
import type {ToolEntry} from '../../../../src/hosts/tui/model/entry.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {toolCallLines} from '../../../../src/hosts/tui/calls/tool-call.ts';
import {notation} from '../views/notation.ts';

beforeAll(loadDiff);

type Given = Partial<Omit<ToolEntry, 'arguments'>> & {readonly input?: unknown};
const entry = ({input = {}, ...rest}: Given): ToolEntry => ({
  kind: 'tool',
  id: 'i1',
  callId: 'c1',
  tool: 'bash',
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
  state: 'success',
  startedAt: 0,
  durationMs: 20,
  output: '',
  ...rest,
});
const lines = (given: Given, width = 60) => toolCallLines(entry(given), {width, now: 12_000, isWhole: false, root: '/app'});
const shown = (given: Given, width = 60) => notation(lines(given, width));

describe('toolCallLines', () => {
  const rows: readonly (readonly [string, Given, string])[] = [
    [
      'no subject twice',
      {tool: 'read', input: {path: '/app/a.ts'}, summary: 'a.ts: 20 lines'},
      '{success:● }{bold:Read} a.ts  {dim:20 lines}',
    ],
    [
      'a range',
      {tool: 'read', input: {path: 'a.ts', offset: 3, limit: 4}, summary: 'a.ts: 4 lines'},
      '{success:● }{bold:Read} a.ts:3-6  {dim:4 lines}',
    ],
    [
      'times from a second on',
      {input: {command: 'make'}, durationMs: 72_000, summary: '3 lines'},
      '{success:● }{bold:Run} make  {dim:3 lines}  {dim:1 min 12 s}',
    ],
    [
      'times without what it waited for a person',
      {input: {command: 'make'}, durationMs: 72_000, waitedMs: 69_500, summary: '3 lines'},
      '{success:● }{bold:Run} make  {dim:3 lines}  {dim:2.5 s}',
    ],
    [
      'a call that waits for a person does not run',
      {input: {command: 'make'}, state: 'running', startedAt: 9000, durationMs: undefined, asksSince: 9100},
      '{accent:◌ }{bold:Run} make',
    ],
    [
      'a call that goes on after its answer',
      {input: {command: 'make'}, state: 'running', startedAt: 0, durationMs: undefined, waitedMs: 7000},
      '{accent:◌ }{bold:Run} make  {dim:5 s}',
    ],
    ['the exit code', {input: {command: 'make'}, summary: 'exit code 0'}, '{success:● }{bold:Run} make  {dim:exit 0}'],
    [
      'what ended a command',
      {input: {command: 'make'}, state: 'error', summary: 'exit code none (timed out after 2.0 s; everything it started was killed)'},
      '{error:✗ }{bold:Run} make  {error:timed out after 2.0 s}',
    ],
    [
      'who denied',
      {input: {command: 'make'}, state: 'denied', decision: 'deny by person'},
      '{warning:⊘ }{bold:Run} make  {dim:denied by you}',
    ],
    [
      'the rule that denied',
      {input: {command: 'make'}, state: 'denied', decision: 'deny by rule, rule bash:make'},
      '{warning:⊘ }{bold:Run} make  {dim:denied by rule bash:make}',
    ],
    ['a deletion once', {tool: 'delete_file', input: {path: 'a'}, summary: 'Deleted file a.'}, '{success:● }{bold:Delete} a'],
    [
      'an empty new file',
      {tool: 'write', input: {path: 'a', content: ''}, summary: 'Created a (0 bytes).'},
      '{success:● }{bold:Write} a  {dim:new}',
    ],
    ['broken arguments', {input: '{"command": "ma', state: 'invalid', summary: 'no JSON'}, '{error:✗ }{bold:Run}  {error:no JSON}'],
    ['a call that runs', {input: {command: 'make'}, state: 'running', durationMs: undefined}, '{accent:◌ }{bold:Run} make  {dim:12 s}'],
  ];
  it.each(rows)('tells %s', (_, given, expected) => expect(shown(given)).toBe(expected));

  it('shows an edit as what differs, without numbers that are not known', () => {
    const input = {path: 'a.txt', old_string: 'one\ntwo', new_string: 'one\n2\nthree'};
    expect(shown({tool: 'edit', input, summary: 'Edited a.txt: 1 replacement.'})).toMatchInlineSnapshot(`
      "{success:● }{bold:Edit} a.txt  {dim:+2 −1}
        {dim:}  one
        {dim:}{removed:- }{removed:two}
        {dim:}{added:+ }{added:2}
        {dim:}{added:+ }{added:three}"
    `);
  });

  it('reads SEARCH/REPLACE blocks (vibe tool system › Search Replace Tool) and several patches', () => {
    const content = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n';
    const patches = [{old_text: 'x', new_text: 'y'}];
    expect([shown({tool: 'search_replace', input: {file_path: 'f', content}}), shown({tool: 'apply_patch', input: {path: 'f', patches}})])
      .toMatchInlineSnapshot(`
      [
        "{success:● }{bold:Edit} f  {dim:+1 −1}
        {dim:}{removed:- }{removed:a}
        {dim:}{added:+ }{added:b}",
        "{success:● }{bold:Edit} f  {dim:+1 −1}
        {dim:}{removed:- }{removed:x}
        {dim:}{added:+ }{added:y}",
      ]
    `);
  });

  it('shows the last rows of a command while it runs, and of one that failed without its exit code again', () => {
    const output = Array.from({length: 20}, (_, index) => `line ${index}\n`).join('');
    expect([
      shown({input: {command: 'make'}, state: 'running', durationMs: undefined, output}),
      shown({input: {command: 'make'}, state: 'error', summary: 'exit code 2', output: 'bad\n[exit code 2]\n'}),
      shown({input: {command: 'make'}, summary: '20 lines', output}),
    ]).toMatchInlineSnapshot(`
      [
        "{accent:◌ }{bold:Run} make  {dim:12 s}
      {border:  │ }{dim:line 14}
      {border:  │ }{dim:line 15}
      {border:  │ }{dim:line 16}
      {border:  │ }{dim:line 17}
      {border:  │ }{dim:line 18}
      {border:  │ }{dim:line 19}",
        "{error:✗ }{bold:Run} make  {error:exit 2}
      {border:  │ }{dim:bad}",
        "{success:● }{bold:Run} make  {dim:20 lines}",
      ]
    `);
  });

  it('cuts paths at their beginning, commands in the middle, other text at its end', () => {
    expect([
      shown({tool: 'read', input: {path: 'src/a/very/long/path/to/file.ts'}}, 24),
      shown({input: {command: 'npm run build -- --all | tail -5'}}, 24),
      shown({tool: 'web_search', input: {query: 'how to cut a text in the middle'}}, 30),
    ]).toEqual([
      '{success:● }{bold:Read} …/path/to/file.ts',
      '{success:● }{bold:Run} npm run buil…il -5',
      '{success:● }{bold:Search the web} how to cut a…',
    ]);
  });

  it('keeps names and results of any size within the width', () => {
    const long = '宽'.repeat(200);
    const given: readonly Given[] = [
      {tool: long, input: {}},
      {tool: 'read', input: {path: long}, summary: long},
      {tool: 'read', input: {path: long}, state: 'error', summary: long, output: long},
      {agent: long, input: {command: long}, state: 'running', output: long},
    ];
    for (const width of [20, 40, 80]) {
      for (const one of given) expect(Math.max(...lines(one, width).map(lineWidth))).toBeLessThanOrEqual(width);
    }
  });
});
