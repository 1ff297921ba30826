// The module runs in a process of its own: what counts is what it returns, not how it ends.
import {execFileSync} from 'node:child_process';
import {deepStrictEqual} from 'node:assert';

const CASES = [
  ['a,b\nc,d\n', [['a', 'b'], ['c', 'd']]],
  ['a,b\r\nc,d', [['a', 'b'], ['c', 'd']]],
  ['"a,b",c\n', [['a,b', 'c']]],
  ['"line 1\nline 2",x\ny,z\n', [['line 1\nline 2', 'x'], ['y', 'z']]],
  ['"she said ""no""",1\n', [['she said "no"', '1']]],
  ['"",""\n', [['', '']]],
  [',\n', [['', '']]],
  ['a\n\nb\n', [['a'], [''], ['b']]],
  ['"a\r\nb","""",c\r\n', [['a\r\nb', '"', 'c']]],
  ['ä,"ö,ü"\n', [['ä', 'ö,ü']]],
];
const probe = `
  import {parse} from './csv.mjs';
  let text = '';
  for await (const part of process.stdin) text += part;
  console.log('\\n' + JSON.stringify(JSON.parse(text).map((one) => parse(one))));
`;
const said = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
  input: JSON.stringify(CASES.map(([text]) => text)),
  encoding: 'utf8',
  timeout: 20_000,
});
deepStrictEqual(JSON.parse(said.trimEnd().split('\n').at(-1)), CASES.map(([, rows]) => rows));
console.log('ok');
