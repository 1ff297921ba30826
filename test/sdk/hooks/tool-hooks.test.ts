import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ApprovalRequest} from '../../../src/tools/dispatch/dispatch.ts';
import {call, DONE, runHooked, theirs, told} from './run-hooked.ts';

const BASH = call('bash', {command: 'echo ran > out.txt; echo hello'});
const ran = async (cwd: string): Promise<boolean> => (await readFile(join(cwd, 'out.txt'), 'utf8').catch(() => '')) === 'ran\n';
const LOG = 'cat >> log.jsonl';
const say = (value: object): string => `echo '${JSON.stringify(value)}'`;
const decides = (decision: string, more: object = {}): string =>
  say({hookSpecificOutput: {hookEventName: 'PreToolUse', permissionDecision: decision, ...more}});

describe('hooks that people have for Claude Code, as they are (code.claude.com › hooks)', () => {
  it('a Python script that guards Bash by exit code 2', async () => {
    const script = `import json, sys
data = json.load(sys.stdin)
command = data["tool_input"]["command"]
if data["tool_name"] == "Bash" and "rm -rf" in command:
    print("refusing: " + command, file=sys.stderr)
    sys.exit(2)
`;
    const run = await runHooked({
      script: [call('bash', {command: 'rm -rf build'}), BASH, DONE],
      files: {
        '.fettle/hooks.json': theirs('PreToolUse', 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.py', 'Bash'),
        '.claude/hooks/guard.py': script,
      },
      trust: 'here',
    });
    expect([run.results, run.result.outcome, await ran(run.cwd)]).toEqual([
      ['Error: Denied by a hook: refusing: rm -rf build\nFind another way, or say what you need.', 'hello'],
      'denied',
      true,
    ]);
  });

  it('bash and jq that keep an edit away from a file, told of file_path', async () => {
    const command = `jq -e '.tool_input.file_path | test("a\\\\.txt$")' >/dev/null && { echo "a.txt is generated" >&2; exit 2; } || exit 0`;
    const run = await runHooked({
      script: [call('edit', {path: 'a.txt', old_string: 'one', new_string: 'two'}), DONE],
      own: {'hooks.json': theirs('PreToolUse', command, 'Edit|MultiEdit|Write')},
    });
    expect([run.results, await readFile(join(run.cwd, 'a.txt'), 'utf8')]).toEqual([
      ['Error: Denied by a hook: a.txt is generated\nFind another way, or say what you need.'],
      'one\n',
    ]);
  });

  it('a Node script that rewrites the input; in its names and in ours it is understood, and judged again', async () => {
    const script = `import {readFileSync} from 'node:fs';
const {tool_input: input} = JSON.parse(readFileSync('/dev/stdin', 'utf8'));
console.log(JSON.stringify({hookSpecificOutput: {hookEventName: 'PreToolUse', updatedInput: {...input, file_path: 'b.txt'}}}));
`;
    const run = await runHooked({
      script: [call('write', {path: 'a.txt', content: 'x'}), DONE],
      files: {'guard.mjs': script},
      own: {'hooks.json': theirs('PreToolUse', 'node guard.mjs', 'Write')},
    });
    expect([run.results, await readFile(join(run.cwd, 'b.txt'), 'utf8'), await readFile(join(run.cwd, 'a.txt'), 'utf8')]).toEqual([
      ['Created b.txt (1 byte).'],
      'x',
      'one\n',
    ]);
  });

  it('a formatter after edits that says what it found', async () => {
    const command = `jq -r '"checked " + .tool_input.file_path + (.tool_response.output | length | tostring)' >&2; exit 2`;
    const run = await runHooked({
      script: [call('edit', {path: 'a.txt', old_string: 'one', new_string: 'two'}), DONE],
      own: {'hooks.json': theirs('PostToolUse', command, 'Edit|Write')},
    });
    expect(run.results).toEqual([expect.stringMatching(/\n\[hook: checked a\.txt\d+\]$/)]);
    expect(await readFile(join(run.cwd, 'a.txt'), 'utf8')).toBe('two\n');
  });

  it('what stands on stdin, and the variables', async () => {
    const command = `jq -c --arg dir "$CLAUDE_PROJECT_DIR$FETTLE_PROJECT_DIR" --arg event "$FETTLE_HOOK_EVENT" '. + {dir: $dir, event: $event}' >> log.jsonl`;
    const run = await runHooked({script: [BASH, DONE], own: {'hooks.json': theirs('PreToolUse', command)}});
    const started = run.events.find((event) => event.type === 'thread.started');
    const id = started?.thread_id ?? '';
    expect(await run.log()).toEqual([
      {
        session_id: id,
        transcript_path: expect.stringMatching(new RegExp(`/state/sessions/.*${id}.*\\.jsonl$`)),
        cwd: run.cwd,
        permission_mode: 'bypassPermissions',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: {command: 'echo ran > out.txt; echo hello'},
        tool_use_id: expect.any(String),
        dir: `${run.cwd}${run.cwd}`,
        event: 'pre_tool_use',
      },
    ]);
  });
});

describe('pre_tool_use', () => {
  const withHooks = (...commands: string[]): string =>
    commands.map((command) => `[[hooks.pre_tool_use]]\nmatcher = "bash"\ncommand = '''${command}'''\ntimeout_s = 20\n`).join('');

  it('a denial is final: no later hook takes it back, none runs after it', async () => {
    const run = await runHooked({script: [BASH, DONE], config: withHooks(decides('deny'), decides('allow'), LOG)});
    expect([run.results[0], await ran(run.cwd), await run.log()]).toEqual([
      'Error: Denied by a hook: no reason\nFind another way, or say what you need.',
      false,
      [],
    ]);
  });

  it('each hook sees what the one before has rewritten, in our names', async () => {
    const rewrite = say({hookSpecificOutput: {updatedInput: {command: 'echo second'}}});
    const run = await runHooked({script: [BASH, DONE], config: withHooks(rewrite, LOG)});
    expect((await run.log()).map(({tool_name: name, tool_input: input}) => [name, input])).toEqual([['bash', {command: 'echo second'}]]);
    expect(run.results).toEqual(['second']);
  });

  it('what was rewritten is judged by the rules: a hook opens no way around them', async () => {
    const rewrite = say({hookSpecificOutput: {permissionDecision: 'allow', updatedInput: {command: 'sudo id'}}});
    const run = await runHooked({script: [BASH, DONE], config: `${withHooks(rewrite)}[permissions]\ndeny = ["bash:sudo *"]\n`});
    expect(run.results[0]).toMatch(/^Error: Denied: .*sudo/);
  });

  it('an input that does not fit is not run', async () => {
    const run = await runHooked({script: [BASH, DONE], config: withHooks(say({hookSpecificOutput: {updatedInput: {nothing: 1}}}))});
    expect([run.results[0]?.split('\n')[0], await ran(run.cwd)]).toEqual([
      'Error: The arguments of bash do not fit: command is missing (string).',
      false,
    ]);
  });

  it('not in time is a denial, and its process tree is gone', async () => {
    const run = await runHooked({
      script: [BASH, DONE],
      config: `[[hooks.pre_tool_use]]\ncommand = "sleep 300 & echo $! > pid; sleep 300"\ntimeout_s = 0.3\n`,
    });
    expect([run.results[0]?.split('\n')[0], await ran(run.cwd)]).toEqual(['Error: Denied by a hook: it did not answer in time', false]);
    const pid = Number(await readFile(join(run.cwd, 'pid'), 'utf8'));
    expect(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ' Z ')).toContain(' Z ');
  });

  it('another exit code is told to people, and the call runs', async () => {
    const run = await runHooked({script: [BASH, DONE], config: withHooks('echo broken >&2; exit 1')});
    expect([told(run), await ran(run.cwd)]).toEqual([['PreToolUse hook (echo broken >&2; exit 1): exit code 1: broken'], true]);
  });

  it('additionalContext stands behind the result, marked', async () => {
    const run = await runHooked({
      script: [BASH, DONE],
      config: withHooks(say({hookSpecificOutput: {additionalContext: 'Mind the docs.'}})),
    });
    expect(run.results).toEqual(['hello\n[hook: Mind the docs.]']);
  });

  it('continue: false ends the turn as blocked', async () => {
    const run = await runHooked({script: [BASH, DONE], config: withHooks(say({continue: false, stopReason: 'enough for today'}))});
    expect([run.result.outcome, run.result.message, await ran(run.cwd)]).toEqual([
      'blocked',
      'A hook ended the turn: enough for today',
      false,
    ]);
  });

  it('large inputs reach it whole, large outputs are bounded', async () => {
    const content = 'x'.repeat(300_000);
    const run = await runHooked({
      script: [call('write', {path: 'big.txt', content}), DONE],
      config: `[[hooks.pre_tool_use]]\ncommand = "jq -c '{n: (.tool_input.content|length)}' >> log.jsonl; head -c 1000000 /dev/zero | tr '\\\\0' y >&2; exit 2"\n`,
    });
    expect(await run.log()).toEqual([{n: 300_000}]);
    expect(run.results[0]?.length).toBeLessThan(11_000);
  });
});

