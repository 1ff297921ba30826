import {expect, it} from 'vitest';
import {exec} from '../../../../src/hosts/cli/commands/exec.ts';
import {scratch} from '../../../support/scratch.ts';
import {capturedIo} from '../captured-io.ts';

const READ = {name: 'read', arguments: {path: 'a.txt'}};

it.each([
  ['the answer alone', [{text: 'the answer'}], {}, ['the answer'], []],
  ['what is said on the way is progress', [{text: 'I look', toolCalls: [READ]}, {text: 'the answer'}], {}, ['the answer'], ['I look']],
  ['an answer like an earlier message', [{text: 'same', toolCalls: [READ]}, {text: 'same'}], {}, ['same'], ['same']],
  ['an answer that a check follows', [{text: 'the answer'}], {verify: ['test -f a.txt']}, ['the answer'], []],
  [
    'an answer that a check sent back',
    [{text: 'same'}, {text: 'late', toolCalls: [{name: 'write', arguments: {path: 'b.txt', content: 'b'}}]}, {text: 'the answer'}],
    {verify: ['test -f b.txt'], mode: 'accept-edits'},
    ['the answer'],
    ['same', 'late'],
  ],
  ['a message that is not the answer', [{text: 'cut', toolCalls: [READ]}, {text: 'late'}], {maxTurns: '1'}, [], ['cut']],
])('an answer is printed once, on stdout: %s', async (_, replies, options, out, err) => {
  const folder = await scratch({'s.json': JSON.stringify({replies}), 'a.txt': 'a'});
  const home = await scratch({});
  const {io, stdout, stderr} = capturedIo({cwd: folder, home, env: {FETTLE_HOME: home}});
  await exec(io, 'go', {...options, model: `script:${folder}/s.json`});
  const said = /^(?:the answer|I look|same|cut|late)$/;
  const lines = (text: string): string[] => text.split('\n').filter((line) => said.test(line));
  expect([lines(stdout()), lines(stderr())]).toEqual([out, err]);
});
