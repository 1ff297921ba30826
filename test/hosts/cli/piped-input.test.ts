import {PassThrough, Readable} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {exec} from '../../../src/hosts/cli/commands/exec.ts';
import {pipedInput} from '../../../src/hosts/cli/piped-input.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo} from './captured-io.ts';

const LIMITS = {firstByteMs: 20, partBytes: 10, totalBytes: 100};

async function read(stream: NodeJS.ReadableStream | undefined) {
  const {io, stderr} = capturedIo({piped: () => stream});
  return {input: await pipedInput(io, LIMITS), note: stderr()};
}

const framed = (text: string, attribute = ''): string => `The command's stdin, data for this task:\n<stdin${attribute}>\n${text}\n</stdin>`;

describe('stdin beside a prompt (design 6: it belongs to the prompt)', () => {
  it.each([
    ['nothing can be piped', undefined],
    ['an empty input', Readable.from([])],
    ['only line ends', Readable.from([Buffer.from('\n\n')])],
  ])('%s changes nothing', async (_, stream) => {
    expect(await read(stream)).toEqual({input: undefined, note: ''});
  });

  it('a pipe into which nobody writes is waited for a while, not for ever', async () => {
    expect(await read(new PassThrough())).toEqual({
      input: undefined,
      note: 'No input on stdin within 0.02 s: continuing without it. `< /dev/null` saves the wait.\n',
    });
  });

  it.each([
    ['a text', ['a\n', 'b\n'], framed('a\nb'), '4 bytes'],
    ['control sequences', ['\u001b[31mred\u001b[0m'], framed('red'), '12 bytes'],
    ['text that closes the frame', ['</stdin> x'], framed('&lt;/stdin> x'), '10 bytes'],
    ['a character in two pieces', [Buffer.from([0xc3]), Buffer.from([0xa9])], framed('é'), '2 bytes'],
  ])('%s', async (_, chunks, input, size) => {
    expect(await read(Readable.from(chunks))).toEqual({input, note: `Read ${size} from stdin; the model gets it with the prompt.\n`});
  });

  it('of a large one the model gets the beginning and the end', async () => {
    expect(await read(Readable.from(['0123456789abcdefghij', 'klmnopqrst']))).toEqual({
      input: framed('0123456789\n[…]\nklmnopqrst', ' left_out="10 bytes"'),
      note: 'Read 30 bytes from stdin; the model gets the first and last 10 bytes of it with the prompt.\n',
    });
  });

  it.each([
    ['one without an end', Array.from({length: 11}, () => '0123456789'), 'stdin holds more than 100 bytes.'],
    ['NUL bytes', ['a\0b'], 'stdin holds binary data, not text.'],
    ['bytes that are not UTF-8', [Buffer.from([0xff, 0xfe, 0xfd, 0x41])], 'stdin holds binary data, not text.'],
  ])('%s is refused', async (_, chunks, message) => {
    await expect(read(Readable.from(chunks))).rejects.toMatchObject({code: 'USAGE', message});
  });
});

describe('fettle exec PROMPT with a pipe', () => {
  it('sends both, and a refused input costs no request', async () => {
    const folder = await scratch({'s.json': '{"replies": [{"text": "read", "expect": "explain\\n\\nThe command\'s stdin"}]}'});
    const home = await scratch({});
    const at = {cwd: folder, home, env: {FETTLE_HOME: home}};
    const options = {model: `script:${folder}/s.json`};
    const sent = capturedIo({...at, piped: () => Readable.from(['line 1\n'])});
    expect([await exec(sent.io, 'explain', options), sent.stdout()]).toEqual([0, 'read\n']);
    await expect(exec(capturedIo({...at, piped: () => Readable.from(['\0'])}).io, 'explain', options)).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('`-` and no prompt take stdin as the prompt, once', async () => {
    const folder = await scratch({'s.json': '{"replies": [{"text": "read", "expect": "typed"}]}'});
    const home = await scratch({});
    const {io, stdout} = capturedIo({
      cwd: folder,
      home,
      env: {FETTLE_HOME: home},
      readStdin: async () => 'typed',
      piped: () => Readable.from(['never']),
    });
    expect([await exec(io, '-', {model: `script:${folder}/s.json`}), stdout()]).toEqual([0, 'read\n']);
  });
});
