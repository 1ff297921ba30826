import {describe, expect, it} from 'vitest';
import {parseJob} from '../../../src/schedule/jobs/parse-job.ts';

const MINIMAL = 'prompt = "Update the dependencies."\nevery = "2h"\nworkspace = "/w"\ncreated = 2026-11-23T05:50:00Z\n';

function parse(text: string) {
  return parseJob({name: 'a', file: 'F', bytes: new TextEncoder().encode(text)});
}

function problems(text: string): readonly string[] {
  const found = parse(text);
  return 'problems' in found ? found.problems : [];
}

describe('a file that a person wrote', () => {
  it('needs what to do, when, where and since when; all else has a default, and nothing is allowed', async () => {
    expect(parse(MINIMAL)).toEqual({
      job: {
        name: 'a',
        action: {kind: 'prompt', prompt: 'Update the dependencies.'},
        timing: {kind: 'every', seconds: 7200, anchor: Date.parse('2026-11-23T05:50:00Z')},
        workspace: '/w',
        missed: 'once',
        overlap: 'skip',
        notify: 'always',
        createdAt: Date.parse('2026-11-23T05:50:00Z'),
        project: undefined,
        rights: {
          model: undefined,
          toolset: undefined,
          mode: 'ask',
          sandbox: 'off',
          allow: [],
          ask: [],
          deny: [],
          domains: [],
          verify: [],
          maxTurns: undefined,
          maxTokens: undefined,
          maxCostUsd: undefined,
          maxTimeS: undefined,
        },
      },
    });
  });

  it('in full-auto commands are in the sandbox unless it says otherwise', async () => {
    const sandboxOf = async (rights: string): Promise<unknown> =>
      (parse(`${MINIMAL}[rights]\n${rights}`) as {job: {rights: {sandbox: string}}}).job.rights.sandbox;
    expect([await sandboxOf('mode = "full-auto"'), await sandboxOf('mode = "full-auto"\nsandbox = "off"'), await sandboxOf('')]).toEqual([
      'workspace-write',
      'off',
      'off',
    ]);
  });

  it.each([
    ['created = "2026-11-23 05:50"', '2026-11-23T05:50:00Z'],
    ['created = 2026-11-23T06:50:00+01:00', '2026-11-23T05:50:00Z'],
    ['created = 2026-11-23T05:50:00', '2026-11-23T05:50:00Z'],
  ])('%s is a moment', async (line, moment) => {
    expect(parse(MINIMAL.replace(/created.*/, line))).toMatchObject({job: {createdAt: Date.parse(moment)}});
  });

  it('a moment without an offset is read in its time zone', async () => {
    const text = MINIMAL.replace('every = "2h"', 'at = 2026-12-01T09:00:00\ntime_zone = "America/New_York"');
    expect(parse(text)).toMatchObject({job: {timing: {kind: 'at', at: Date.parse('2026-12-01T14:00:00Z')}}});
  });
});

describe('what is wrong is named with file, line and key', () => {
  it.each([
    [
      'an empty file',
      '',
      [
        'F:1: workspace is missing: must be an absolute path',
        'F:1: created is missing: the moment from which on due times count, such as 2026-12-01T09:00:00Z',
      ],
    ],
    ['no TOML', 'prompt = ', ['F:1: not valid TOML: invalid value (column 10)']],
    ['a mistyped key', `${MINIMAL}promt = "x"`, ['F:5: unknown key promt; did you mean prompt?']],
    [
      'a mistyped right',
      `${MINIMAL}[rights]\nalow = []\ndney = []`,
      ['F:6: unknown key rights.alow; did you mean rights.allow?', 'F:7: unknown key rights.dney; did you mean rights.deny?'],
    ],
    [
      'a key of nothing',
      `${MINIMAL}[hooks]\nx = 1`,
      [
        'F:5: unknown key hooks; known here: prompt, reminder, workspace, every, cron, at, time_zone, missed, overlap, notify, created, project, rights',
      ],
    ],
    ['two things to do', `reminder = "x"\n${MINIMAL}`, ['F:1: reminder is one too many: a job has either `prompt` or `reminder`']],
    ['nothing to do', MINIMAL.replace(/prompt.*\n/, ''), ['F:1: a job has either `prompt` or `reminder`, and this has none']],
    ['two timings', `${MINIMAL}at = 2026-12-01T09:00:00Z`, ['F:5: at is one too many: a job has exactly one of `every`, `cron` and `at`']],
    ['no timing', MINIMAL.replace(/every.*\n/, ''), ['F:1: a job has exactly one of `every`, `cron` and `at`, and this has none']],
    [
      'a time zone for a period',
      `${MINIMAL}time_zone = "Europe/Berlin"`,
      ['F:5: time_zone is only for `cron` and `at`, not "Europe/Berlin"'],
    ],
    [
      'a zone that is none',
      MINIMAL.replace('every = "2h"', 'cron = "0 7 * * *"\ntime_zone = "Mars/Olympus"'),
      ['F:3: time_zone must be an IANA time zone such as "Europe/Berlin", not "Mars/Olympus"'],
    ],
    ['a relative workspace', MINIMAL.replace('/w', 'w'), ['F:3: workspace must be an absolute path, not "w"']],
    ['a period under a minute', MINIMAL.replace('2h', '30s'), ['F:2: every: "30s" is shorter than a minute, the least period of a job.']],
    ['no period', MINIMAL.replace('2h', 'often'), ['F:2: every: "often" is not a period.']],
    [
      'a moment that depends on the day',
      MINIMAL.replace('every = "2h"', 'at = "tomorrow 9:00"'),
      ['F:2: at: "tomorrow 9:00" is not a date with a time, such as 2026-12-01T09:00:00Z'],
    ],
    [
      'a rule that is none',
      `${MINIMAL}[rights]\nallow = ["bash:ls", "bash:"]`,
      ['F:6: rights.allow[1] must be a rule `tool:pattern` or `tool`, not "bash:"'],
    ],
    [
      'a mode that is none',
      `${MINIMAL}[rights]\nmode = "yolo"`,
      ['F:6: rights.mode must be one of plan, ask, accept-edits, full-auto, not "yolo"'],
    ],
    ['a limit that is none', `${MINIMAL}[rights]\nmax_turns = 0`, ['F:6: rights.max_turns must be a whole number of at least 1, not 0']],
    [
      'rights of a reminder',
      MINIMAL.replace('prompt', 'reminder') + '[rights]\nmode = "ask"',
      ['F:5: rights is only for a `prompt`: a reminder runs nothing'],
    ],
    ['a prompt that means stdin', MINIMAL.replace(/prompt.*/, 'prompt = " - "'), ['F:1: prompt must be text, not " - "']],
    ['hidden characters', MINIMAL.replace(/prompt.*/, String.raw`prompt = "a\u001bb"`), ['F:1: prompt must not hold control characters']],
    [
      'a prompt that no command line takes',
      MINIMAL.replace(/prompt.*/, `prompt = "${'a'.repeat(30_001)}"`),
      ['F:1: prompt must have at most 30000 characters'],
    ],
    ['a digest that is none', `${MINIMAL}project = "x"`, ['F:5: project must be what `fettle schedule resume` writes, not "x"']],
  ])('%s', async (_, text, lines) => {
    expect(problems(text)).toEqual(lines);
  });
});
