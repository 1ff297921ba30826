import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../../src/base/errors.ts';
import type {AgentSession} from '../../../../../src/hosts/tui/host-adapter.ts';
import {createPictureRequests} from '../../../../../src/hosts/tui/runner/requests/picture-requests.ts';

type Pictures = Pick<AgentSession, 'pictures' | 'clipboardPicture'>;

function requests(session: Pictures | undefined) {
  const log: unknown[] = [];
  const made = createPictureRequests({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the requests use no more of a session
    session: () => session as AgentSession | undefined,
    dispatch: (action) => log.push(action),
    tell: (thrown) => log.push(String(thrown)),
  });
  return {...made, log};
}

const settled = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));
const refusal = new FettleError({code: 'NOT_FOUND', message: 'The clipboard contains no picture.'});

describe('pictures that the session keeps', () => {
  it.each<[how: string, session: Pictures | undefined, told: readonly unknown[]]>([
    [
      'kept',
      {pictures: async (paths) => paths.map((path) => `kept${path}`), clipboardPicture: async () => 'b.png'},
      [
        {type: 'pictured', pasted: "'/a.png'", references: ['kept/a.png']},
        {type: 'pictured', references: ['b.png']},
      ],
    ],
    ['just a text', {pictures: async () => undefined, clipboardPicture: async () => await Promise.reject(refusal)}, [String(refusal)]],
    [
      'refused',
      {pictures: async () => await Promise.reject(refusal)},
      [String(refusal), expect.stringContaining('does not accept pictures')],
    ],
    ['an agent without pictures', {}, [expect.stringContaining('does not accept pictures')]],
    ['no session yet', undefined, [expect.stringContaining('does not accept pictures')]],
  ])('%s', async (_, session, told) => {
    const {paste, clipboard, log} = requests(session);
    paste("'/a.png'", ['/a.png']);
    await settled();
    clipboard();
    await settled();
    expect(log).toEqual(told);
  });

  it('the clipboard is asked once at a time; closed, nothing more is told', async () => {
    const signals: AbortSignal[] = [];
    const {clipboard, paste, close, log} = requests({
      clipboardPicture: (signal) => {
        signals.push(signal);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(refusal));
        });
      },
      pictures: async () => ['a.png'],
    });
    clipboard();
    clipboard();
    paste('/a.png', ['/a.png']);
    close();
    await settled();
    expect([signals.map(({aborted}) => aborted), log]).toEqual([[true], []]);
  });
});
