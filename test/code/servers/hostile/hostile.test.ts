import {readFileSync} from 'node:fs';
import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {toFettleError} from '../../../../src/base/errors.ts';
import {openLanguageServers} from '../../../../src/code/servers/language-servers.ts';
import {childEnvironment} from '../../../../src/exec/variables/child-environment.ts';
import {scratch} from '../../../support/scratch.ts';

const signal = new AbortController().signal;
const SERVER = join(import.meta.dirname, 'server.mjs');

describe('a language server that misbehaves', {timeout: 60_000}, () => {
  it('dies at once: UNAVAILABLE, and after three tries it is not started any more', async () => {
    const {servers, asked, lines} = await hostile('dies at once');
    for (let round = 0; round < 3; round += 1) {
      expect(await codeOf(servers.definitions(asked, signal))).toBe('UNAVAILABLE');
    }
    expect(await servers.definitions(asked, signal)).toBeUndefined();
    expect(await lines('start')).toHaveLength(3);
  });

  it('dies when asked: UNAVAILABLE at once, not after the limit', async () => {
    const {servers, asked} = await hostile('dies when asked');
    expect(await codeOf(servers.definitions(asked, signal))).toBe('UNAVAILABLE');
  });

  it('sends a message without end: it is cut off, with a bound on memory', async () => {
    const {servers, asked} = await hostile('never ends');
    const before = process.memoryUsage().rss;
    expect(await codeOf(servers.definitions(asked, signal))).toBe('UNAVAILABLE');
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  it('says no: UNAVAILABLE, and it goes on', async () => {
    const {servers, asked} = await hostile('says no');
    expect(await codeOf(servers.definitions(asked, signal))).toBe('UNAVAILABLE');
    expect(servers.running()).toEqual(['hostile']);
  });

  it('answers nonsense: what is no place in a file is left out', async () => {
    const {servers, asked} = await hostile('answers nonsense');
    expect(await servers.definitions(asked, signal)).toEqual([]);
  });

  it('wants to delete a file as part of a rename: that is no rename', async () => {
    const {servers, asked} = await hostile('');
    expect(await servers.rename({...asked, newName: 'b'}, signal)).toBeUndefined();
  });

  it('speaks of other files and older texts: no verdict, TIMEOUT', async () => {
    const {servers, asked} = await hostile('talks of others');
    await servers.definitions(asked, signal);
    expect(await codeOf(servers.diagnostics({...asked, ms: 300}, signal))).toBe('TIMEOUT');
  });

  it('starts slowly: no verdict in time, TIMEOUT; it goes on, and answers the next question (issue 6: "with a deadline")', async () => {
    const {servers, asked, root, lines} = await hostile('starts slowly');
    expect(await codeOf(servers.diagnostics({...asked, ms: 50}, signal))).toBe('TIMEOUT');
    await writeFile(join(root, 'log.go'), '');
    expect(await servers.definitions(asked, signal)).toEqual([]);
    expect(await lines('start')).toHaveLength(1);
  });

  it('is silent: whoever waits can leave', async () => {
    const {servers, asked} = await hostile('is silent');
    const leave = new AbortController();
    const answer = codeOf(servers.definitions(asked, leave.signal));
    leave.abort();
    expect(await answer).toBe('CANCELLED');
  });

  it('asks to write: it may not', async () => {
    const {servers, asked, lines} = await hostile('asks to write');
    await servers.definitions(asked, signal);
    await servers.definitions(asked, signal);
    expect(await lines('answer')).toEqual(['answer {"applied":false,"failureReason":"edits are made by the client alone"}']);
  });

  it('does not leave, and has a child: both are gone after close', async () => {
    const {servers, asked, lines} = await hostile('leaves a child');
    await servers.definitions(asked, signal);
    await servers.close();
    const pids = (await lines('start')).map((line) => Number(line.split(' ')[1]));
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('is in a project that may run nothing: it is not started', async () => {
    const {servers, asked, lines} = await hostile('', {inProject: true, mayRunProject: false});
    expect(await servers.definitions(asked, signal)).toBeUndefined();
    expect(await lines('start')).toEqual([]);
  });

  it('is in the project, and something in node_modules was written: it is not started', async () => {
    const {servers, asked, root} = await hostile('', {inProject: true});
    await servers.changed([join(root, 'node_modules/x/index.js')]);
    expect(await servers.definitions(asked, signal)).toBeUndefined();
  });
});

async function hostile(way: string, {inProject = false, mayRunProject = true} = {}) {
  const root = await scratch({
    'a.x': 'a\n',
    log: '',
    'node_modules/.bin/server': `#!/bin/sh\nexec "${process.execPath}" "${SERVER}" "$@"\n`,
  });
  const program = inProject ? join(root, 'node_modules/.bin/server') : process.execPath;
  if (inProject) await chmod(program, 0o755);
  const args = [...(inProject ? [] : [SERVER]), way, join(root, 'log')];
  const servers = openLanguageServers({
    root,
    env: childEnvironment(process.env),
    mayRunProject,
    specs: [{name: 'hostile', languages: ['x'], command: program, args}],
  });
  onTestFinished(async () => await servers.close());
  return {
    root,
    servers,
    asked: {language: 'x', file: join(root, 'a.x'), text: 'a\n', position: {line: 0, character: 0}},
    lines: async (word: string) => (await readFile(join(root, 'log'), 'utf8')).split('\n').filter((line) => line.startsWith(word)),
  };
}

async function codeOf(answer: Promise<unknown>): Promise<string> {
  return await answer.then(
    () => 'none',
    (error: unknown) => toFettleError(error).code,
  );
}

/** Runs, and is no zombie that nobody has waited for. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
