import {describe, expect, it} from 'vitest';
import {createTerminalNotices} from '../../../../src/hosts/tui/terminal/terminal-notices.ts';

function notices(env: Readonly<Record<string, string | undefined>>) {
  const written: string[] = [];
  const {notify, setFocused} = createTerminalNotices({env, write: (text) => void written.push(text)});
  return {written, setFocused, ring: (text: string) => notify({kind: 'question', text})};
}

describe('notices of the terminal', () => {
  it('ring only while the terminal has said that nobody looks at it', () => {
    const {written, setFocused, ring} = notices({TERM: 'xterm'});
    ring('before it tells anything');
    setFocused(false);
    ring('away');
    setFocused(true);
    ring('back');
    expect(written).toEqual(['\x07']);
  });

  it.each([
    [{TERM_PROGRAM: 'iTerm.app'}, '\x1b]9;May bash do this?\x1b\\'],
    [{TERM: 'xterm-kitty'}, '\x1b]9;May bash do this?\x1b\\'],
    [{TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x'}, '\x07'],
  ])('%j: what a model wrote cannot end the sequence', (env, expected) => {
    const {written, setFocused, ring} = notices(env);
    setFocused(false);
    ring('May bash\ndo this?\x1b]52;c;x\x07');
    expect(written).toEqual([expected]);
  });
});
