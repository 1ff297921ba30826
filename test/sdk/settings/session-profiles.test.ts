import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {sessionProfiles} from '../../../src/sdk/settings/session-profiles.ts';
import {scratch} from '../../support/scratch.ts';
import {agents, call, delegationRig, lastResult, messagesOf} from '../delegation-support.ts';

const profile = (name: string, more = '', prompt = 'You look.'): string =>
  `---\nname: ${name}\ndescription: Looks at ${name}.\n${more}---\n${prompt}\n`;

async function found(project: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>, trusted: boolean) {
  const cwd = await scratch(project);
  const home = await scratch(own);
  const env = {FETTLE_HOME: home};
  const session = await loadSettings({cwd, env, home, ...(trusted ? {trust: 'here' as const} : {})});
  const {profiles, own: ours, problems} = await sessionProfiles(session);
  return {
    names: profiles.map(({name}) => name),
    own: ours.map(({name, prompt}) => `${name}: ${prompt}`),
    problems: problems.map((problem) => problem.replaceAll(cwd, '<project>').replaceAll(home, '<home>')),
  };
}

describe('where profiles come from', () => {
  it('built-in ones, those of the person, those of a trusted project; the first of a name counts', async () => {
    const project = {
      '.fettle/agents/scout.md': profile('scout', '', 'Of the project.'),
      '.fettle/agents/tester.md': profile('tester'),
      '.fettle/agents/explore.md': profile('explore', '', 'Of the project.'),
    };
    const own = {
      'agents/scout.md': profile('scout', '', 'Of the person.'),
      'agents/worker.md': profile('worker', '', 'Mine.'),
      'agents/broken.md': 'x',
    };
    expect(await found(project, own, true)).toEqual({
      names: ['default', 'explore', 'reviewer', 'scout', 'worker', 'tester'],
      own: ['scout: Of the person.', 'worker: Mine.', 'tester: You look.'],
      problems: [
        '<home>/agents/broken.md:1: not used: it does not begin with front matter between lines of ---',
        '<project>/.fettle/agents/explore.md: not used: Fettle itself has a profile of the name explore',
        '<project>/.fettle/agents/scout.md: not used: <home>/agents/scout.md has a profile of the name scout',
      ],
    });
  });

  it('of a project that nobody trusts: none, and nothing is read', async () => {
    const project = {'.fettle/agents/scout.md': profile('scout')};
    expect(await found(project, {}, false)).toEqual({names: ['default', 'explore', 'worker', 'reviewer'], own: [], problems: []});
  });

  it('a model is told of those in files, at the end of its prompt; without any, of none', async () => {
    const prompts: string[] = [];
    for (const files of [{}, {'agents/scout.md': profile('scout')}]) {
      const rig = await delegationRig({parent: [{text: 'Hi.'}]});
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(rig.home, path)), {recursive: true});
        await writeFile(join(rig.home, path), text);
      }
      const {thread, run} = await rig.open();
      await thread.close(await run('Go.'));
      prompts.push(messagesOf(rig.asked[0])[0]?.content ?? '');
    }
    expect(prompts[0]).not.toContain('<agents>');
    expect(prompts[1]?.slice(prompts[1].indexOf('Besides'))).toBe(
      'Besides explore, worker and reviewer, the tools task and agents know these subagents:\n<agents>\n- scout: Looks at scout.\n</agents>',
    );
  });
});

describe('what a profile does', () => {
  it('it narrows: its tools, its rules, its mode, its model; never more than its thread', async () => {
    const shown: string[] = [];
    const rig = await delegationRig(
      {
        parent: [agents({action: 'spawn', agent: 'scout', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
        children: {
          ALPHA: [
            call('write', {path: 'x.txt', content: 'x'}),
            (request) => (shown.push(lastResult(request)), call('read', {path: 'secret.txt'})),
            (request) => (shown.push(lastResult(request)), call('bash', {command: 'touch y'})),
            (request) => (shown.push(lastResult(request)), {text: 'ok'}),
          ],
        },
      },
      {'secret.txt': 's\n'},
    );
    await mkdir(join(rig.home, 'agents'));
    const rules = 'tools: Read, Bash\nmode: plan\nmodel: ollama/small\npermissions:\n  deny: ["read:secret.txt"]\n';
    await writeFile(join(rig.home, 'agents', 'scout.md'), profile('scout', rules));
    const {thread, events, run} = await rig.open({flags: {'--mode': 'full-auto', '--sandbox': 'off'}});
    await thread.close(await run('Go.'));
    expect(shown.map((text) => text.split('\n')[0])).toEqual([
      'Error: write may not be used here.',
      expect.stringMatching(/^Error: Denied: .*secret\.txt/),
      expect.stringMatching(/^Error: Denied: .*plan/),
    ]);
    const child = rig.asked.find(({body}) => body['model'] === 'small');
    expect(
      ((child?.body['tools'] ?? []) as readonly unknown[] as readonly {function: {name: string}}[]).map(({function: {name}}) => name),
    ).toEqual(['read', 'bash']);
    expect(events.flatMap((event) => (event.type === 'request.completed' && event.agent === 'scout' ? [event.model] : []))).toContain(
      'ollama/small',
    );
  });

  it('a mode that is freer than that of its thread changes nothing', async () => {
    let shown = '';
    const rig = await delegationRig({
      parent: [agents({action: 'spawn', agent: 'scout', message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
      children: {ALPHA: [call('write', {path: 'x.txt', content: 'x'}), (request) => ((shown = lastResult(request)), {text: 'ok'})]},
    });
    await mkdir(join(rig.home, 'agents'));
    await writeFile(join(rig.home, 'agents', 'scout.md'), profile('scout', 'permissionMode: bypassPermissions\n'));
    const {thread, run} = await rig.open();
    await thread.close(await run('Go.'));
    expect(shown).toContain('nobody is here to ask');
  });

  it('read-only subagents really have the tools that read (VT Code: the explorer had collapsed to one tool)', async () => {
    for (const agent of ['explore', 'reviewer']) {
      const rig = await delegationRig(
        {
          parent: [agents({action: 'spawn', agent, message: 'ALPHA'}), agents({action: 'wait'}), {text: 'Done.'}],
          children: {
            ALPHA: [
              {
                toolCalls: [
                  {name: 'read', arguments: {path: 'a.txt'}},
                  {name: 'grep', arguments: {pattern: 'one'}},
                  {name: 'glob', arguments: {pattern: '*.txt'}},
                  {name: 'ls', arguments: {}},
                ],
              },
              {text: 'ok'},
            ],
          },
        },
        {'a.txt': 'one\n'},
      );
      const {thread, run} = await rig.open();
      await thread.close(await run('Go.'));
      const second = rig.asked.filter(({body}) => JSON.stringify(body).includes('End with a report'))[1];
      const results = messagesOf(second).filter(({role}) => role === 'tool');
      expect(results.map(({content}) => content.startsWith('Error'))).toEqual([false, false, false, false]);
    }
  });
});
