import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {fettlePaths} from '../../../src/config/paths.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {rememberWindow, windowOf} from '../../../src/sdk/model/model-window.ts';
import {windowNotes, withWindow} from '../../../src/sdk/model/apply-model-window.ts';
import type {ModelWindow} from '../../../src/sdk/settings/session-settings.ts';
import {scratch} from '../../support/scratch.ts';
import {call, delegationRig, lastResult, messagesOf, type Answer} from '../delegation-support.ts';

const props = (tokens: number): RequestListener => {
  return (request, response) => void response.writeHead(request.url === '/props' ? 200 : 404).end(JSON.stringify({n_ctx: tokens}));
};

/** Accepts the connection and the request, and never answers. */
const silent: RequestListener = () => undefined;

/** Sends the head and a little of a body that does not end. */
const endless: RequestListener = (_request, response) =>
  void response.writeHead(200, {'content-type': 'application/json'}).write('{"n_ctx":');

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function sessionAt(url: string, config: string) {
  const home = await scratch({
    'config.toml': `${config}\n[[custom_providers]]\nname = "house"\nformat = "openai-chat"\nbase_url = "${url}/v1"\n`,
  });
  return await loadSettings({cwd: await scratch({}), env: {FETTLE_HOME: home}, home});
}

describe('the window of another model than the configured one: of subagents, and of summaries', () => {
  it.each<[what: string, asked: string, config: string, expected: Omit<ModelWindow, 'model'>]>([
    ['the server says it', 'house/m', 'model = "x/y"', {tokens: 6000, source: 'server', from: '/props n_ctx', isAssumed: false}],
    [
      'context.window_tokens is about the configured model',
      'house/m',
      'model = "x/y"\n[context]\nwindow_tokens = 9000',
      {tokens: 6000, source: 'server', from: '/props n_ctx', isAssumed: false},
    ],
    [
      'the catalogue knows it',
      'anthropic/claude-haiku-4-5',
      'model = "x/y"\n[context]\nwindow_tokens = 9000',
      {tokens: 200_000, source: 'catalogue'},
    ],
    [
      'nobody knows it, and a number is configured',
      'far/m',
      'model = "x/y"\n[context]\nwindow_tokens = 9000',
      {tokens: 9000, source: 'settings'},
    ],
    ['nobody knows it', 'far/m', 'model = "x/y"', {tokens: 128_000, source: 'guess'}],
    ['it is the configured one', 'house/m', 'model = "house/m"\n[context]\nwindow_tokens = 9000', {tokens: 9000, source: 'settings'}],
  ])('%s', async (_what, model, config, expected) => {
    const session = await sessionAt(await listening(props(6000)), config);
    expect(await windowOf(model, session)).toEqual({model, ...expected});
  });

  it('is remembered where the server is gone', async () => {
    const session = await sessionAt('http://127.0.0.1:1', 'model = "x/y"');
    rememberWindow(session.paths.stateDir, 'house/m http://127.0.0.1:1/v1', 3000);
    expect(await windowOf('house/m', session)).toEqual({model: 'house/m', tokens: 3000, source: 'remembered'});
  });

  it('keeps what a subagent is told within the window of its own model', async () => {
    let shown = '';
    const task = `ALPHA: ${'read it '.repeat(2000)}`;
    const rig = await delegationRig({
      parent: [call('task', {agent: 'scout', task}), (request) => ((shown = lastResult(request)), {text: 'Done.'})],
      children: {ALPHA: [{text: 'It should not have been asked.'}]},
    });
    rememberWindow(stateDirOf(rig.home), `ollama/small ${rig.url}`, 2048);
    await mkdir(join(rig.home, 'agents'));
    await writeFile(join(rig.home, 'agents', 'scout.md'), '---\nname: scout\ndescription: Looks.\nmodel: ollama/small\n---\nYou look.\n');
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(shown).toMatch(/The window of the model is 2,048 tokens, and this request needs about [\d,]+/);
    expect(rig.asked.filter(({body}) => body['model'] === 'small')).toEqual([]);
  });

  it('has summaries asked for in pieces that the model of context.summary_model takes', async () => {
    const summaries: number[] = [];
    const words = 'seven words of text in a line '.repeat(120);
    const parent = Array.from({length: 60}, (_, at): Answer => (request) => {
      if (request.body['model'] === 'small') {
        summaries.push(JSON.stringify(messagesOf(request)).length);
        return {text: '## Done\n- seven words of text in a line\n## In progress\n- none'};
      }
      return at < 40 && summaries.length === 0 ? {text: `${at}: ${words}`, ...call('ls', {path: `${at}`})} : {text: 'All listed.'};
    });
    const rig = await delegationRig({parent});
    await writeFile(join(rig.home, 'config.toml'), '[context]\nwindow_tokens = 24000\nsummary_model = "ollama/small"\n');
    rememberWindow(stateDirOf(rig.home), `ollama/small ${rig.url}`, 4096);
    const {thread, run} = await rig.open();
    const result = await run('List all the folders.');
    await thread.close(result);
    expect([result.outcome, summaries.length > 1, Math.max(...summaries) < 4096 * 3]).toEqual(['success', true, true]);
  });
});

function stateDirOf(home: string): string {
  return fettlePaths({env: {FETTLE_HOME: home}, home}).stateDir;
}

describe('a local server that does not say its window', () => {
  it.each<[what: string, answer: RequestListener]>([
    ['takes the question and never answers', silent],
    ['begins an answer and never ends it', endless],
  ])('%s: nothing waits for it, and it is said', async (_what, answer) => {
    const session = await withWindow(await sessionAt(await listening(answer), 'model = "house/m"'));
    expect(session.window).toEqual({model: 'house/m', tokens: 128_000, source: 'guess', isSilent: true});
    expect(windowNotes(session)).toEqual([
      'The server of house/m did not say its window in time: 128,000 tokens are assumed. context.window_tokens sets it.',
    ]);
  });

  it('what it said earlier holds, without a word', async () => {
    const url = await listening(silent);
    const session = await sessionAt(url, 'model = "house/m"');
    rememberWindow(session.paths.stateDir, `house/m ${url}/v1`, 16_000);
    const opened = await withWindow(session);
    expect([opened.window, windowNotes(opened)]).toEqual([{model: 'house/m', tokens: 16_000, source: 'remembered'}, []]);
  });

  it('one that knows no such question is not waited for', async () => {
    const session = await withWindow(await sessionAt(await listening(props(-1)), 'model = "house/m"'));
    expect([session.window, windowNotes(session)]).toEqual([{model: 'house/m', tokens: 128_000, source: 'guess'}, []]);
  });
});
