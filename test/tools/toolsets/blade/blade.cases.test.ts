import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../../src/exec/create-environment.ts';
import type {SearchEngine} from '../../../../src/search/engine.ts';
import {createCommandSessions} from '../../../../src/tools/shells/command-sessions.ts';
import type {AgentRunner} from '../../../../src/tools/ports/agent-runner.ts';
import {createFileMemory} from '../../../../src/tools/file-memory.ts';
import {createMemoryEditor} from '../../../../src/tools/ports/memory-editor.ts';
import {inputSchema} from '../../../../src/tools/arguments/schema.ts';
import {blade} from '../../../../src/tools/toolsets/blade/blade.ts';
import {openWorkspace} from '../../../../src/workspace/open-workspace.ts';
import {BLADE_FILES, MANY_FILES, type BladeCase} from '../../../parity/blade-case.ts';
import {BLADE_CASES} from '../../../parity/blade.cases.ts';
import {scratch} from '../../../support/scratch.ts';
import {openToolset, type ToolsetOptions} from '../../support/open-toolset.ts';

/** Only rows about limits of lists need many files. */
function filesFor({args}: BladeCase): Readonly<Record<string, string>> {
  return /many|"word"/.test(JSON.stringify(args)) ? {...BLADE_FILES, ...MANY_FILES} : BLADE_FILES;
}

const SLOW_SEARCH = {
  grep: async () => ({
    matches: [{path: 'docs/Notes.md', line: 1, text: 'needle', before: [], after: []}],
    truncated: false,
    timedOut: true,
  }),
} as unknown as SearchEngine;

const AGENTS: AgentRunner = {
  profiles: [{name: 'explore', description: '', isSubagent: true}],
  run: async ({maxTurns, maxToolCalls}) => ({
    response: JSON.stringify({findings: [], gaps: [`turns ${maxTurns}, calls ${maxToolCalls}`]}),
    turnsUsed: 1,
    completed: true,
  }),
};

async function contextFor(root: string, {stub}: BladeCase): Promise<NonNullable<ToolsetOptions['context']>> {
  const files = createFileMemory();
  const spoolDir = join(root, '.spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir, env: process.env}), spoolDir});
  onTestFinished(async () => void (await sessions.endAll()));
  return {
    files,
    sessions,
    editor: createMemoryEditor({workspace: await openWorkspace(root), files}),
    ...(stub === 'slow search' ? {search: SLOW_SEARCH} : {}),
    ...(stub === 'agents' ? {agents: AGENTS} : {}),
  };
}

function steady(text: string, root: string): string {
  return text
    .replaceAll(root, '<root>')
    .replaceAll(/"elapsed_ms":\d+/g, '"elapsed_ms":0')
    .replaceAll(/"(p50|p95)":\d+/g, '"$1":0')
    .replace(/"modified":\d+/, '"modified":0')
    .replace(/pid=\d+/, 'pid=0');
}

async function check(row: BladeCase): Promise<void> {
  const root = await scratch(filesFor(row));
  const tools = await openToolset('blade', root, {context: await contextFor(root, row)});
  for (const [tool, args] of row.before ?? []) await tools.call(tool, args);
  const result = await tools.call(row.tool, row.args);
  const shown = {...result, text: steady(result.text, root)};
  expect(row.pick === undefined ? shown.text : row.pick(shown)).toEqual(row.expect);
  if (row.file === undefined) return;
  const [path, content] = row.file;
  expect(await readFile(join(root, path), 'utf8').catch(() => null)).toBe(content);
}

for (const [tool, rows] of Map.groupBy(BLADE_CASES, (row) => row.tool)) {
  describe(`zblade tool calls › ${tool}`, () => {
    it.each(rows.map((row) => [row.parameter, row.what, JSON.stringify(row.args).slice(0, 80), row] as const))(
      '%s: %s %s',
      async (_parameter, _what, _args, row) => {
        await check(row);
      },
    );
  });
}

describe('zblade tool calls › Quick Reference', () => {
  const names = `read_file read_file_range write_file create_file edit_file apply_patch apply_edit delete_file move_file copy_file
    create_directory get_file_info list_dir list_directory get_workspace_structure find_files find_files_glob glob grep_search rg
    codebase_search get_editor_state open_file goto_line get_selection replace_selection insert_at_cursor symbol_search symbol_resolve
    symbol_outline symbol_graph get_project_index_overview get_project_index_chunk read_many_files batch codebase_investigator
    run_command`.split(/\s+/);

  it('"Locally executable non-server-side tools": these 37, and symbol_references, which the seed has as a schema', () => {
    expect(blade.tools.map((tool) => tool.name).toSorted()).toEqual([...names, 'symbol_references'].toSorted());
  });
  it('every published parameter of every tool has a row', () => {
    const covered = new Set(BLADE_CASES.map(({tool, parameter}) => `${tool}.${parameter}`));
    const published = blade.tools.flatMap((tool) => Object.keys(inputSchema(tool).properties ?? {}).map((key) => `${tool.name}.${key}`));
    expect(published.filter((key) => !covered.has(key))).toEqual([]);
    expect(names.filter((name) => !BLADE_CASES.some(({tool}) => tool === name))).toEqual([]);
  });
});
