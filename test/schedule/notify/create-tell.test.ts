import {chmodSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createTell} from '../../../src/schedule/notify/create-tell.ts';
import {desktopCommand} from '../../../src/schedule/notify/desktop-command.ts';
import type {RunRecord} from '../../../src/schedule/store/run-record.ts';
import {scratch} from '../../support/scratch.ts';

const run: RunRecord = {id: 7, job: 'nightly', due: 1, trigger: 'due', status: 'done', exitCode: 0};
const notification = {title: 'Fettle: nightly', text: 'done: $(touch x) "quoted"; all', job: 'nightly', run};
const none = new AbortController().signal;
const env = {PATH: process.env['PATH']};

describe('a command of the person', () => {
  it('gets title and text as its last arguments, as they are, and the run on stdin', async () => {
    const root = await scratch();
    const script = `printf '%s\\n' "$@" > ${root}/args; cat > ${root}/run`;
    await createTell({command: ['/bin/sh', '-c', script, 'sh', 'topic'], env})(notification, none);
    expect(readFileSync(join(root, 'args'), 'utf8')).toBe('topic\nFettle: nightly\ndone: $(touch x) "quoted"; all\n');
    expect(JSON.parse(readFileSync(join(root, 'run'), 'utf8'))).toEqual(run);
  });

  it('need not read the run', async () => {
    await createTell({command: ['/bin/true'], env})(notification, none);
  });

  it('that fails, is missing, or takes too long is named', async () => {
    const tell = async (command: readonly string[]): Promise<void> => await createTell({command, env})(notification, none);
    const failure = (message: string): unknown =>
      expect.objectContaining({code: 'UNAVAILABLE', message, hint: 'See `notify` below [schedule] in config.toml.'});
    await expect(tell(['/bin/sh', '-c', 'exit 3'])).rejects.toEqual(failure('/bin/sh ended with exit code 3.'));
    await expect(tell(['/bin/sh', '-c', 'kill -9 $$'])).rejects.toEqual(failure('/bin/sh was ended by SIGKILL.'));
    await expect(tell(['/not/there'])).rejects.toEqual(failure('/not/there cannot be started (ENOENT).'));
    const clock = {
      now: () => 0,
      after(ms: number, act: () => void) {
        expect(ms).toBe(10_000);
        setImmediate(act);
        return () => undefined;
      },
    };
    const slow = createTell({command: ['/bin/sleep', '300'], env, clock})(notification, none);
    await expect(slow).rejects.toEqual(failure('/bin/sleep took more than 10 seconds.'));
    await expect(createTell({command: ['/bin/sleep', '300'], env})(notification, AbortSignal.abort())).rejects.toEqual(
      failure('/bin/sleep was cancelled.'),
    );
  });
});

describe('the desktop', () => {
  const has = (): boolean => true;
  const text = {title: 'Fettle: nightly', text: 'done: <b>a</b> & b'};

  it('is used where there is one: text is neither markup nor script', () => {
    expect(desktopCommand(text, {env: {DISPLAY: ':0'}, platform: 'linux', has})).toEqual([
      'notify-send',
      '--app-name=Fettle',
      '--',
      'Fettle: nightly',
      'done: &lt;b&gt;a&lt;/b&gt; &amp; b',
    ]);
    expect(desktopCommand(text, {env: {}, platform: 'darwin', has})).toEqual([
      'osascript',
      '-e',
      'on run argv',
      '-e',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      '-e',
      'end run',
      'Fettle: nightly',
      'done: <b>a</b> & b',
    ]);
    expect(desktopCommand(text, {env: {DISPLAY: ''}, platform: 'linux', has})).toBe(undefined);
    expect(desktopCommand(text, {env: {DISPLAY: ':0'}, platform: 'linux', has: () => false})).toBe(undefined);
  });

  it('is found in PATH; without one and without a command it is said how to be notified', async () => {
    const root = await scratch({'bin/notify-send': `#!/bin/sh\necho "$3" > "$(dirname "$0")/shown"\n`});
    chmodSync(join(root, 'bin/notify-send'), 0o755);
    const desktop = {PATH: `${root}/bin:${process.env['PATH'] ?? ''}`, DISPLAY: ':0'};
    await createTell({env: desktop, platform: 'linux'})(notification, none);
    expect(existsSync(join(root, 'bin/shown'))).toBe(true);
    await expect(createTell({env, platform: 'linux'})(notification, none)).rejects.toEqual(
      expect.objectContaining({
        message: 'There is no desktop to notify on.',
        hint: 'Set a command of your own in config.toml: [schedule] notify = ["ntfy", "publish", "my-topic"]',
      }),
    );
  });
});
