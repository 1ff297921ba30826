import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readProfile} from '../../../src/agent/delegation/profile-file.ts';
import type {Tool} from '../../../src/tools/toolset.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';

const file = (matter: string, body = 'You work.'): string => `---\n${matter}\n---\n${body}\n`;
const NAMED = 'name: mender\ndescription: Mends things.';

async function tools(): Promise<readonly Tool[]> {
  const {tools: shown, deferred} = await loadToolsetByName('fettle');
  return [...shown, ...((await deferred?.()) ?? [])];
}

/** The names of the tools that a profile may use. */
async function allowed(matter: string): Promise<string[]> {
  const {profile, problems} = readProfile(file(matter), 'p.md');
  expect([problems, profile === undefined]).toEqual([[], false]);
  return (await tools()).filter((tool) => profile?.allows(tool) === true).map(({name}) => name);
}

describe('profiles as files (VT Code › agents; Claude Code › subagents)', () => {
  it('every key', async () => {
    const {profile, problems} = readProfile(
      file(`${NAMED}
tools: [read, grep, bash]
disallowed_tools: grep
model: ollama/small
mode: plan
permissions:
  deny: ["bash:git push *"]
  ask: ["bash:*"]
max_turns: 7
max_tool_calls: 9
max_tokens: 1000
max_cost: 0.5
isolation: worktree`),
      'p.md',
    );
    expect(problems).toEqual([]);
    expect({...profile, allows: undefined}).toEqual({
      name: 'mender',
      description: 'Mends things.',
      isSubagent: true,
      prompt: 'You work.',
      allows: undefined,
      model: 'ollama/small',
      mode: 'plan',
      rules: [
        {text: 'bash:git push *', effect: 'deny', source: 'p.md:8'},
        {text: 'bash:*', effect: 'ask', source: 'p.md:8'},
      ],
      maxTurns: 7,
      maxToolCalls: 9,
      maxTokens: 1000,
      maxCostUsd: 0.5,
      isolation: 'worktree',
    });
  });

  it('keys of other agents mean the same', async () => {
    const {profile, problems} = readProfile(
      file(`name: mender
description: Use it when: something is broken
tools: Read, Grep, Glob, Bash(git diff *)
disallowedTools: Bash
model: inherit
permissionMode: acceptEdits
maxTurns: 5
color: red`),
      'p.md',
    );
    expect(problems).toEqual(['p.md:4: Bash(git diff *): the part in brackets narrows nothing here; write rules under permissions.deny']);
    expect([profile?.description, profile?.model, profile?.mode, profile?.maxTurns]).toEqual([
      'Use it when: something is broken',
      undefined,
      'accept-edits',
      5,
    ]);
    expect((await tools()).filter((tool) => profile?.allows(tool) === true).map(({name}) => name)).toEqual(['read', 'glob', 'grep']);
  });

  it('tools: names in any spelling, families of permission, patterns; none means all but those that start subagents', async () => {
    expect(await allowed(`${NAMED}\ntools: Read, Write`)).toEqual(['read', 'write']);
    const without = await allowed(`${NAMED}\ndisallowedTools: Write, Bash`);
    expect(without.filter((name) => /write|bash|delete_file|move|copy|merge/.test(name))).toEqual([]);
    expect(await allowed(`${NAMED}\ntools: "get_*"`)).toEqual([
      'get_file_info',
      'get_workspace_structure',
      'get_editor_state',
      'get_selection',
    ]);
    const all = await allowed(NAMED);
    expect(all).toContain('bash');
    expect(all.filter((name) => name === 'task' || name === 'agents')).toEqual([]);
    expect(await allowed(`${NAMED}\ntools: []`)).toEqual([]);
  });

  it.each([
    ['no front matter', 'You work.', ['p.md:1: not used: it does not begin with front matter between lines of ---']],
    ['no name', file('description: x'), ['p.md:1: not used: it needs a name of lower-case letters, digits and single hyphens']],
    [
      'a name with a path',
      file('name: ../x\ndescription: x'),
      ['p.md:2: not used: it needs a name of lower-case letters, digits and single hyphens'],
    ],
    ['no description', file('name: x'), ['p.md:1: not used: it needs a description']],
    ['no prompt', file(NAMED, ''), ['p.md:1: not used: it has no prompt after its front matter']],
    ['an unknown mode', file(`${NAMED}\nmode: yolo`), ['p.md:4: not used: mode must be plan, ask, accept-edits or full-auto, not yolo']],
    ['a broken rule', file(`${NAMED}\npermissions:\n  deny: [":x"]`), [expect.stringMatching(/^p\.md:4: not used: .*names no tool/)]],
    [
      'a deny that is not a list',
      file(`${NAMED}\npermissions:\n  deny: "bash"`),
      ['p.md:4: not used: permissions.deny must be a list under `deny` or `ask`'],
    ],
    ['tools that are not names', file(`${NAMED}\ntools: {read: true}`), ['p.md:4: not used: tools must be a list of names']],
    ['a limit that is none', file(`${NAMED}\nmax_turns: many`), ['p.md:4: not used: max_turns must be a whole number above 0']],
    ['a key twice', file(`${NAMED}\nmaxTurns: 1\nmax_turns: 2`), ['p.md:5: not used: max_turns appears twice']],
    [
      'an alias',
      file(`${NAMED}\ntools: &a [read]\ndisallowed_tools: *a`),
      ['p.md:2: not used: its front matter has no keys, or uses aliases'],
    ],
    ['another isolation', file(`${NAMED}\nisolation: vm`), ['p.md:4: not used: isolation must be worktree, not vm']],
  ])('what could be misunderstood is not used, and said with its line: %s', async (_, text, problems) => {
    expect(readProfile(text, 'p.md')).toEqual({profile: undefined, problems});
  });

  it('what would widen, and what is not known, is left out and said', async () => {
    const {profile, problems} = readProfile(file(`${NAMED}\npermissions:\n  allow: ["bash:*"]\nhooks: {}`), 'p.md');
    expect(profile?.rules).toEqual([]);
    expect(problems).toEqual([
      'p.md:4: permissions.allow is left out: a profile can only narrow what its thread may do',
      'p.md:6: hooks is not known here and left out',
    ]);
  });

  it('any text is a profile or a problem, never an exception', async () => {
    const part = fc.oneof(
      fc.constantFrom('---', 'name: x', 'description: y', 'tools:', '  - read', 'permissions:', '  deny: []', '&a', '*a'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, {maxLength: 12}), async (lines) => {
        const {profile, problems} = readProfile(['---', ...lines].join('\n'), 'p.md');
        expect(profile !== undefined || problems.length > 0).toBe(true);
      }),
      {numRuns: 60},
    );
  });
});
