import {describe, expect, it} from 'vitest';
import {newestChild, realScreen} from './screen-support.ts';
import {modelServer, place, type Place} from './support.ts';

const BASH = {toolCalls: [{name: 'bash', arguments: {command: 'touch made.txt'}}]};
/** What is written when the terminal is given back (test/e2e/terminal-modes.test.ts has the order). */
const RESTORED = '\x1b[?2004l';

async function opened(script: Parameters<typeof modelServer>[0]): Promise<Place> {
  const {config} = await modelServer(script);
  return await place({'a.txt': 'a\n'}, config);
}

describe('the screen in a real terminal', () => {
  it('streams an answer, and leaves with Ctrl-D and the way to resume; a resumed session shows the conversation again', async () => {
    const at = await opened([{text: 'Hello **there**, friend.', chunkBytes: 3}, {text: 'Again.'}]);
    const first = realScreen(at);
    await first.shows('Type a task');
    first.type('say hello\r');
    await first.shows('Hello there, friend.');
    await first.shows('model-1');
    first.type('\x04');
    expect(await first.ended).toBe(0);
    const [, id = ''] = /--resume (\S+)/.exec(first.screen()) ?? [];
    expect([id === '', first.bytes().includes(RESTORED)]).toEqual([false, true]);

    const second = realScreen(at, {args: ['--resume', id]});
    await second.shows('› say hello');
    await second.shows('Hello there, friend.');
    second.type('\x04');
    expect(await second.ended).toBe(0);
  });

  it('a call is allowed by a key, once the question has stood there', async () => {
    const screen = realScreen(await opened([BASH, {text: 'It is made.'}]));
    await screen.shows('Type a task');
    screen.type('make it\r');
    await screen.shows('Yes, once');
    // A key that comes too soon is no answer to the question: it is pressed until it is one.
    await expect
      .poll(
        () => {
          if (/Yes, once/.test(screen.screen())) screen.type('y');
          return screen.screen();
        },
        {interval: 600, timeout: 20_000},
      )
      .toMatch('It is made.');
    screen.type('\x15\x04');
    expect(await screen.ended).toBe(0);
  });

  it('Ctrl-C cancels what runs, a second one leaves; the terminal is as it was', async () => {
    const at = await opened([{text: 'never', stallAfter: 0}]);
    const line = 'before=$(stty -g); $FETTLE; echo "code=$?"; [ "$before" = "$(stty -g)" ] && echo same modes';
    const screen = realScreen(at, {line});
    await screen.shows('Type a task');
    screen.type('wait\r');
    await screen.shows('Working');
    screen.type('\x03');
    await screen.shows(/ancel/);
    screen.type('\x03\x03');
    await screen.shows('same modes');
    expect(screen.bytes()).toContain(RESTORED);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s gives the terminal back, and the next start of the folder the line', async (signal) => {
    const at = await opened([{text: 'never'}]);
    const screen = realScreen(at);
    await screen.shows('Type a task');
    screen.type('half a thou');
    await screen.shows('half a thou');
    process.kill(newestChild(screen.pid), signal);
    await screen.ended;
    expect(screen.bytes()).toContain(RESTORED);

    const next = realScreen(at);
    await next.shows('› half a thou');
    next.type('\x15\x04');
    expect(await next.ended).toBe(0);
    const last = realScreen(at);
    await last.shows('Type a task');
    last.type('\x04');
    expect([await last.ended, last.bytes().includes('half a thou')]).toEqual([0, false]);
  });

  it.each([
    ['dark', true],
    ['none', false],
  ])('begins in the theme of the settings: %s', async (theme, hasColours) => {
    const {config} = await modelServer([{text: 'never'}]);
    const screen = realScreen(await place({}, `${config}[terminal]\ntheme = "${theme}"\n`));
    await screen.shows('Type a task');
    screen.type('\x04');
    await screen.ended;
    // oxlint-disable-next-line no-control-regex -- the colours of the palette
    expect(/\x1b\[(?:\d+;)*(?:3|9)[0-7]m/.test(screen.bytes())).toBe(hasColours);
  });

  it('after kill -9 the next start restores the modes', async () => {
    const at = await opened([{text: 'never'}]);
    const line = '$FETTLE; echo "code=$?"; stty sane; exec $FETTLE';
    const screen = realScreen(at, {line});
    await screen.shows('Type a task');
    process.kill(newestChild(screen.pid), 'SIGKILL');
    await screen.shows('code=137');
    await expect.poll(() => screen.bytes().split('code=137')[1], {timeout: 20_000}).toContain(RESTORED);
    await expect.poll(() => screen.bytes().split('code=137')[1], {timeout: 20_000}).toContain('Type a task');
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
  });

  it.each([
    ['a dumb terminal', {env: {TERM: 'dumb'}}],
    ['--screen-reader', {args: ['--screen-reader']}],
    ['a pipe', {line: '$FETTLE </dev/null | cat'}],
  ])('%s has the line mode: nothing is drawn', async (_, options) => {
    const screen = realScreen(await opened([{text: 'Hello.'}]), options);
    if (!('line' in options)) {
      await screen.shows(/\S/);
      screen.type('hi\r');
      await screen.shows('Hello.');
      screen.type('\x04');
    }
    await screen.ended;
    // oxlint-disable-next-line no-control-regex -- moves between rows, the screen emptied, the modes of a screen, box drawing
    expect(screen.bytes()).not.toMatch(/\x1b\[\d*[ABHLM]|\x1b\[[23]J|\x1b\[\?(?:2026|1004|1049|25)|[\u2500-\u257f]/);
  });
});
