import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openIsolation} from '../../../../src/exec/sandbox/open-isolation.ts';
import {openContainers} from '../../../../src/lab/container/containers.ts';
import type {AgentCommand, RolloutRequest} from '../../../../src/lab/rollout/rollout-request.ts';
import {readSuite} from '../../../../src/lab/suite/read-suite.ts';
import {scratch} from '../../../support/scratch.ts';
import type {OwnPodman} from '../../container/podman.ts';
import {FETTLE, folderArtifacts, replies} from '../runs/support.ts';

interface BoxedLab {
  /** Files of the task, besides those that every task has. */
  readonly files?: Readonly<Record<string, string>>;
  /** Shell lines that Fettle's scripted model runs, or the agent itself. */
  readonly agent: readonly string[] | AgentCommand;
  readonly model?: string;
}

export const DOCKERFILE = 'FROM debian:bookworm\nRUN mkdir -p /app /opt/tool && echo 42 > /opt/tool/word\nWORKDIR /app\n';
const TOML = 'version = "1.0"\n[verifier]\ntimeout_sec = 30.0\n[agent]\ntimeout_sec = 60.0\n[environment]\ncpus = 1\nmemory_mb = 512\n';
const TEST = `# hidden-6f1c
if [ "$(cat /app/answer.txt)" = "$(cat /opt/tool/word)" ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
`;

/** A task of Harbor whose image no scratch root can be: it passes with the word of the image in answer.txt. */
export async function boxedLab(
  podman: OwnPodman,
  {files = {}, agent, model = 'script'}: BoxedLab,
): Promise<{
  readonly request: RolloutRequest;
  readonly folder: string;
  artifact(name: string): Promise<string>;
}> {
  const whole = {
    'task.toml': TOML,
    'instruction.md': 'Write the word.\n',
    'environment/Dockerfile': DOCKERFILE,
    'tests/test.sh': TEST,
    'script.json': JSON.stringify({replies: 'program' in agent ? [{text: 'Not asked.'}] : replies(agent)}),
    ...files,
  };
  const folder = await scratch(Object.fromEntries(Object.entries(whole).map(([path, text]) => [`suite/t/${path}`, text])));
  const facts = {programs: new Set(['sh']), hasContainers: async () => true, importsFolder: join(folder, 'imports')};
  const {tasks, broken} = await readSuite(join(folder, 'suite'), facts, new AbortController().signal);
  const [task] = tasks;
  if (task === undefined) throw new Error(JSON.stringify(broken));
  const command = 'program' in agent ? agent : FETTLE;
  const scratchFolder = join(folder, 'scratch');
  const isolation = await openIsolation(join(folder, 'isolation'));
  onTestFinished(() => isolation.close());
  const containers = await openContainers({env: podman.env, agent: command, scratch: scratchFolder}, new AbortController().signal);
  onTestFinished(() => containers.close());
  return {
    folder,
    artifact: async (name) => await readFile(join(folder, 'artifacts', name), 'utf8'),
    request: {
      key: {run: 'run', task: 't', model, toolset: 'fettle', attempt: 1},
      task,
      retries: 0,
      folders: {scratch: scratchFolder, hidden: ['suite', 'artifacts', 'isolation'].map((name) => join(folder, name))},
      agent: command,
      artifacts: folderArtifacts(join(folder, 'artifacts')),
      isolation,
      containers,
    },
  };
}
