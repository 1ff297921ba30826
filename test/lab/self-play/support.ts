import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openIsolation} from '../../../src/exec/sandbox/open-isolation.ts';
import {openArtifacts} from '../../../src/lab/artifacts/open-artifacts.ts';
import {artifactReader, artifactsIn} from '../../../src/lab/artifacts/rollout-artifacts.ts';
import {openEngine} from '../../../src/lab/engine/open-engine.ts';
import {stepsOfRollout} from '../../../src/lab/log/rollout-log.ts';
import {scratchName} from '../../../src/lab/rollout/place/scratch-place.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import type {RunPlan} from '../../../src/lab/run/run-plan.ts';
import {planPlay} from '../../../src/lab/self-play/plan-play.ts';
import {playRun, type PlayEnd} from '../../../src/lab/self-play/play-run.ts';
import type {RolesOf} from '../../../src/lab/self-play/role-tasks.ts';
import type {SuiteTask} from '../../../src/lab/suite/task.ts';
import {step} from '../rollout/runs/support.ts';
import {scratch} from '../../support/scratch.ts';

/** The work of one rollout: shell lines in its tree, then its answer. */
export interface RoleWork {
  readonly lines?: readonly string[];
  readonly answer?: object;
}

export interface PlayOptions {
  /** The starting tree. */
  readonly start: Readonly<Record<string, string>>;
  /** A shell line. */
  readonly hidden: string;
  /** By role and attempt: `fix.1`. */
  readonly work: Readonly<Record<string, RoleWork>>;
  readonly roles: RolesOf;
  /** Agents and tests are isolated, which takes bubblewrap. */
  readonly isIsolated?: boolean;
}

export interface PlayFixture {
  /** Runs it, or the rest of it. */
  run(budgetUsd?: number): Promise<PlayEnd>;
  readonly notes: readonly string[];
  /** The plan as it was stored last. */
  plan(): RunPlan;
  /** What the agent of a rollout said of itself: its command, its temperature, the beginning of its log. */
  said(result: RolloutResult): Promise<string>;
}

const NEVER = new AbortController().signal;
const KEY = {run: 'play', model: 'a/b', toolset: 'fettle', attempt: 1};

/** A run of self-play on one task, whose agents are shell scripts: each costs 0.25 dollars. */
export async function play({start, hidden, work, roles, isIsolated = false}: PlayOptions): Promise<PlayFixture> {
  const folder = await scratch(Object.fromEntries(Object.entries(start).map(([path, text]) => [`suite/sum/start/${path}`, text])));
  const isolation = isIsolated ? await openIsolation(join(folder, 'isolation')) : undefined;
  const engine = await openEngine({folder: join(folder, 'lab'), queue: undefined}, NEVER);
  onTestFinished(async () => {
    await engine.close();
    await isolation?.close();
  });
  const store = await openArtifacts(join(folder, 'artifacts'), {});
  const source: SuiteTask = {
    id: 'sum',
    format: 'fettle',
    digest: 'digest',
    steps: [{...step({command: hidden}), prompt: 'add(a, b) returns the product. Fix it.'}],
    start: {kind: 'folder', folder: join(folder, 'suite/sum/start')},
    place: {kind: 'folder', workdir: '.', env: {}, copies: [], network: false, mcpServers: []},
    limits: {agentTimeS: 60},
    lacks: [],
    labels: {},
  };
  const suite = {name: 'suite', folder: join(folder, 'suite'), tasks: [source], broken: []};
  const of = {suite, models: [KEY.model], toolsets: [KEY.toolset], name: KEY.run, runsFolder: join(folder, 'lab'), now: 0, version: '1'};
  let plan = planPlay({run: {...of, store: join(folder, 'artifacts')}, roles, rates: new Map()});
  const notes: string[] = [];
  return {
    notes,
    plan: () => plan,
    async run(budgetUsd) {
      plan = {...plan, budgetUsd};
      return await playRun(
        {
          plan,
          roles,
          sources: [source],
          engine,
          runner: {
            tasks: new Map(),
            folders: {
              scratch: join(folder, 'scratch'),
              hidden: ['suite', 'lab', 'artifacts', 'isolation'].map((name) => join(folder, name)),
            },
            agent: {program: 'bash', args: ['-c', agentScript(work)], env: process.env, secrets: {}, settings: {}, version: '1'},
            artifacts: artifactsIn(store),
            isolation,
          },
          workers: 1,
          onProgress: () => undefined,
          onNote: (note) => notes.push(note),
          savePlan: async (longer) => {
            plan = longer;
            return await Promise.resolve();
          },
          scoresFile: join(folder, 'pairs.jsonl'),
          importsFolder: join(folder, 'imports'),
          reader: (results) => artifactReader(store, results),
        },
        NEVER,
      );
    },
    async said(result) {
      const [first] = stepsOfRollout(result);
      const bytes = await artifactReader(store, [result])(first?.places['events.jsonl'] ?? '', NEVER);
      return new TextDecoder().decode(bytes);
    },
  };
}

/** Each rollout knows itself by its scratch folder, whose name follows from its key. */
function agentScript(work: PlayOptions['work']): string {
  const cases = Object.entries(work).map(([name, {lines = [], answer = {}}]) => {
    const at = scratchName({...KEY, task: `sum.${name}`});
    const end = {
      type: 'thread.completed',
      thread_id: 'thr_1',
      subtype: 'success',
      outcome_code: 'success',
      usage: {input_tokens: 200, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 20, reasoning_tokens: 0},
      total_cost_usd: 0.25,
      num_turns: 1,
      result: JSON.stringify(answer),
    };
    return `*${at}*)\n${lines.join('\n')}\ncat <<'END'\n${JSON.stringify(end)}\nEND\n;;`;
  });
  const item = {type: 'agent_message', id: 'm', request_id: 'r', text: 'COMMAND TEMPERATURE LOG'};
  const say = JSON.stringify({type: 'item.completed', item});
  return `
temperature=$(grep ^temperature "$FETTLE_HOME/config.toml")
log=$(grep -c 'Log of a run that looked' -)
echo '${say}' | sed "s/COMMAND/$0/; s/TEMPERATURE/$temperature/; s/LOG/log $log/"
case "$PWD" in
${cases.join('\n')}
esac
`;
}

/** A test set of one module of JavaScript. */
export function tests(content: string, command = 'node self-play-tests/a.mjs'): RoleWork {
  return {answer: {command, tests: [{path: 'self-play-tests/a.mjs', content}], rationale: 'It is certain to be right.'}};
}
