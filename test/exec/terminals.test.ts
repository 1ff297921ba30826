import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import {createTerminals, type Terminals} from '../../src/exec/terminals.ts';
import {scratch} from '../support/scratch.ts';

const SLEEP = {command: 'sleep 600', columns: 80, rows: 24};

async function open(): Promise<Terminals> {
  const root = await scratch();
  const terminals = createTerminals(createExecEnvironment({cwd: root, spoolDir: root, env: process.env}));
  onTestFinished(terminals.endAll);
  return terminals;
}

describe('the terminals of a thread', () => {
  it('ten at most; one that is closed or has ended makes room', async () => {
    const terminals = await open();
    const opened = await Promise.all(Array.from({length: 10}, () => terminals.open(SLEEP)));
    const refused = {code: 'LIMIT', message: '10 terminals are open already.', hint: 'Close one that is not needed any more.'};
    await expect(terminals.open(SLEEP)).rejects.toMatchObject(refused);
    await opened[3]?.end();
    const last = await terminals.open({...SLEEP, command: 'echo over'});
    await last.done;
    await terminals.open(SLEEP);
    await expect(terminals.open(SLEEP)).rejects.toMatchObject(refused);
    expect((await last.screen()).lines).toEqual(['over']);
  });

  it('one that cannot be started takes no room', async () => {
    const terminals = await open();
    for (let tries = 0; tries < 11; tries += 1) {
      await expect(terminals.open({...SLEEP, cwd: 'none'})).rejects.toMatchObject({code: 'NOT_FOUND'});
    }
  });

  it('end with the thread, and what they have started', async () => {
    const terminals = await open();
    const opened = await Promise.all([terminals.open(SLEEP), terminals.open({...SLEEP, command: 'trap "" HUP TERM; sleep 600 & wait'})]);
    await terminals.endAll();
    expect(opened.map((terminal) => terminal.ended() !== undefined)).toEqual([true, true]);
  });

  it('see the scrubbed variables', async () => {
    const root = await scratch();
    const exec = createExecEnvironment({cwd: root, spoolDir: root, env: {...process.env, SOME_API_KEY: 'secret-value'}});
    const terminals = createTerminals(exec);
    const terminal = await terminals.open({...SLEEP, command: 'echo "[$SOME_API_KEY] $GIT_PAGER $TERM"'});
    await terminal.done;
    expect((await terminal.screen()).lines).toEqual(['[] cat xterm-256color']);
    await terminals.endAll();
  });
});
