import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {defineMiddleware, type Middleware} from '../../../src/tools/index.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {sessionHooks} from '../../../src/sdk/hooks/open-hooks.ts';
import {scratch} from '../../support/scratch.ts';
import {call, DONE, runHooked} from './run-hooked.ts';

const WRITE = call('write', {path: 'b.txt', content: 'x'});
const CREATED = 'Created b.txt (1 byte).';
const denied = (why: string): string => `Error: Denied by a hook: ${why}\nFind another way, or say what you need.`;

async function results(middleware: readonly Middleware[], script = [WRITE, DONE], config = ''): Promise<readonly string[]> {
  return (await runHooked({script, middleware, config})).results;
}

describe('middleware (vtcode architecture › hooks / middleware)', () => {
  it('goes around a call like the skins of an onion, with hooks inside', async () => {
    const order: string[] = [];
    const skin = (name: string): Middleware =>
      defineMiddleware({
        name,
        before: () => void order.push(`before ${name}`),
        after: () => void order.push(`after ${name}`),
      });
    const config = '[[hooks.pre_tool_use]]\ncommand = "cat >> log.jsonl"\n';
    expect(await results([skin('a'), skin('b')], [WRITE, DONE], config)).toEqual([CREATED]);
    expect(order).toEqual(['before a', 'before b', 'after b', 'after a']);
  });

  it('denies, rewrites, adds and changes texts; onError is for what ran and failed', async () => {
    const middleware = defineMiddleware({
      tools: ['write', 'read'],
      before: ({toolName, input}) => (toolName === 'write' ? {input: {...(input as object), path: 'c.txt'}, context: 'moved'} : undefined),
      after: (_, {text}) => ({text: text.toUpperCase(), context: 'loud'}),
      onError: (_, {isError}) => ({context: `failed: ${isError}`}),
    });
    expect(await results([middleware], [WRITE, call('read', {path: 'none'}), call('ls', {}), DONE])).toEqual([
      'CREATED C.TXT (1 BYTE).\n[hook: moved]\n[hook: loud]',
      'Error: none does not exist.\nFind it with glob, or list the folder.\n[hook: failed: true]',
      'a.txt\nc.txt',
    ]);
  });

  it.each([
    ['denies', () => ({deny: 'no'}), 'no'],
    ['throws', () => Promise.reject(new Error('oh')), 'it failed: m: oh'],
    ['gives true', () => true, 'it failed: it returned an answer true, which is not understood'],
    ['gives {ok: false}', () => ({ok: false}), 'it failed: it returned a field ok, which is not understood'],
    ['gives {deny: false}', () => ({deny: false}), 'no reason'],
    ['gives a wrong permission', () => ({permission: 'yes'}), 'it failed: it returned permission "yes", which is not understood'],
    ['never answers', () => new Promise(() => undefined), 'it failed: m: No progress for 50 ms; abandoned. It may still be running.'],
  ])('fails closed: before %s', async (_, before, why) => {
    const one = defineMiddleware({name: 'm', timeoutMs: 50, before: before as never});
    expect(await results([one])).toEqual([denied(why)]);
  });

  it('what fails behind a call leaves a note', async () => {
    const one = defineMiddleware({name: 'm', after: () => ({text: 7}) as never});
    expect(await results([one])).toEqual([
      `${CREATED}\n[note: a hook after this call failed: it returned a text that is not text, which is not understood]`,
    ]);
  });

  it('allow counts as little as that of a hook', async () => {
    const one = defineMiddleware({before: () => ({permission: 'allow'})});
    const run = await runHooked({
      script: [WRITE, call('write', {path: '.vscode/x', content: ''}), DONE],
      middleware: [one],
      flags: {'--mode': 'ask', '--sandbox': 'off'},
    });
    expect(run.results.map((text) => text.split('\n')[0])).toEqual([
      CREATED,
      'Error: Denied: .vscode/x: .vscode is loaded by another program, and nobody is here to ask.',
    ]);
  });
});

describe('middleware in files', () => {
  const GUARD = `import {defineMiddleware} from 'fettle/tools';
export const guard = defineMiddleware({tools: ['write'], before: () => ({deny: 'by ' + import.meta.filename.split('/').at(-1)})});
`;

  const problem = async (files: Readonly<Record<string, string>>, act?: (root: string) => Promise<void>): Promise<string> => {
    const root = await scratch({'work/x': '', 'home/x': '', ...files});
    const session = await loadSettings({
      cwd: join(root, 'work'),
      home: join(root, 'home'),
      env: {FETTLE_HOME: join(root, 'fettle')},
      trust: 'here',
    });
    await act?.(root);
    return await sessionHooks(session).then(
      () => 'none',
      (error: Error) => error.message.replaceAll(root, ''),
    );
  };

  it('one that cannot be used stops the session: a guard that is missing guards nothing', async () => {
    expect(await problem({'fettle/middleware/a.ts': 'export const x = 1;'})).toBe(
      '/fettle/middleware/a.ts: it exports no middleware: export what defineMiddleware() returns',
    );
    expect(await problem({'fettle/middleware/b.ts': 'throw new Error("oh");'})).toBe('/fettle/middleware/b.ts: Error in line 1: oh');
  });

  it('one that is no longer what was trusted, too', async () => {
    const changed = (root: string): Promise<void> => writeFile(join(root, 'work/.fettle/middleware/a.ts'), 'export {}');
    expect(await problem({'work/.fettle/middleware/a.ts': GUARD}, changed)).toBe(
      '/work/.fettle/middleware/a.ts: changed since it was trusted.',
    );
  });

  it('an empty folder is not a mistake', async () => {
    expect(await problem({}, async (root) => void (await mkdir(join(root, 'fettle/middleware'), {recursive: true})))).toBe('none');
  });
});
