// Opens the modes of a terminal as a session does, for terminal-modes.test.ts: `z` suspends, `q` leaves, `x` exits without leaving.
import {listenToSignals} from '../../src/hosts/tui/terminal/signals.ts';
import {createTerminalInput} from '../../src/hosts/tui/terminal/terminal-input.ts';
import {createTerminalModes} from '../../src/hosts/tui/terminal/terminal-modes.ts';

const say = (text: string): void => void process.stdout.write(`${text}\r\n`);
const modes = createTerminalModes(
  {input: process.stdin, output: process.stdout},
  {enabled: true, reportEventTypes: false, reportAlternateKeys: true},
);
const leave = (): void => {
  input.pause();
  signals.dispose();
  modes.leave();
};
const signals = listenToSignals({
  onEnd: (signal) => {
    leave();
    say(`ended by ${signal}`);
  },
  onResize: () => say('resized'),
  onSuspend: () => {
    input.pause();
    modes.leave();
  },
  onContinue: () => {
    modes.enter();
    input.resume();
    say('continued');
  },
});
const input = createTerminalInput({
  input: process.stdin,
  hasKittyKeys: () => modes.hasKittyKeys,
  onEnd: leave,
  onEvent: (event) => {
    if (event.type === 'reply') modes.onReply(event.reply);
    if (event.type !== 'key') return;
    if (event.name === 'z') signals.suspend();
    if (event.name === 'q') leave();
    if (event.name === 'x') process.exit(3);
  },
});
modes.enter();
modes.enter();
input.resume();
say(`ready ${process.pid}.`);
