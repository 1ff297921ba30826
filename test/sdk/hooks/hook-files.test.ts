import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings, type SettingsRequest} from '../../../src/sdk/settings/load-settings.ts';
import {sessionHooks} from '../../../src/sdk/hooks/open-hooks.ts';
import {readHookFiles} from '../../../src/sdk/hooks/read-hook-files.ts';
import {storeTrust} from '../../../src/sdk/trust/trust-project.ts';
import {scratch} from '../../support/scratch.ts';
import {call, DONE, runHooked, theirs, told} from './run-hooked.ts';

const request = (root: string, trust?: SettingsRequest['trust']): SettingsRequest => ({
  cwd: join(root, 'work'),
  home: join(root, 'home'),
  env: {FETTLE_HOME: join(root, 'fettle')},
  trust,
});
const outcome = async (root: string, trust?: SettingsRequest['trust']) => {
  const session = await loadSettings(request(root, trust));
  const found = await readHookFiles(session).catch((error: Error) => ({
    hooks: [],
    notices: error.message.replaceAll(root, '').split('\n'),
  }));
  return {
    hooks: found.hooks.map(({event, command, from}) => [event, command, from]),
    notices: found.notices.map((n) => n.replaceAll(root, '')),
  };
};

const FILES = {
  'work/.fettle/hooks.json': theirs('Stop', 'project json'),
  'work/.fettle/hooks.toml': '[[stop]]\ncommand = "project toml"\n',
  'fettle/config.toml': '[[hooks.Stop]]\ncommand = "own toml"\n',
  'fettle/hooks.json': theirs('Stop', 'own json'),
  'home/x': '',
};

describe('readHookFiles', () => {
  it('one’s own come first; those of a project only where it is trusted (CVE-2025-59536, CVE-2026-48124)', async () => {
    const own = [
      ['stop', 'own toml', 'user'],
      ['stop', 'own json', 'user'],
    ];
    const project = [
      ['stop', 'project json', 'project'],
      ['stop', 'project toml', 'project'],
    ];
    const root = await scratch(FILES);
    expect([await outcome(root), await outcome(root, 'here')]).toEqual([
      {hooks: own, notices: []},
      {hooks: [...own, ...project], notices: []},
    ]);
  });

  it('what is used is what was trusted, whatever lies there by then', async () => {
    const root = await scratch(FILES);
    const shown = await loadSettings(request(root));
    await writeFile(join(root, 'work/.fettle/hooks.json'), theirs('Stop', 'swapped'));
    expect((await outcome(root, shown.trust)).hooks[2]).toEqual(['stop', 'project json', 'project']);
    await storeTrust(shown.trust, shown.paths);
    expect((await outcome(root)).hooks.length).toBe(2);
  });

  it('settings of a project may not bring hooks along', async () => {
    const root = await scratch({'work/.fettle/config.toml': '[[hooks.stop]]\ncommand = "x"\n', 'home/x': ''});
    const session = await loadSettings(request(root, 'here'));
    expect([session.settings.hooks, session.notices.map((notice) => notice.replaceAll(root, ''))]).toEqual([
      {},
      ['/work/.fettle/config.toml:1: hooks.stop: not applied: hooks of a project belong in .fettle/hooks.toml or .fettle/hooks.json'],
    ]);
  });

  it('mistakes stop the session before it begins, each with its file', async () => {
    const root = await scratch({
      'work/.fettle/hooks.json': '{"hooks": {"PreToolUse": [{"matcher": "(", "hooks": []}]}}',
      'work/.fettle/hooks.toml': 'not toml',
      'fettle/hooks.json': 'not json',
      'fettle/config.toml': '[[hooks.post_tool_batch]]\ncommand = "x"\n',
      'home/x': '',
    });
    expect(await outcome(root, 'here')).toEqual({
      hooks: [],
      notices: [
        '/fettle/hooks.json: the hooks must be a table: event → list',
        '/work/.fettle/hooks.json: PreToolUse[0].matcher: is neither a name nor a regular expression',
        '/work/.fettle/hooks.toml: the hooks must be a table: event → list',
      ],
    });
  });

  it('events that there are not are said', async () => {
    const root = await scratch({'fettle/config.toml': '[[hooks.post_tool_batch]]\ncommand = "x"\n', 'home/x': '', 'work/x': ''});
    expect((await outcome(root)).notices).toEqual(['/fettle/config.toml: post_tool_batch: not run: there is no such event here']);
  });

  it('without any of them nothing is loaded', async () => {
    const root = await scratch({'work/x': '', 'home/x': ''});
    const {notices, start} = await sessionHooks(await loadSettings(request(root)));
    expect([notices, start({} as never).stages, start({} as never).plugin]).toEqual([[], {}, {name: 'hooks'}]);
  });
});

describe('the scripts that hooks of a project name', () => {
  const hooks = {
    '.fettle/hooks.json': theirs('PreToolUse', '"$CLAUDE_PROJECT_DIR"/scripts/guard.sh', 'Write'),
    'scripts/guard.sh': 'exit 0\n',
  };

  it('are trusted with them, and denied when the model has changed them (CVE-2025-54136)', async () => {
    const run = await runHooked({
      script: [call('bash', {command: 'echo "touch stolen" > scripts/guard.sh'}), call('write', {path: 'b.txt', content: ''}), DONE],
      files: hooks,
      trust: 'here',
    });
    expect(run.results[1]).toBe(
      'Error: Denied by a hook: it could not be run: scripts/guard.sh changed since it was trusted; `fettle trust` shows it\nFind another way, or say what you need.',
    );
  });

  it('the same for a hook that guards nothing: it is not run, and that is said', async () => {
    const run = await runHooked({
      script: [call('bash', {command: 'echo "touch stolen" > scripts/guard.sh'}), DONE],
      files: {...hooks, '.fettle/hooks.json': theirs('Stop', 'sh scripts/guard.sh')},
      trust: 'here',
    });
    expect(told(run)).toEqual([
      'Stop hook (sh scripts/guard.sh): it could not be run: scripts/guard.sh changed since it was trusted; `fettle trust` shows it',
    ]);
  });

  it('an untrusted project has no hooks', async () => {
    const run = await runHooked({
      script: [call('write', {path: 'b.txt', content: ''}), DONE],
      files: {...hooks, 'scripts/guard.sh': 'exit 2\n'},
    });
    expect(run.results).toEqual(['Created b.txt (0 bytes).']);
  });
});
