import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import {createCommandSessions} from '../../src/tools/shells/command-sessions.ts';
import type {AgentRunner} from '../../src/tools/ports/agent-runner.ts';
import type {AskUser} from '../../src/tools/ports/user-questions.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset} from '../tools/support/open-toolset.ts';
import type {GoldenCase} from './case.ts';
import {CASES as MICROCODE} from './microcode.cases.ts';
import {sessionContext} from './session-context.ts';
import {CASES as VIBE} from './vibe.cases.ts';
import {CASES as VTCODE} from './vtcode.cases.ts';

/** A person who always takes the first choice. */
const askUser: AskUser = async (questions) => ({
  answers: questions.map(({question, options}) => ({question, answer: options[0]?.label ?? '', isOther: false})),
  cancelled: false,
});

const agents: AgentRunner = {
  profiles: [],
  run: async ({task, profile}) => ({response: `${profile} did: ${task}`, turnsUsed: 2, completed: true}),
};

describe.each([
  ['vibe', VIBE],
  ['vtcode', VTCODE],
  ['microcode', MICROCODE],
])('%s', (_, cases) => {
  it.each(cases.map((golden) => [golden.tool, golden.parameter || '-', golden.what, golden.seed, golden] as const))(
    '%s %s: %s (%s)',
    async (_tool, _parameter, _what, _seed, golden) => check(golden),
  );
});

async function check({
  toolset,
  tool,
  files = {},
  before = [],
  as,
  args,
  text,
  outcome = 'success',
  leaves = {},
}: GoldenCase): Promise<void> {
  const root = await scratch(files);
  const exec = createExecEnvironment({cwd: root, spoolDir: join(root, '.spool')});
  const sessions = createCommandSessions({exec, spoolDir: join(root, '.spool')});
  const {context, origin} = await sessionContext(root);
  const tools = await openToolset(toolset, root, {context: {askUser, agents, sessions, ...context}});
  for (const [name, earlier] of before) await tools.call(name, earlier);
  const result = await tools.call(as ?? tool, JSON.stringify(args).replaceAll('<web>', origin));
  await sessions.endAll();
  const shown = result.text.replaceAll(root, '<root>').replaceAll(origin, '<web>');
  if (typeof text === 'string') expect(shown).toBe(text);
  else expect(shown).toMatch(text);
  expect({tool: result.toolName, outcome: result.outcome}).toEqual({tool, outcome});
  for (const [path, content] of Object.entries(leaves)) expect(await readFile(join(root, path), 'utf8')).toBe(content);
}
