import {mkdir, mkdtemp, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {AgentCommand, RolloutFolders} from '../rollout-request.ts';
import {removeTree} from '../tree/remove-tree.ts';

/**
 * Lets the agent run once on a script of its own, so that its compiled code is in the folder before the first rollout: rollouts may read it, and not
 * write it. False if that did not work, and rollouts take a little longer.
 */
export async function fillCompileCache(
  agent: AgentCommand,
  {compileCache, scratch}: Pick<RolloutFolders, 'scratch'> & {readonly compileCache: string},
  signal: AbortSignal,
): Promise<boolean> {
  const mark = join(compileCache, `filled-${agent.version.replaceAll(/[^\w.-]/g, '-')}`);
  if (await exists(mark)) return true;
  await mkdir(compileCache, {recursive: true, mode: 0o700});
  await mkdir(scratch, {recursive: true, mode: 0o700});
  const folder = await mkdtemp(join(scratch, 'compile-'));
  try {
    const script = join(folder, 'script.json');
    await writeFile(script, JSON.stringify({replies: REPLIES}));
    const work = join(folder, 'work');
    await mkdir(work);
    const environment = createExecEnvironment({cwd: work, spoolDir: join(folder, 'spool'), env: agent.env});
    const args = [...agent.args, 'exec', '--json', '--mode', 'full-auto', '--model', `script:${script}`, 'Compile.'];
    const env = {HOME: folder, FETTLE_HOME: join(folder, 'home'), NODE_COMPILE_CACHE: compileCache};
    const result = await environment.run({program: agent.program, args, env, timeoutMs: TIMEOUT_MS, capture: CAPTURE}, signal);
    if (result.exitCode !== 0) return false;
    await writeFile(mark, '');
    return true;
  } finally {
    await removeTree(folder);
  }
}

const TIMEOUT_MS = 60_000;
const CAPTURE = {headBytes: 4096, tailBytes: 0, spillAbove: Number.POSITIVE_INFINITY};

/** Calls that most rollouts make. */
const REPLIES = [
  {toolCalls: [{name: 'write', arguments: {path: 'a.txt', content: 'one\n'}}]},
  {toolCalls: [{name: 'edit', arguments: {path: 'a.txt', old_text: 'one', new_text: 'two'}}]},
  {
    toolCalls: [
      {name: 'read', arguments: {path: 'a.txt'}},
      {name: 'grep', arguments: {pattern: 'two'}},
    ],
  },
  {toolCalls: [{name: 'bash', arguments: {command: 'cat a.txt'}}]},
  {text: 'Done.'},
];

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
