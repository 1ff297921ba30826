import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeCall} from '../../src/sdk/tools/judge-call.ts';
import {loadSettings} from '../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../src/sdk/settings/session-settings.ts';
import {openTools} from '../../src/sdk/tools/open-tools.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import {scratch} from '../support/scratch.ts';

async function session(config: string, env: Readonly<Record<string, string>> = {}): Promise<SessionSettings> {
  const root = await scratch({'home/config.toml': config, 'work/a.txt': ''});
  const home = join(root, 'home');
  return await loadSettings({cwd: join(root, 'work'), env: {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home, ...env}, home});
}

async function run(settings: SessionSettings, name: string, args: object): Promise<string> {
  const opened = await openTools({session: settings, spoolDir: join(settings.paths.stateDir, 'spool')});
  const dispatcher = createDispatcher({...opened.dispatcher, approve: async () => ({decision: 'allow'})});
  const {text} = await dispatcher.dispatch({id: 'c', name, arguments: JSON.stringify(args)}, new AbortController().signal);
  await opened.endJobs();
  return text;
}

const CONFIG = '[environment]\npass = ["DATABASE_URL", "APP_*"]\nset = {DB_PASSWORD = "hunter2hunter2", NAME = "value"}\n';
const ENV = {DATABASE_URL: 'postgres://me:hunter22@db/x', APP_MODE: 'test', APP_API_KEY: 'sk-1234567890', OTHER: 'x'};
const SHOW = 'echo "${APP_MODE-none} ${APP_API_KEY-none} ${OTHER-none} $NAME ${#DATABASE_URL}"';

describe('[environment]: what commands see', () => {
  it('plain and in a terminal: what was named, and no more', async () => {
    const settings = await session(CONFIG, ENV);
    const seen = `test none none value ${ENV.DATABASE_URL.length}`;
    expect(await run(settings, 'bash', {command: SHOW})).toBe(seen);
    expect((await run(settings, 'start_command', {command: SHOW, pty: true})).split('\n')[0]).toBe(seen);
  });

  it('a secret that is passed does not come back with the output', async () => {
    const text = await run(await session(CONFIG, ENV), 'bash', {command: 'echo "$DATABASE_URL $DB_PASSWORD $NAME"'});
    expect(text).toBe('[redacted] [redacted] value');
  });
});

describe('fettle permissions check: what goes on after the session', () => {
  it.each([
    ['allow = ["bash:make *"]', 'ask', 'keep:make serve *'],
    ['allow = ["bash:make *", "keep:make *"]', 'allow', undefined],
    ['allow = ["keep"]', 'ask', 'start_command:make serve *'],
    ['allow = ["bash"]\ndeny = ["keep"]', 'deny', undefined],
  ])('%s: %s', async (rules, verdict, wouldAllow) => {
    const settings = await session(`[permissions]\n${rules}\n`);
    const decision = await judgeCall({session: settings, tool: 'start_command', input: {command: 'make serve', keep: true}});
    expect([decision.verdict, decision.wouldAllow]).toEqual([verdict, wouldAllow]);
  });
});

describe('rules that name an agent (task → agent name)', () => {
  it.each([
    ['', 'explore', 'allow default'],
    ['deny = ["task:explore"]', 'explore', 'deny rule:task:explore'],
    ['deny = ["task:other"]', 'explore', 'allow default'],
    ['ask = ["task:*"]', 'explore', 'ask rule:task:*'],
    ['deny = ["task"]', 'anything', 'deny rule:task'],
  ])('%s: %s is %s', async (rules, agent, decision) => {
    const {verdict, decidedBy} = await judgeCall({
      session: await session(`[permissions]\n${rules}\n`),
      tool: 'task',
      input: {task: 'look', agent},
    });
    expect(`${verdict} ${decidedBy}`).toBe(decision);
  });
});