describe('hooks and permissions', () => {
  const asking = {flags: {'--mode': 'ask', '--sandbox': 'off'}} as const;
  const hook = (event: string, command: string): string => `[[hooks.${event}]]\ncommand = '''${command}'''\n`;
  const behaves = (behavior: string, more: object = {}): string => say({hookSpecificOutput: {decision: {behavior, ...more}}});
  const asked = (requests: ApprovalRequest[]) => ({
    approve: async (request: ApprovalRequest) => {
      requests.push(request);
      return {decision: 'deny'} as const;
    },
  });

  it('allow answers what a person would be asked', async () => {
    const run = await runHooked({script: [BASH, DONE], config: hook('pre_tool_use', decides('allow')), ...asking});
    expect([run.results, await ran(run.cwd)]).toEqual([['hello'], true]);
    const decided = run.events.flatMap((event) => (event.type === 'permission.resolved' ? [event.decided_by] : []));
    expect(decided).toEqual(['hook']);
  });

  it.each([
    ['a deny rule', call('bash', {command: 'sudo id'}), 'deny = ["bash:sudo *"]'],
    ['an ask rule', call('bash', {command: 'git push'}), 'ask = ["bash:git push*"]'],
    ['a protected file', call('write', {path: '.vscode/settings.json', content: '{}'}), ''],
    ['a key', call('read', {path: '.env'}), ''],
    ['a shell that nobody can judge', call('bash', {command: 'curl x | sh'}), ''],
  ])('allow is weaker than %s, in both events', async (_, step, rules) => {
    const hooks = [hook('pre_tool_use', decides('allow')), hook('permission_request', behaves('allow'))].join('');
    const files = {'.env': 'KEY=1\n'};
    const run = await runHooked({script: [step, DONE], config: `${hooks}[permissions]\n${rules}\n`, files, ...asking});
    expect([run.result.outcome, run.results[0]?.startsWith('Error: Denied')]).toEqual(['denied', true]);
  });

  it('ask asks a person although everything is allowed; nobody there is a denial', async () => {
    const requests: ApprovalRequest[] = [];
    const config = hook('pre_tool_use', decides('ask', {permissionDecisionReason: 'it is Friday'}));
    const run = await runHooked({script: [BASH, DONE], config, ...asked(requests)});
    expect([requests.map(({decision}) => decision.reason), await ran(run.cwd)]).toEqual([
      ['a hook wants it to be asked: it is Friday'],
      false,
    ]);
    const alone = await runHooked({script: [BASH, DONE], config});
    expect([alone.results[0]?.split('\n')[0], await ran(alone.cwd)]).toEqual([
      'Error: Denied: a hook wants it to be asked: it is Friday, and nobody is here to ask.',
      false,
    ]);
  });

  it('ask holds for reads too, which are never asked otherwise', async () => {
    const config = hook('pre_tool_use', decides('ask'));
    const run = await runHooked({script: [call('read', {path: 'a.txt'}), DONE], config, ...asking});
    expect(run.results[0]).toMatch(/^Error: Denied/);
  });

  it('permission_request answers in place of a person, who is not asked; also where nobody is there', async () => {
    const requests: ApprovalRequest[] = [];
    const allowed = await runHooked({
      script: [BASH, DONE],
      config: hook('permission_request', behaves('allow')),
      ...asking,
      ...asked(requests),
    });
    const alone = await runHooked({script: [BASH, DONE], config: hook('permission_request', behaves('allow')), ...asking});
    const config = hook('permission_request', behaves('deny', {message: 'not here'}));
    const denied = await runHooked({script: [BASH, DONE], config, ...asking, ...asked(requests)});
    expect([requests, await ran(allowed.cwd), await ran(alone.cwd), await ran(denied.cwd), denied.results]).toEqual([
      [],
      true,
      true,
      false,
      ['Error: Denied by a hook: not here\nFind another way, or say what you need.'],
    ]);
  });

  it('permission_request is told what is asked, and may not change the input behind the back of the rules', async () => {
    const config = hook('permission_request', `tee -a log.jsonl >/dev/null; ${behaves('allow', {updatedInput: {command: 'id'}})}`);
    const run = await runHooked({script: [BASH, DONE], config, ...asking});
    expect((await run.log()).map(({reason, subjects, permission_suggestions: offers}) => ({reason, subjects, offers})))
      .toMatchInlineSnapshot(`
      [
        {
          "offers": [
            "write:out.txt",
          ],
          "reason": "out.txt: no rule allows this write",
          "subjects": [
            "echo ran > out.txt; echo hello",
          ],
        },
      ]
    `);
    expect(run.results).toEqual([
      'Error: Denied by a hook: a hook wants another input; PreToolUse hooks may rewrite it\nFind another way, or say what you need.',
    ]);
  });

  it('a person who is asked is told of it by a notification, which nobody waits for', async () => {
    const requests: ApprovalRequest[] = [];
    const run = await runHooked({
      script: [BASH, DONE],
      config: hook('notification', 'cat >> log.jsonl; sleep 300'),
      ...asking,
      approve: async (request) => {
        requests.push(request);
        return {decision: 'deny'};
      },
    });
    expect([requests.length, run.result.outcome]).toEqual([1, 'denied']);
  });
});
