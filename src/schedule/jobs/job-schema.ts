import {
  HOST_OR_DOMAIN,
  list,
  MODEL,
  oneOf,
  positive,
  RULE,
  seconds,
  table,
  TEXT,
  wholeFrom,
  type SettingSchema,
} from '../../config/setting-schema.ts';

/** Everything that the file of a job may contain. */
export const JOB_SCHEMA: SettingSchema = table(
  'A job.',
  {
    prompt: {...TEXT, description: 'The task of the model. One of `prompt` and `reminder`.'},
    reminder: {...TEXT, description: 'A text for you; no model is asked.'},
    workspace: {
      type: 'string',
      description: 'The folder of the runs.',
      pattern: '^/',
      patternErrorMessage: 'must be an absolute path',
    },
    every: {...TEXT, description: 'The period, such as "2h" or "30 minutes". One of `every`, `cron` and `at`.'},
    cron: {...TEXT, description: 'A cron expression of five fields.'},
    at: {...TEXT, description: 'One moment (RFC 3339).'},
    time_zone: {...TEXT, description: 'The IANA time zone of `cron`, or of an `at` without an offset.'},
    missed: oneOf('Which of the due times that passed while nothing ran are run later.', ['skip', 'once', 'all']),
    overlap: oneOf('What is done about a due time while an earlier run goes on.', ['skip', 'queue', 'cancel-old']),
    notify: oneOf('Which ends of runs you are told about.', ['always', 'failure', 'never']),
    created: {...TEXT, description: 'The moment from which on due times count (RFC 3339).'},
    project: {
      type: 'string',
      description: 'Digest of what the project of the workspace would run or load; `fettle schedule resume NAME` writes it.',
      pattern: '^sha256:[0-9a-f]{64}$',
      patternErrorMessage: 'must be what `fettle schedule resume` writes',
    },
    rights: table('What a run may do; nothing else allows it more.', {
      model: {...MODEL, description: 'The model; without it the configured one.'},
      toolset: {...TEXT, description: 'The toolset; without it the configured one.'},
      mode: oneOf('The approval mode. There is nobody to ask: what would be asked is denied.', [
        'plan',
        'ask',
        'accept-edits',
        'full-auto',
      ]),
      sandbox: oneOf('What commands may write.', ['off', 'read-only', 'workspace-write']),
      allow: list('Rules that allow.', RULE),
      ask: list('Rules that ask.', RULE),
      deny: list('Rules that deny.', RULE),
      domains: list('Hosts that sandboxed commands may reach.', HOST_OR_DOMAIN),
      verify: list('Commands that must succeed before a run counts as done.', {...TEXT, description: 'A command.'}),
      max_turns: wholeFrom(1, 'Requests to the model.'),
      max_tokens: wholeFrom(1, 'Tokens, input and output together.'),
      max_cost_usd: positive('US dollars.'),
      max_time_s: seconds('Seconds of wall clock.'),
    }),
  },
  ['workspace', 'created'],
);

/** The keys below a path of the schema, for advice about a mistyped one. */
export function jobKeysAt(path: readonly (string | number)[]): readonly string[] {
  const schema = path.reduce<SettingSchema | undefined>((at, key) => at?.properties?.[String(key)], JOB_SCHEMA);
  return Object.keys(schema?.properties ?? {});
}
