import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openIsolation} from '../../../../src/exec/sandbox/open-isolation.ts';
import type {AgentCommand, RolloutArtifacts, RolloutRequest} from '../../../../src/lab/rollout/rollout-request.ts';
import type {SuiteTask, TaskPlace, TaskStep, Verification} from '../../../../src/lab/suite/task.ts';
import {LAUNCHER} from '../../../e2e/support.ts';
import {scratch} from '../../../support/scratch.ts';

/** The token that the hidden tests hold, and that no agent may ever see. */
export const SECRET = 'hidden-6f1c';

interface LabOptions {
  /** The starting tree. */
  readonly start?: Readonly<Record<string, string>> | undefined;
  /** Hidden tests. */
  readonly tests?: Readonly<Record<string, string>> | undefined;
  readonly verify?: Partial<Verification> | undefined;
  readonly steps?: readonly TaskStep[] | undefined;
  readonly place?: Partial<TaskPlace> | undefined;
  readonly task?: Partial<SuiteTask> | undefined;
  /** Shell lines that the agent runs: as calls of Fettle, or as the agent itself. */
  readonly agent: readonly string[] | AgentCommand;
}

export interface Lab {
  readonly request: RolloutRequest;
  /** The folder of everything: suite, scratch, artefacts. */
  readonly folder: string;
  artifact(name: string): Promise<string>;
}

/** A lab with one task, whose verification passes if `answer.txt` says 42 and the hidden tests are there. */
export async function lab({start = {}, tests, verify, steps, place, task, agent}: LabOptions): Promise<Lab> {
  const hidden = tests ?? {'check.sh': `# ${SECRET}\ntest "$(cat answer.txt)" = 42\n`};
  const folder = await scratch({
    ...below('suite/t/start', {'README.md': 'Write 42 to answer.txt.\n', ...start}),
    ...below('suite/t/tests', hidden),
    'suite/t/script.json': JSON.stringify({replies: 'program' in agent ? [] : replies(agent)}),
    'lab/results.json': SECRET,
  });
  const isolation = await openIsolation(join(folder, 'isolation'));
  onTestFinished(() => isolation.close());
  const suite = join(folder, 'suite/t');
  const whole: SuiteTask = {
    id: 't',
    format: 'fettle',
    digest: 'digest',
    steps: steps ?? [step({tests: [join(suite, 'tests')], ...verify})],
    start: {kind: 'folder', folder: join(suite, 'start')},
    place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: [], ...place},
    limits: {agentTimeS: 60},
    lacks: [],
    labels: {},
    script: join(suite, 'script.json'),
    ...task,
  };
  return {
    folder,
    artifact: async (name) => await readFile(join(folder, 'artifacts', name), 'utf8'),
    request: {
      key: {run: 'run', task: 't', model: 'script', toolset: 'fettle', attempt: 1},
      task: whole,
      retries: 0,
      folders: {scratch: join(folder, 'scratch'), hidden: ['suite', 'lab', 'artifacts', 'isolation'].map((name) => join(folder, name))},
      agent: 'program' in agent ? agent : FETTLE,
      artifacts: folderArtifacts(join(folder, 'artifacts')),
      isolation,
    },
  };
}

export function step(verify: Partial<Verification>): TaskStep {
  return {
    name: 'main',
    prompt: 'Write 42 to answer.txt.',
    setUp: [],
    verify: {command: 'bash check.sh', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 30, env: {}, ...verify},
  };
}

export const FETTLE: AgentCommand = {
  program: process.execPath,
  args: [LAUNCHER],
  env: process.env,
  secrets: {},
  settings: {},
  version: '0.1.0',
};

/** An agent without a sandbox of its own for commands: whatever isolation leaves open is open to it. */
export function bareAgent(script: string): AgentCommand {
  const end = JSON.stringify({
    type: 'thread.completed',
    thread_id: 'thr_1',
    subtype: 'success',
    outcome_code: 'success',
    usage: {input_tokens: 200, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 20, reasoning_tokens: 0},
    total_cost_usd: 0.25,
    num_turns: 1,
    result: 'done',
  });
  return {...FETTLE, program: 'bash', args: ['-c', `${script}\necho '${end}'`]};
}

export function folderArtifacts(folder: string): RolloutArtifacts {
  return {
    async put(name, content) {
      await mkdir(dirname(join(folder, name)), {recursive: true});
      await writeFile(join(folder, name), typeof content === 'string' ? await readFile(content) : content);
      return name;
    },
    async get(name, file) {
      return await copyFile(join(folder, name), file).then(
        () => true,
        () => false,
      );
    },
    remove: async (name) => await rm(join(folder, name), {force: true}),
  };
}

export function replies(lines: readonly string[]): unknown[] {
  const usage = {input_tokens: 100, output_tokens: 10};
  return [...lines.map((command) => ({toolCalls: [{name: 'bash', arguments: {command}}], usage})), {text: 'Done.', usage}];
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** What a bare agent, or the commands of Fettle, have printed. */
export function outputOf(events: string): string {
  const lines = events.split('\n').filter((line) => line !== '');
  const outputs = lines.flatMap((line) => {
    if (!line.startsWith('{"type"')) return [line];
    const {item} = JSON.parse(line) as {item?: {type: string; output?: string}};
    return item?.type === 'tool_output' ? [item.output ?? ''] : [];
  });
  return outputs.join('\n');
}

/** The same rollout, which is cancelled when this artefact is stored. */
export function cancelledAt(request: RolloutRequest, artefact: string): {readonly request: RolloutRequest; readonly signal: AbortSignal} {
  const stop = new AbortController();
  const put: RolloutRequest['artifacts']['put'] = async (name, file, given) => {
    if (name === artefact) {
      stop.abort();
      given.throwIfAborted();
    }
    return await request.artifacts.put(name, file, given);
  };
  return {request: {...request, artifacts: {...request.artifacts, put}}, signal: stop.signal};
}
