import {existsSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../../../../support/scratch.ts';
import {call, fakeScreen, lastSent, never, opened, place} from '../session-support.ts';
import {PICTURES} from './picture-files.ts';

async function picture(): Promise<string> {
  const path = join(await scratch({}), 'shot.png');
  writeFileSync(path, PICTURES.png);
  return path;
}

describe('pictures of a session', () => {
  it('go with a session that was never used', async () => {
    const at = await place([]);
    const session = await opened({settings: await at.settings(), port: fakeScreen()});
    const [kept = ''] = (await session.pictures?.([await picture()], never)) ?? [];
    expect([existsSync(kept), kept.includes(session.info.sessionId ?? 'none')]).toEqual([true, true]);
    await session.close();
    expect(existsSync(dirname(kept))).toBe(false);
  });

  it('lie where the tools of the session reach them without a question', async () => {
    const asked = {path: ''};
    const at = await place([() => call('read', {path: asked.path}), {text: 'Done.'}]);
    const port = fakeScreen();
    const session = await opened({settings: await at.settings({'--mode': 'ask'}), port});
    [asked.path = ''] = (await session.pictures?.([await picture()], never)) ?? [];
    await session.submit(`See @"${asked.path}"`, never);
    const told = lastSent(at.server).map((line) => line.replaceAll(asked.path, 'PICTURE'));
    expect([port.questions, told]).toMatchInlineSnapshot(`
      [
        [],
        [
          "user: See @"PICTURE"",
          "assistant: null",
          "tool: Error: PICTURE: The file is not text: it holds NUL bytes.
      Use a command that understands the format (file, xxd, strings …).",
        ],
      ]
    `);
  });
});
