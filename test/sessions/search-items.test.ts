import {describe, expect, it, onTestFinished} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {searchItems} from '../../src/sessions/search-items.ts';
import {createSession} from '../../src/sessions/session-store.ts';
import {scratch} from '../support/scratch.ts';

type Item = Extract<ThreadEvent, {type: 'item.completed'}>['item'];

/** A log with these items, numbered from 1. */
async function logOf(items: readonly Item[]): Promise<string> {
  const session = await createSession({stateDir: await scratch(), threadId: 'thr_1'});
  onTestFinished(() => session.log.close());
  for (const item of items) session.log.append({type: 'item.completed', turn_id: 't', item});
  return session.file;
}

function person(text: string): Item {
  return {id: 'u', type: 'user_message', text};
}

/** A call and its result: two items. */
function called(id: string, name: string, args: object, output: string): Item[] {
  const base = {request_id: 'r', tool_call_id: id, tool_name: name, status: 'completed'} as const;
  return [
    {...base, id, type: 'tool_invocation', arguments: JSON.stringify(args)},
    {...base, id: `${id}:output`, type: 'tool_output', call_id: id, output, is_error: false},
  ];
}

const ITEMS: readonly Item[] = [
  person('Never deploy on Fridays.'),
  ...called('c1', 'read', {path: 'docs/mail.md'}, '1\tThe mailer retries 17 times.\n2\tIt writes to the outbox.'),
  ...called('c2', 'bash', {command: 'npm test'}, 'retryLimit is 17\nok'),
  ...called(
    'c3',
    'read',
    {path: 'docs/port.md'},
    `${'filler of the page\n'.repeat(80)}The gateway listens on port 7431.\n${'more filler\n'.repeat(80)}`,
  ),
  ...called('c4', 'recall', {query: 'gateway port'}, 'The gateway listens on port 7431.'),
  ...called('c5', 'read', {path: 'ja.md'}, '請求サービスのポートは7431です。'),
];

describe('issue 7, part 1 › recall searches', () => {
  it.each([
    ['a word in another form', {query: 'On which port does the gateway listen?'}, [7, 'port 7431']],
    ['a part of a name', {query: 'what is the retry limit'}, [5, 'retryLimit is 17']],
    ['results of a tool alone', {query: 'retries 17', tool: 'read'}, [3, '17 times']],
    ['calls about a file alone', {query: '17', file: 'mail'}, [3, '17 times']],
    ['what the person said', {query: 'deploy', tool: 'person'}, [1, 'Never deploy on Fridays.']],
    ['a file without words', {query: '', file: 'docs/port.md'}, [7, 'filler']],
    ['a script without spaces', {query: 'サービスのポート'}, [11, '7431']],
  ] as const)('by %s; the best passage first', async (_, query, [item, text]) => {
    const [best] = await searchItems(await logOf(ITEMS), query);
    expect([best?.item, best?.text.includes(text)]).toEqual([item, true]);
  });

  it('a passage is a few lines, an equal one is not told twice, and what was recalled before is not found in its place', async () => {
    const found = await searchItems(await logOf(ITEMS), {query: 'gateway port 7431'});
    expect(found.every((passage) => passage.text.length <= 700)).toBe(true);
    expect(found.filter(({text}) => text.includes('port 7431')).map(({item, about}) => [item, about])).toEqual([
      [7, 'read {"path":"docs/port.md"}'],
    ]);
  });

  it('nothing is found where no word stands', async () => {
    expect(await searchItems(await logOf(ITEMS), {query: 'zeppelin'})).toEqual([]);
  });
});
