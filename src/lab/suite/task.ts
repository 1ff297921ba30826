import type {JsonObject} from '../../base/json.ts';

/** A folder of tasks, as it was read. A task that cannot be read is listed with its problem, and the others stay. */
export interface Suite {
  readonly name: string;
  /** Absolute, a real path. */
  readonly folder: string;
  readonly tasks: readonly SuiteTask[];
  readonly broken: readonly {readonly id: string; readonly problem: string}[];
}

/** One task, whatever format it was imported from. All paths are absolute. */
export interface SuiteTask {
  /** Unique in its suite: letters, digits, `.`, `_`, `-`. */
  readonly id: string;
  readonly format: 'fettle' | 'harbor' | 'swe-bench' | 'polyglot' | 'session';
  /** SHA-256 over everything of the task that decides its result: prompt, start, commands, limits, hidden tests. */
  readonly digest: string;
  /** At least one; most tasks have one. Later steps go on in the same folder. */
  readonly steps: readonly TaskStep[];
  readonly start: StartingTree;
  readonly place: TaskPlace;
  readonly limits: TaskLimits;
  /** Reasons why it cannot be run on this machine, one line each; empty if it can. Such a task is counted as not run. */
  readonly lacks: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Recorded replies of a model that solves it, for `--models script`. */
  readonly script?: string | undefined;
}

export interface TaskStep {
  readonly name: string;
  readonly prompt: string;
  /** Files that are copied into the working folder before the step. */
  readonly files?: string | undefined;
  /** Shell lines that run in the sandbox before the agent, in order; one that fails is a failure of the infrastructure. */
  readonly setUp: readonly string[];
  readonly verify: Verification;
  /** JSON Schema of the last answer; without it any text. */
  readonly outputSchema?: JsonObject | undefined;
  /** True: the agent has the tools that only read, as in `fettle ask`. */
  readonly isReadOnly?: boolean | undefined;
  /** Temperature of the requests to the model; without it none is sent. */
  readonly temperature?: number | undefined;
  /** The rollout goes on with the next step only from this reward on. */
  readonly minReward?: number | undefined;
}

/** How the result of a step is judged, where the agent cannot reach. */
export interface Verification {
  /** A shell line that runs in the working folder after the agent. Without `rewardFiles` exit code 0 is reward 1, any other 0. */
  readonly command: string;
  /** Folders of hidden tests, merged in this order into `testsAt` just before the command runs. */
  readonly tests: readonly string[];
  /** Absolute in the place of the task, or relative to its working folder. */
  readonly testsAt: string;
  /** Files of rewards, of which the command must write one: a number, or a JSON object of named numbers. */
  readonly rewardFiles: readonly string[];
  /**
   * `agent`: files that test runners load by themselves (`conftest.py`, `jest.config.js` …) are the agent's work. Otherwise those that it has changed
   * are put back first, and those that it has made are removed.
   */
  readonly runnerFiles?: 'agent' | undefined;
  readonly timeoutS: number;
  readonly env: Readonly<Record<string, string>>;
}

export type StartingTree =
  | {readonly kind: 'folder'; readonly folder: string}
  | {readonly kind: 'empty'}
  /** A commit of a local repository. */
  | {readonly kind: 'git'; readonly repository: string; readonly commit: string};

/** How the machine looks to a task. */
export interface TaskPlace {
  /** `folder`: a scratch folder of any name. `root`: the scratch folders are also seen as /app, /tests and /logs, as Harbor's tasks expect. */
  readonly kind: 'folder' | 'root';
  /** Working folder; for `root` an absolute path such as /app. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Copies before the first step, from the task's own files into the place. */
  readonly copies: readonly {readonly from: string; readonly to: string}[];
  readonly network: boolean;
  readonly mcpServers: readonly McpServerOfTask[];
  /** Folder with skills for the agent. */
  readonly skills?: string | undefined;
  /** It runs in a container, since no scratch root is enough. `workdir` then counts in the digest alone. */
  readonly container?: TaskContainer | undefined;
}

/** The image of a task and the limits of its containers. */
export interface TaskContainer {
  /** Absolute; its folder is the build context. */
  readonly dockerfile?: string | undefined;
  /** A ready image, which comes before a Dockerfile. */
  readonly image?: string | undefined;
  /** Absolute in the container; without it that of the image. */
  readonly workdir?: string | undefined;
  /** Seconds to build or pull the image. */
  readonly buildTimeoutS: number;
  readonly cpus?: number | undefined;
  /** As engines write it: `2048m`. */
  readonly memory?: string | undefined;
}

export interface McpServerOfTask {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

export interface TaskLimits {
  readonly agentTimeS: number;
  readonly maxCostUsd?: number | undefined;
  readonly maxTurns?: number | undefined;
}
