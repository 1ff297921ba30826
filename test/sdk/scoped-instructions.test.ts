import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createHistory} from '../../src/sessions/history.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {loadSettings} from '../../src/sdk/settings/load-settings.ts';
import {addScopedInstructions, sessionInstructions} from '../../src/sdk/settings/open-instructions.ts';
import type {SessionSettings} from '../../src/sdk/settings/session-settings.ts';
import {scratch} from '../support/scratch.ts';

const FILES = {
  'work/.git/HEAD': '',
  'work/sub/AGENTS.md': 'of sub\n@part.md',
  'work/sub/part.md': 'part',
  'work/sub/x.ts': '',
  'home/x': '',
};

async function session(root: string, trust?: 'here'): Promise<SessionSettings> {
  return await loadSettings({cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'fettle')}, trust});
}

async function given(of: SessionSettings, files: readonly string[]): Promise<string[]> {
  const history = createHistory();
  const items: string[] = [];
  const emit = (event: ThreadEvent): void => {
    history.apply(event);
    one.observe(event);
    if (event.type !== 'item.completed') return;
    if (event.item.type === 'user_message') items.push(event.item.text);
    if (event.item.type === 'harness') items.push(`${event.item.event}: ${event.item.message}`);
  };
  const one = addScopedInstructions({session: of, instructions: await sessionInstructions(of), emit, history: () => history});
  const subject = (path: string) => ({kind: 'path', path: join(of.cwd, path), relative: path, inside: true, write: false}) as const;
  one.touch(files.map(subject));
  await one.flush('t');
  return items;
}

describe('addScopedInstructions', () => {
  it('of a project that a caller vouches for: what lay there when the session began, not what came later (CVE-2025-53773: an agent instructs itself)', async () => {
    const root = await scratch(FILES);
    const of = await session(root, 'here');
    await writeFile(join(root, 'work/sub/AGENTS.md'), 'evil');
    await writeFile(join(root, 'work/sub/part.md'), 'evil');
    expect(await given(of, ['sub/x.ts'])).toEqual([
      'Instructions of this project for sub/, from sub/AGENTS.md:\n<instructions>\nof sub\n@part.md\n[from sub/part.md]\npart\n[end of sub/part.md]\n</instructions>',
    ]);
  });

  it('a file that an agent writes as AGENTS.md is not followed', async () => {
    const root = await scratch({...FILES, 'work/new/y.ts': ''});
    const of = await session(root, 'here');
    await writeFile(join(root, 'work/new/AGENTS.md'), 'evil');
    expect(await given(of, ['new/y.ts'])).toEqual([
      'instructions_not_used: new/AGENTS.md: not used: nobody trusts it as it is; `fettle trust` shows it and asks',
    ]);
  });

  it('an empty file says nothing, and nothing is said of it: the sandbox of another session holds such a place', async () => {
    const root = await scratch({...FILES, 'work/new/y.ts': ''});
    const of = await session(root, 'here');
    await writeFile(join(root, 'work/new/AGENTS.md'), '');
    expect(await given(of, ['new/y.ts'])).toEqual([]);
  });

  it('a folder that is listed is not worked in; a file that is gone by now was', async () => {
    const of = await session(await scratch(FILES), 'here');
    expect([(await given(of, ['sub'])).length, (await given(of, ['sub/gone.ts'])).length]).toEqual([0, 1]);
  });

  it('nothing is loaded or asked for where nothing was touched', async () => {
    const of = await session(await scratch(FILES));
    expect([await given(of, []), await sessionInstructions(of)]).toEqual([[], {always: [], byPath: [], cuts: [], notices: []}]);
  });
});
