import type {JsonObject} from '../../../base/json.ts';
import type {SettingSchema} from '../../../config/setting-schema.ts';

const seconds = (description: string): SettingSchema => ({type: 'number', description, exclusiveMinimum: 0, maximum: 7 * 24 * 3600});
const text = (description: string): SettingSchema => ({type: 'string', description});
const table = (
  description: string,
  properties: Readonly<Record<string, SettingSchema>>,
  required: readonly string[] = [],
): SettingSchema => ({
  type: 'object',
  description,
  properties,
  required,
  additionalProperties: true,
});
const texts = (description: string): SettingSchema => ({
  type: 'object',
  description,
  propertyNames: {
    type: 'string',
    description: '',
    pattern: String.raw`^[A-Za-z_]\w*$`,
    patternErrorMessage: 'must be the name of a variable',
  },
  additionalProperties: text(''),
});

const verifier = table('How the result is judged.', {
  timeout_sec: seconds('Seconds for the tests.'),
  env: texts('Variables of the tests.'),
  environment_mode: text('`separate`: the tests have an image of their own.'),
});
const healthcheck = table(
  'A command that must succeed before the agent starts.',
  {
    command: text('Shell line.'),
    interval_sec: seconds('Seconds between two tries.'),
    timeout_sec: seconds('Seconds for one try.'),
    start_period_sec: {type: 'number', description: 'Seconds in which failures do not count.', minimum: 0},
    retries: {type: 'integer', description: 'Failures in a row that count.', minimum: 1},
  },
  ['command'],
);
const agent = table('Limits of the agent.', {timeout_sec: seconds('Seconds for the agent.')});
const server = table(
  'An MCP server for the agent.',
  {
    name: text('Its name.'),
    transport: {type: 'string', description: 'How it is reached.', enum: ['stdio', 'sse', 'streamable-http', 'http']},
    url: text('Address.'),
    command: text('Program of a stdio server.'),
    args: {type: 'array', description: 'Its arguments.', items: text('')},
  },
  ['name'],
);

/** The keys of Harbor's `task.toml` that are read; others are ignored, as Harbor does. */
export const HARBOR_SCHEMA: SettingSchema = table("A task in Harbor's format.", {
  task: table('Name and authors.', {name: text('`org/name`.')}),
  metadata: table('Anything.', {}),
  verifier,
  agent,
  multi_step_reward_strategy: {type: 'string', description: 'How rewards of steps become one.', enum: ['mean', 'final']},
  environment: table('The place of the task.', {
    docker_image: text('An image that is ready.'),
    build_timeout_sec: seconds('Seconds to build or pull the image.'),
    cpus: {type: 'number', description: 'Processors of its container.', exclusiveMinimum: 0},
    memory_mb: {type: 'number', description: 'Megabytes of memory of its container.', minimum: 6},
    memory: {
      type: 'string',
      description: 'Older form of memory_mb.',
      pattern: String.raw`^\d+(?:\.\d+)?[KMG]i?B?$`,
      patternErrorMessage: 'must be an amount such as 2G',
    },
    gpus: {type: 'integer', description: 'GPUs.', minimum: 0},
    allow_internet: {type: 'boolean', description: 'Older form of network_mode.'},
    network_mode: {type: 'string', description: 'Access to the network.', enum: ['public', 'no-network', 'allowlist']},
    workdir: text('The working folder.'),
    env: texts('Variables of the place.'),
    mcp_servers: {type: 'array', description: 'MCP servers for the agent.', items: server},
    skills_dir: text('Folder of the place that has skills.'),
    healthcheck,
  }),
  steps: {
    type: 'array',
    description: 'Steps, in order.',
    items: table(
      'A step.',
      {
        name: {
          type: 'string',
          description: 'Its folder below steps/.',
          pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
          patternErrorMessage: 'must be a plain name of letters, digits, ".", "_" and "-"',
        },
        agent,
        verifier,
        healthcheck,
      },
      ['name'],
    ),
  },
});

export interface HarborHealthcheck {
  readonly command: string;
  readonly interval_sec?: number;
  readonly timeout_sec?: number;
  readonly start_period_sec?: number;
  readonly retries?: number;
}

export interface HarborVerifier {
  readonly timeout_sec?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment_mode?: string;
}

export interface HarborStep {
  readonly name: string;
  readonly agent?: {readonly timeout_sec?: number};
  readonly verifier?: HarborVerifier;
  readonly healthcheck?: HarborHealthcheck;
  /** A number, or a table of them by name of reward. */
  readonly min_reward?: unknown;
}

/** The keys that are read, after the check. */
export interface HarborFields {
  readonly task?: {readonly name?: string};
  readonly metadata?: JsonObject;
  readonly verifier?: HarborVerifier;
  readonly agent?: {readonly timeout_sec?: number};
  readonly multi_step_reward_strategy?: 'mean' | 'final';
  readonly environment?: {
    readonly docker_image?: string;
    readonly build_timeout_sec?: number;
    readonly cpus?: number;
    readonly memory_mb?: number;
    readonly memory?: string;
    readonly gpus?: number;
    readonly allow_internet?: boolean;
    readonly network_mode?: 'public' | 'no-network' | 'allowlist';
    readonly workdir?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly mcp_servers?: readonly {
      readonly name: string;
      readonly transport?: 'stdio' | 'sse' | 'streamable-http' | 'http';
      readonly url?: string;
      readonly command?: string;
      readonly args?: readonly string[];
    }[];
    readonly skills_dir?: string;
    readonly healthcheck?: HarborHealthcheck;
  };
  readonly steps?: readonly HarborStep[];
}
