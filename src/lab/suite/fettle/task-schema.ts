import type {SettingSchema} from '../../../config/setting-schema.ts';

const text = (description: string): SettingSchema => ({
  type: 'string',
  description,
  pattern: String.raw`\S`,
  patternErrorMessage: 'must be text',
});
const seconds = (description: string): SettingSchema => ({type: 'number', description, exclusiveMinimum: 0, maximum: 7 * 24 * 3600});
const PROGRAM: SettingSchema = {
  type: 'string',
  description: '',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._+-]*$',
  patternErrorMessage: 'must be the name of a program',
};
const texts = (description: string): SettingSchema => ({type: 'object', description, additionalProperties: text(''), propertyNames: NAME});
const NAME: SettingSchema = {
  type: 'string',
  description: '',
  pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
  patternErrorMessage: 'must be a name of letters, digits, "_" and "-"',
};

/** The keys of `task.toml` in Fettle's own format. */
export const TASK_SCHEMA: SettingSchema = {
  type: 'object',
  description: 'A task of a suite.',
  additionalProperties: false,
  required: ['verify'],
  properties: {
    prompt: text('The prompt; a longer one stands in prompt.md instead.'),
    verify: text('Shell line that runs in the working folder after the agent. Exit code 0 means passed.'),
    set_up: {type: 'array', description: 'Shell lines that run in the working folder before the agent.', items: text('')},
    tests_at: {
      type: 'string',
      description:
        'The folder of the working folder in which the files of tests/ stand while `verify` runs; `.` puts them over its own files.',
      pattern: String.raw`^\.$|^(?!\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._-]+)*$`,
      patternErrorMessage: 'must be a relative path of plain names, without ".."',
    },
    session: {
      type: 'string',
      description: 'The recorded session of which the task was made.',
      pattern: '^thr_[a-z0-9]+$',
      patternErrorMessage: 'must be the id of a session',
    },
    needs: {type: 'array', description: 'Programs without which the task cannot be run here.', items: PROGRAM},
    network: {type: 'boolean', description: 'True: the commands of the task may use the network.'},
    env: texts('Variables of the agent and of `verify`.'),
    labels: texts('Labels by which reports group tasks: `language`, `kind` …'),
    limits: {
      type: 'object',
      description: 'Limits of the agent and of `verify`.',
      additionalProperties: false,
      properties: {
        agent_time_s: seconds('Seconds that the agent may take.'),
        verify_time_s: seconds('Seconds that `verify` may take.'),
        max_cost_usd: {type: 'number', description: 'Dollars that the agent may spend.', exclusiveMinimum: 0},
        max_turns: {type: 'integer', description: 'Requests that the agent may make.', minimum: 1},
      },
    },
  },
};
