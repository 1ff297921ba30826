import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import type {PermissionRequest, Policy, Rule, Subject} from '../../../src/policy/decision.ts';
import {OPERATION_FAMILIES} from '../../../src/policy/rules/operation-families.table.ts';
import {AGENT_NAMES} from '../../../src/policy/rules/agent-names.table.ts';
import {agentName, PERMISSION_FAMILIES} from '../../../src/policy/rules/tool-families.ts';
import {TOOLSET_NAMES, loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import type {Tool} from '../../../src/tools/toolset.ts';

const tools: Tool[] = await Promise.all(TOOLSET_NAMES.map(loadToolsetByName)).then(async (toolsets) =>
  (await Promise.all(toolsets.map(async (toolset) => [...toolset.tools, ...((await toolset.deferred?.()) ?? [])]))).flat(),
);

const FILE = {path: '/w/src/a.js', relative: 'src/a.js', inside: true} as const;

function subjectOf({permission, sideEffect}: Pick<Tool, 'permission' | 'sideEffect'>): readonly Subject[] {
  if (permission === 'bash') return [{kind: 'command', command: 'touch a', cwd: '/w'}];
  if (['read', 'grep', 'glob', 'ls'].includes(permission)) return [{kind: 'path', ...FILE, write: false}];
  return sideEffect === 'write' ? [{kind: 'path', ...FILE, write: true}] : [];
}

async function verdict(tool: Pick<Tool, 'name' | 'permission' | 'sideEffect'>, rule: Rule): Promise<string> {
  const request: PermissionRequest = {
    toolNames: [...new Set([tool.name, tool.permission])],
    sideEffect: tool.sideEffect,
    subjects: subjectOf(tool),
  };
  const policy: Policy = {mode: rule.effect === 'deny' ? 'full-auto' : 'ask', rules: [rule], fallback: 'ask'};
  const decision = await decide(request, policy);
  return decision.decidedBy.startsWith('rule:') ? `${decision.verdict} ${decision.decidedBy}` : decision.verdict;
}

it('the table of operations has every operation with its family', async () => {
  const folder = join(import.meta.dirname, '../../../src/tools/operations');
  const modules = await Promise.all(
    (await readdir(folder, {recursive: true}))
      .filter((name) => name.endsWith('.ts'))
      .map(async (name) => (await import(join(folder, name))) as object),
  );
  const found = modules
    .flatMap((module) => Object.values(module) as unknown[])
    .flatMap((value) => {
      const {id, permission} = (value ?? {}) as {id?: unknown; permission?: unknown};
      return typeof id === 'string' && typeof permission === 'string' ? [[id, permission] as const] : [];
    });
  expect(OPERATION_FAMILIES).toEqual(Object.fromEntries(found));
});

describe('design › permissions: names of other agents mean our tool families', () => {
  it.each([
    ['Bash', 'bash'],
    ['shell', 'bash'],
    ['run_shell_command', 'bash'],
    ['container.exec', 'bash'],
    ['Edit', 'edit'],
    ['MultiEdit', 'edit'],
    ['NotebookEdit', 'edit'],
    ['str_replace_based_edit_tool', 'edit'],
    ['apply_patch', 'edit'],
    ['Write', 'write'],
    ['write_to_file', 'write'],
    ['Read', 'read'],
    ['read_file', 'read'],
    ['Grep', 'grep'],
    ['search_file_content', 'grep'],
    ['Glob', 'glob'],
    ['LS', 'ls'],
    ['WebFetch', 'web_fetch'],
    ['google_web_search', 'web_search'],
    ['TodoWrite', 'todo'],
    ['AskUserQuestion', 'ask_user_question'],
    ['Sh*', 'bash'],
    ['re:Multi.*|Notebook.*', 'edit'],
    ['fs.read', 'read'],
    ['fs.readMany', 'read'],
    ['exec.shell', 'bash'],
    ['edit.exact', 'edit'],
    ['edit.text', 'edit'],
    ['fs.read-many', 'read'],
    ['edit.*', 'edit'],
    ['search.text', 'grep'],
    ['blade__apply_patch', 'edit'],
    ['vtcode__exec_command', 'bash'],
    ['fettle__read', 'read'],
    ['unified_exec', 'bash'],
    ['unified_search', 'grep'],
    ['unified_search', 'glob'],
    ['code_search', 'grep'],
    ['unified_file', 'read'],
    ['unified_file', 'write'],
    ['unified_file', 'edit'],
  ])('a deny for %s holds for every tool of the family %s in every toolset', async (name, family) => {
    const members = tools.filter(({permission}) => permission === family);
    expect(members.length).toBeGreaterThan(0);
    const found = await Promise.all(members.map(async (tool) => await verdict(tool, {text: name, effect: 'deny', source: 'user'})));
    expect(new Set(found)).toEqual(new Set([`deny rule:${name}`]));
  });

  it.each([
    ['rm', 'delete_file'],
    ['Mv', 'move_file'],
    ['fs_delete', 'delete_file'],
    ['BashOutput', 'command_session'],
  ])('a deny for %s means %s alone', async (name, only) => {
    const rule: Rule = {text: name, effect: 'deny', source: 'user'};
    const found = await Promise.all(tools.map(async (tool) => ((await verdict(tool, rule)).startsWith('deny') ? [tool.name] : [])));
    expect(new Set(found.flat())).toEqual(new Set(only === 'command_session' ? [only, 'exec_session'] : [only]));
  });

  it.each<[string, string, string]>([
    ['Bash:touch *', 'bash', 'allow rule:Bash:touch *'],
    ['run_shell_command:touch *', 'bash', 'allow rule:run_shell_command:touch *'],
    ['Edit:src/*', 'edit', 'allow rule:Edit:src/*'],
    ['fs.write:src/*', 'write', 'allow rule:fs.write:src/*'],
    ['exec.shell:touch *', 'bash', 'allow rule:exec.shell:touch *'],
    ['edit.*:src/*', 'edit', 'allow rule:edit.*:src/*'],
    ['fs.read:src/*', 'write', 'ask'],
    ['blade__apply_patch:src/*', 'apply_patch', 'allow rule:blade__apply_patch:src/*'],
    ['Edit:src/*', 'apply_patch', 'allow rule:Edit:src/*'],
    ['str_replace:src/*', 'edit', 'allow rule:str_replace:src/*'],
    // Narrow: one name of the family does not open the others.
    ['str_replace:src/*', 'apply_patch', 'ask'],
    ['write_file:src/*', 'delete_file', 'ask'],
    ['Write:src/*', 'delete_file', 'allow rule:Write:src/*'],
    ['BashOutput', 'bash', 'ask'],
    ['KillShell', 'bash', 'ask'],
    ['Sh*', 'bash', 'ask'],
    ['get_*', 'web_fetch', 'ask'],
  ])('allow %s and the tool %s: %s', async (text, name, wanted) => {
    const tool = tools.find((one) => one.name === name);
    expect(tool === undefined ? undefined : await verdict(tool, {text, effect: 'allow', source: 'user'})).toBe(wanted);
  });

  it('tools of servers are told apart by every character', async () => {
    const tool = {name: 'mcp__a_b__c', permission: 'mcp__a_b__c', sideEffect: 'execute'} as const;
    expect(await verdict(tool, {text: 'mcp__ab__c', effect: 'allow', source: 'user'})).toBe('ask');
    expect(await verdict(tool, {text: 'mcp__a-b__c', effect: 'deny', source: 'user'})).toBe('allow');
  });

  it('every family is in the list, and every row of the table names one', () => {
    expect(tools.filter(({permission}) => !PERMISSION_FAMILIES.includes(permission)).map(({name}) => name)).toEqual([]);
    expect(AGENT_NAMES.filter(({family}) => !PERMISSION_FAMILIES.includes(family))).toEqual([]);
    expect(AGENT_NAMES.flatMap(({names}) => names).filter((name) => agentName(name) === undefined)).toEqual([]);
  });
});
