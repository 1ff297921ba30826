import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {configCommands} from '../../../src/hosts/cli/commands/config.ts';
import {screenChoice} from '../../../src/hosts/cli/display-mode.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo} from './captured-io.ts';

async function check(config: string): Promise<string> {
  const root = await scratch({'home/config.toml': config, 'project/x': ''});
  const {io, stdout} = capturedIo({env: {FETTLE_HOME: join(root, 'home')}, home: join(root, 'home'), cwd: join(root, 'project')});
  const told = await configCommands.check(io, {}).then(stdout, ({message}: Error) => message);
  return told.replaceAll(join(root, 'home', 'config.toml'), 'F');
}

describe('config check › terminal.keys', () => {
  it.each([
    ['steer = ["ctrl+enter"]\nhelp = []\nsubmit = ["Return"]', 'F: no errors\n'],
    ['sumbit = ["ctrl+x"]', 'F:2: terminal.keys.sumbit: there is no action "sumbit"; did you mean submit?'],
    ['submit = ["hyper+x"]', 'F:2: terminal.keys.submit: there is no key "hyper+x"; keys are such as ctrl+x, alt+enter, f5'],
    ['submit = ["ctrl+x"]\nsteer = ["ctrl+x", "ctrl+s"]', 'F:3: terminal.keys.steer: ctrl+x does submit already; give steer another key'],
    ['help = ["tab"]', 'terminal.keys.complete: no key is left; name one, or an empty list'],
  ])('%j', async (keys, wanted) => {
    expect(await check(`[terminal.keys]\n${keys}`)).toBe(wanted);
  });
});

describe('how a session is shown', () => {
  it.each([
    [{}, 'xterm', true, 'auto'],
    [{surface: 'alternate'}, 'xterm', true, 'alternate'],
    [{surface: 'auto'}, 'xterm', true, 'auto'],
    [{surface: 'inline'}, 'dumb', true, 'lines'],
    [{surface: 'inline'}, 'xterm', false, 'lines'],
    [{surface: 'inline', screenReader: true}, 'xterm', true, 'lines'],
  ] as const)('%j with TERM=%s, terminal: %j: %s', (options, term, isTerminal, wanted) => {
    expect(screenChoice(options, {env: {TERM: term}}, isTerminal)).toBe(wanted);
  });
});
