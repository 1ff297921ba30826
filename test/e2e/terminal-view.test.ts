import {describe, expect, it} from 'vitest';
import {realScreen, type RealScreen} from './screen-support.ts';
import {modelServer, place} from './support.ts';

const start = (command: string, waitMs = 20_000) => ({
  toolCalls: [{name: 'start_command', arguments: {command, pty: true, wait_ms: waitMs}}],
});
const LINES = Array.from({length: 200}, (_, at) => `line ${at + 1} of the file`).join('\n');

async function opened(script: Parameters<typeof modelServer>[0]): Promise<RealScreen & {requests(): string}> {
  const server = await modelServer(script);
  const at = await place({'big.txt': LINES, 'hostile.sh': HOSTILE, 'shell.sh': 'exec bash --norc --noprofile\n'}, server.config);
  const screen = realScreen(at, {args: ['--mode', 'full-auto', '--sandbox', 'off']});
  await screen.shows('Type a task');
  return {...screen, requests: () => JSON.stringify(server.requests.map(({body}) => body))};
}

/** Titles, the clipboard, the alternate screen, questions, mouse, a reset, and text that only looks like something else. */
const HOSTILE = String.raw`printf '\033]0;EVIL-TITLE\007\033]52;c;RVZJTA==\007\033[?1049h\033[?1003h\033[c\033[6n\033P$q"p\033\\'
printf '\033[2J\033[H\033[41mred\033[0m \342\200\256txet' ; printf '\033]8;;http://evil.example\007link\033]8;;\007'
while :; do printf '\033[3;1Hround %s ' $((n=n+1)); sleep 0.1; done`;

describe.runIf(process.platform === 'linux')('the terminal of an interactive command, live', () => {
  it('its screen is below the call while it changes, with its colours; then it goes on, is followed, typed into and ended', async () => {
    const ticks =
      'for i in $(seq 30); do printf "\\e[H\\e[32mtick $i\\e[0m "; sleep 0.1; done; printf "\\r\\nname? "; read -r n; echo "hello $n"; cat';
    const screen = await opened([start(ticks, 1500), {text: 'It is started.'}, {text: 'I see.'}]);
    screen.type('start it\r');
    await screen.shows(/│ tick \d+/);
    await screen.shows('It is started.');
    await screen.shows('▸ t1 for i in');
    screen.type('/ps\r');
    await screen.shows('Commands');
    screen.type('\r');
    await screen.shows('i types into it');
    await screen.shows('name?');
    screen.type('i');
    await screen.shows('YOU TYPE INTO IT');
    screen.type('Ada\r');
    await screen.shows('hello Ada');
    screen.type('\x1d');
    await screen.shows('x ends it');
    screen.type('x');
    await screen.shows('End it, with');
    screen.type('y');
    await screen.shows('was ended');
    screen.type('\x1b');
    await screen.shows('It is started.');
    screen.type('what happened?\r');
    await screen.shows('I see.');
    expect(screen.requests()).toContain('the user typed 4 keys into it; the user ended it');
    // Green reaches the terminal as green, and nothing is obeyed.
    expect(screen.bytes()).toContain('\x1b[32mtick');
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
  });

  it.each<[name: string, command: string, steps: readonly (readonly [keys: string, shows: string | RegExp])[]]>([
    [
      'less',
      'less big.txt',
      [
        ['', 'line 29 of the file'],
        ['/line 150\r', 'line 170 of the file'],
        ['q', 'ended, exit code 0'],
      ],
    ],
    [
      'vi',
      'vi -u NONE -N big.txt',
      [
        ['', 'line 1 of the file'],
        ['ihello \x1b', 'hello line 1 of the file'],
        ['\x1b[B\x1b[Bdd:q!\r', 'ended, exit code 0'],
      ],
    ],
    [
      'the REPL of node',
      `"${process.execPath}"`,
      [
        ['', /^>/m],
        ['6 * 7\r', /^42$/m],
        ['\x1b[A\r\x04', 'ended, exit code 0'],
      ],
    ],
    [
      'bash',
      'bash shell.sh',
      [
        ['', 'bash'],
        ['\x1b[200~echo $((40 + 2))\x1b[201~\r', /^42$/m],
        ['exit 3\r', 'ended, exit code 3'],
      ],
    ],
  ])('%s is seen and typed into', async (_, command, steps) => {
    const screen = await opened([start(command, 0), {text: 'It is started.'}]);
    screen.type('start it\r');
    await screen.shows('It is started.');
    screen.type('/ps t1\r');
    await screen.shows('i types into it');
    screen.type('i');
    await screen.shows('YOU TYPE INTO IT');
    for (const [keys, shows] of steps) {
      if (keys !== '') screen.type(keys);
      await screen.shows(shows);
    }
    await screen.shows('Esc leaves');
    screen.type('\x1b');
    await screen.shows('It is started.');
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
  });

  it('a hostile program: only its cells reach the terminal', async () => {
    const screen = await opened([start('bash hostile.sh', 1500), {text: 'It is started.'}]);
    screen.type('start it\r');
    await screen.shows(/│ round \d+/);
    await screen.shows('It is started.');
    screen.type('/ps t1\r');
    await screen.shows(/^round \d+/m);
    await screen.shows(/^red.txetlink/m);
    screen.type('x');
    await screen.shows('End it, with');
    screen.type('y');
    await screen.shows('was ended');
    screen.type('\x1b');
    await screen.shows('It is started.');
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
    const bytes = screen.bytes();
    const autoloaded = ['EVIL-TITLE\x07', '\x1b]52', '\x1b]8;', '\x1b[?1003h', '\x1bP', 'evil.example', '\u202e', '\x1b[2J'];
    expect(autoloaded.filter((one) => bytes.includes(one))).toEqual([]);
  });

  it('a resize while it shows, inline and in full', async () => {
    const screen = await opened([start('for i in $(seq 50); do printf "\\e[Htick $i "; sleep 0.1; done; cat', 20_000), {text: 'Done.'}]);
    screen.type('start it\r');
    await screen.shows(/│ tick \d/);
    screen.resize(40, 10);
    await screen.shows(/│ tick [12]\d/);
    screen.type('/ps t1\r');
    await screen.shows(/Esc leaves/);
    screen.resize(120, 40);
    await screen.shows(/^tick [2-5]\d[^]*^t1 for i in .*runs for/m);
    screen.type('\x1b');
    await screen.shows('Done.');
    screen.type('\x04');
    expect(await screen.ended).toBe(0);
  });
});
