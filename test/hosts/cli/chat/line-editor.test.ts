import {PassThrough} from 'node:stream';
import {onTestFinished} from 'vitest';
import {describe, expect, it} from 'vitest';
import {createLineEditor} from '../../../../src/hosts/cli/chat/line-editor.ts';

function open() {
  const input = new PassThrough();
  const output = new PassThrough({encoding: 'utf8'});
  output.resume();
  const seen: unknown[] = [];
  const editor = createLineEditor({
    input,
    output,
    onInterrupt: (line) => seen.push(line),
    onTypedAhead: (line) => seen.push(line),
  });
  onTestFinished(() => editor.close());
  const press = async (keys: string | Buffer): Promise<void> => {
    input.write(keys);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {editor, input, seen, press};
}

const never = new AbortController().signal;

describe('the line editor', () => {
  it('gives the line typed, then undefined at the end of the input', async () => {
    const {editor, input, press} = open();
    const first = editor.nextPrompt();
    await press('资料 ok\r');
    const second = editor.nextPrompt();
    input.end();
    expect([await first, await second]).toEqual(['资料 ok', undefined]);
  });

  it('keeps what is typed while nothing is asked, in order, and can forget it', async () => {
    const {editor, seen, press} = open();
    await press('one\r\rtwo\r');
    expect(seen).toEqual(['one', 'two']);
    expect(await editor.nextPrompt()).toBe('one');
    expect(editor.forgetTypedAhead()).toBe(1);
    const asked = editor.nextPrompt();
    await press('three\r');
    expect(await asked).toBe('three');
  });

  it('a prompt that is cancelled for a due task keeps what was typed, and the cursor goes on behind it', async () => {
    const {editor, seen, press} = open();
    const due = new AbortController();
    const cancelled = editor.nextPrompt({signal: due.signal}).catch((error: unknown) => error);
    await press('half a');
    due.abort();
    expect(await cancelled).toMatchObject({name: 'AbortError'});
    await press(' line,');
    const next = editor.nextPrompt();
    await press(' and the rest\r');
    expect([await next, seen]).toEqual(['half a line, and the rest', []]);
  });

  it('a line typed ahead comes before a task that is due', async () => {
    const {editor, press} = open();
    await press('typed ahead\r');
    expect(await editor.nextPrompt({signal: AbortSignal.abort()})).toBe('typed ahead');
    await expect(editor.nextPrompt({signal: AbortSignal.abort()})).rejects.toMatchObject({name: 'AbortError'});
  });

  it('never answers a question with what was typed before it', async () => {
    const {editor, press} = open();
    await press('y\r');
    const answer = editor.question('May it? ', {signal: never});
    await press('n\r');
    expect(await answer).toBe('n');
    expect(await editor.nextPrompt()).toBe('y');
  });

  it('a paste is one line with its line feeds, however the bytes are cut, and presses no keys', async () => {
    const {editor, seen, press} = open();
    const asked = editor.nextPrompt();
    // A mark is never cut behind its escape: that alone is the key.
    await press('\x1b[');
    for (const byte of Buffer.from('200~one\r\n  zwei ü\rthree\x03\x04\tfour\n\x1b[201~!')) await press(Buffer.of(byte));
    await press('\r');
    expect(await asked).toBe('one\n  zwei ü\nthree\tfour\n!');
    expect(seen).toEqual([]);
  });

  it('Ctrl-C empties the line and is reported', async () => {
    const {editor, seen, press} = open();
    const asked = editor.nextPrompt();
    await press('half a li\x1b[D\x03');
    await press('\x03');
    await press('whole\r');
    expect(await asked).toBe('whole');
    expect(seen).toEqual([{wasEmpty: false}, {wasEmpty: true}]);
  });

  it('a question ends with its signal; answers do not stay in the history', async () => {
    const {editor, press} = open();
    const cancel = new AbortController();
    const answer = editor.question('May it? ', {signal: cancel.signal});
    cancel.abort();
    await expect(answer).rejects.toThrow('Nobody answers.');
    const prompt = editor.nextPrompt();
    await press('the task\r');
    await prompt;
    const second = editor.question('May it? ', {signal: never});
    await press('y\r');
    await second;
    const again = editor.nextPrompt();
    await press('\x1b[A\r');
    expect(await again).toBe('the task');
  });

  it('a question at the end of the input is not answered', async () => {
    const {editor, input} = open();
    const answer = editor.question('May it? ', {signal: never});
    input.end();
    await expect(answer).rejects.toThrow('Nobody answers.');
    await expect(editor.question('Again? ', {signal: never})).rejects.toThrow('Nobody answers.');
  });
});
