import {describe, expect, it} from 'vitest';
import {settleTrustOnScreen} from '../../../../src/hosts/tui/fettle/settle-trust.ts';
import type {TrustQuestion, TrustReply} from '../../../../src/hosts/tui/trust/trust-question.ts';
import {listTrust} from '../../../../src/config/trust/trust-store.ts';
import {loadSettings} from '../../../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../../src/sdk/settings/session-settings.ts';
import {never, place} from './session-support.ts';

async function settled(reply: TrustReply | 'leaves', files: Record<string, string>) {
  const at = await place([], files);
  const session = await at.settings();
  const asked: TrustQuestion[] = [];
  const trust = async (question: TrustQuestion): Promise<TrustReply> => {
    asked.push(question);
    if (reply === 'leaves') throw new DOMException('', 'AbortError');
    return reply;
  };
  const {cwd, env, home, paths} = session;
  const reload = async (given: Parameters<typeof loadSettings>[0]['trust']): Promise<SessionSettings> =>
    await loadSettings({cwd, env, home, trust: given});
  const settings = await settleTrustOnScreen({session, reload, port: {trust}}, never).catch(() => undefined);
  return {trusted: settings?.trusted, stored: (await listTrust(paths.stateDir)).length, asked, cwd};
}

describe('settleTrustOnScreen', () => {
  it.each([
    ['trust', true, 1],
    ['session', true, 0],
    ['ignore', false, 0],
    ['leaves', undefined, 0],
  ] as const)('%s', async (reply, trusted, stored) => {
    const {asked, cwd, ...rest} = await settled(reply, {'AGENTS.md': 'be\u001b[2J kind\n'});
    expect(rest).toEqual({trusted, stored});
    expect(asked).toEqual([
      {
        folder: cwd,
        isChange: false,
        entries: [
          {
            path: 'AGENTS.md',
            does: [
              'instructions AGENTS.md: 12 bytes that go to the model with every request',
              'AGENTS.md: 1 invisible or direction-changing characters in it',
            ],
            after: String.raw`be\u001b[2J kind` + '\n',
          },
        ],
        problems: [],
      },
    ]);
  });

  it('asks nothing where there is nothing to trust', async () => {
    expect((await settled('trust', {'a.txt': 'a'})).asked).toEqual([]);
  });
});
