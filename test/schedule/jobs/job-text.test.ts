import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';
import {jobText, withProject} from '../../../src/schedule/jobs/job-text.ts';
import {parseJob} from '../../../src/schedule/jobs/parse-job.ts';
import {aJob} from './a-job.ts';

function read(text: string): JobDefinition | readonly string[] {
  const found = parseJob({name: 'nightly-checks', file: 'F', bytes: new TextEncoder().encode(text)});
  return 'job' in found ? found.job : found.problems;
}

const OTHER = `sha256:${'b'.repeat(64)}`;

describe('the file of a job', () => {
  it('is written for people', () => {
    expect(jobText(aJob({action: {kind: 'prompt', prompt: 'Run the checks.\nSay "done" when done.'}}))).toMatchInlineSnapshot(`
      "# \`fettle schedule show nightly-checks\` says what this job may do. Changes take effect at once; \`fettle schedule list\` names mistakes.

      prompt = """
      Run the checks.
      Say "done" when done.
      """
      workspace = "/home/ann/app"

      cron = "0 7 * * 1-5"
      time_zone = "Europe/Berlin"
      missed = "once"
      overlap = "skip"
      notify = "always"

      created = 2026-11-23T05:50:00.123Z
      project = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

      # A run has these rights and no others; ask and deny rules of the configuration hold besides.
      [rights]
      model = "openai/gpt-6.2-sol"
      toolset = "fettle"
      mode = "accept-edits"
      sandbox = "workspace-write"
      allow = ["bash:npm test *"]
      ask = []
      deny = ["bash:npm publish *"]
      domains = ["registry.npmjs.org"]
      verify = ["npm test"]
      max_turns = 50
      max_tokens = 1000000
      max_cost_usd = 0.5
      max_time_s = 1800
      "
    `);
  });

  it('what is written is read again as it was (property)', async () => {
    const text = fc
      .string({unit: 'grapheme', minLength: 1})
      .filter((value) => value.trim() !== '' && value.trim() !== '-' && !CONTROL.test(value));
    const lines = fc
      .array(fc.oneof(text, fc.constantFrom('"""', String.raw`\"`, '"', String.raw`\ `, "'''")), {minLength: 1})
      .map((all) => all.join('\n').trim());
    const at = fc.integer({min: 0, max: 4e12});
    const timing: fc.Arbitrary<JobDefinition['timing']> = fc.oneof(
      at.map((moment) => ({kind: 'at', at: moment}) as const),
      fc.integer({min: 60, max: 1e7}).map((seconds) => ({kind: 'every', seconds, anchor: 5}) as const),
      fc.constant({kind: 'cron', expression: '*/5 7 * * *', timeZone: 'Pacific/Apia'} as const),
    );
    await fc.assert(
      fc.asyncProperty(
        lines,
        text,
        timing,
        fc.float({min: Math.fround(0.001), max: 1e6, noNaN: true, noDefaultInfinity: true}),
        async (prompt, word, when, cost) => {
          const job = aJob({
            action: {kind: 'prompt', prompt},
            timing: when,
            createdAt: 5,
            workspace: `/${word}`,
            rights: {...aJob().rights, verify: [word], maxCostUsd: cost},
          });
          expect(read(jobText(job))).toEqual(job);
        },
      ),
      {numRuns: 200},
    );
  });

  it('of a reminder it has no rights', async () => {
    const job = aJob({action: {kind: 'reminder', text: 'Stand up.'}, project: undefined});
    const text = jobText(job);
    expect(text).not.toContain('[rights]');
    expect(read(text)).toMatchObject({
      action: {kind: 'reminder', text: 'Stand up.'},
      rights: {mode: 'ask', sandbox: 'off', allow: []},
    });
  });
});

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

describe('accepting a project', () => {
  it.each([
    [
      'the line is replaced',
      `prompt = "x" # mine\nproject = "old"\n\n# rights\n[rights]\n`,
      `prompt = "x" # mine\nproject = "${OTHER}"\n\n# rights\n[rights]\n`,
    ],
    [
      'without one it comes before the rights',
      `prompt = "x"\n[rights] # mine\nmode = "ask"`,
      `prompt = "x"\nproject = "${OTHER}"\n[rights] # mine\nmode = "ask"`,
    ],
    ['or at the end', `# mine\nprompt = "x"\n`, `# mine\nprompt = "x"\nproject = "${OTHER}"\n`],
    ['also where the last line has no end', `prompt = "x"`, `prompt = "x"\nproject = "${OTHER}"`],
    ['line ends stay', `prompt = "x"\r\nproject = "y"\r\n`, `prompt = "x"\r\nproject = "${OTHER}"\r\n`],
    ['a value of several lines cannot be replaced', `prompt = "x"\nproject = """\ny"""\n`, undefined],
  ])('%s', (_, before, after) => {
    expect(withProject(before, OTHER)).toBe(after);
  });
});
