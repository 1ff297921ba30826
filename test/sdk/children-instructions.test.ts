import {execFileSync} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ReceivedRequest, ScriptedAnswer} from '../../src/testing/index.ts';
import {agents, call, delegationRig, messagesOf, userTexts, type Answer, type Rig} from './delegation-support.ts';

const FILES = {'AGENTS.md': 'Indent with tabs.', 'sub/AGENTS.md': 'Name no colours.', 'sub/x.ts': 'one\n'};
const OF_SUB = 'Instructions of this project for sub/, from sub/AGENTS.md:\n<instructions>\nName no colours.\n</instructions>';
const READ = call('read', {path: 'sub/x.ts'});

function systemOf(request: ReceivedRequest): string {
  return messagesOf(request).find(({role}) => role === 'system')?.content ?? '';
}

/** What the subagent was told: its system prompt, and the user messages, of its last request. */
interface Reported {
  readonly system: string;
  readonly users: readonly string[];
}

function listening(told: Reported[], answer: ScriptedAnswer): Answer {
  return (request) => (told.push({system: systemOf(request), users: userTexts(request)}), answer);
}

async function finish(rig: Rig, flags: {readonly toolset?: string; readonly trusted?: boolean} = {}): Promise<void> {
  const {toolset = 'fettle', trusted = true} = flags;
  const {thread, run} = await rig.open({trusted, flags: {'--toolset': toolset, '--mode': 'full-auto', '--sandbox': 'off'}});
  await thread.close(await run('Go.'));
  expect(rig.violations).toEqual([]);
}

const byTask = [call('task', {agent: 'explore', task: 'ALPHA'}), {text: 'Done.'}];
const bySpawn = [agents({action: 'spawn', agent: 'explore', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}];

describe('a subagent follows the instructions that its thread follows (issue 5 › instruction memory, delegation)', () => {
  it.each([
    ['task', 'vibe', byTask],
    ['agents', 'fettle', bySpawn],
  ])(
    '%s: those of the person and the project in its system prompt, those of a folder when it works there, once',
    async (_, toolset, parent) => {
      const told: Reported[] = [];
      const first: Reported[] = [];
      const child = [
        listening(first, READ),
        toolset === 'vibe' ? READ : call('read', {path: 'sub/x.ts', limit: 1}),
        listening(told, {text: 'ok'}),
      ];
      const rig = await delegationRig({parent, children: {ALPHA: child}}, FILES);
      await mkdir(rig.home, {recursive: true});
      await writeFile(join(rig.home, 'AGENTS.md'), 'Say it in verse.');
      await finish(rig, {toolset});
      const [{system} = {system: ''}] = first;
      expect(['Say it in verse.', 'Indent with tabs.', 'Name no colours.'].map((text) => system.includes(text))).toEqual([
        true,
        true,
        false,
      ]);
      expect(first[0]?.users).toEqual(['ALPHA']);
      expect(told).toEqual([{system, users: ['ALPHA', OF_SUB]}]);
    },
  );

  it('of a project that nobody trusts: none', async () => {
    const told: Reported[] = [];
    const rig = await delegationRig({parent: byTask, children: {ALPHA: [READ, listening(told, {text: 'ok'})]}}, FILES);
    await finish(rig, {toolset: 'vibe', trusted: false});
    expect([told[0]?.system.includes('tabs'), told[0]?.users]).toEqual([false, ['ALPHA']]);
  });

  it('what is too large for its thread is too large for it: 32 KiB, and what is missing is said', async () => {
    const told: Reported[] = [];
    const rig = await delegationRig(
      {parent: byTask, children: {ALPHA: [listening(told, {text: 'ok'})]}},
      {'AGENTS.md': Array.from({length: 2000}, (_, line) => `Line ${line} is an instruction.`).join('\n')},
    );
    await finish(rig, {toolset: 'vibe'});
    const system = told[0]?.system ?? '';
    expect([Buffer.byteLength(system) < 36 * 1024, system.includes('Line 900 '), system.includes('Missing here for its size: ')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('in a copy of the repository: the same, by where its files would lie in the project', async () => {
    const told: Reported[] = [];
    const builder = [call('edit', {path: 'sub/x.ts', old_string: 'one', new_string: 'two'}), listening(told, {text: 'ok'})];
    const parent = [agents({action: 'spawn', agent: 'builder', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}];
    const rig = await delegationRig({parent, children: {ALPHA: [call('read', {path: 'sub/x.ts'}), ...builder]}}, FILES);
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {cwd: rig.cwd, encoding: 'utf8'});
    git('init', '--quiet');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'first');
    await mkdir(join(rig.home, 'agents'));
    await writeFile(join(rig.home, 'agents', 'builder.md'), '---\nname: builder\ndescription: Builds.\nisolation: worktree\n---\nBuild.\n');
    await finish(rig);
    expect([told[0]?.system.includes('Indent with tabs.'), told[0]?.users]).toEqual([true, ['ALPHA', OF_SUB]]);
    expect(told[0]?.system).toMatch(/Folder: .*worktrees/);
  });
});
