import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {missingSandbox} from '../../exec/sandbox/support.ts';
import {call, DONE, runHooked, theirs, told} from './run-hooked.ts';

const hook = (event: string, command: string, more = ''): string => `[[hooks.${event}]]\ncommand = '''${command}'''\n${more}`;
const say = (value: object): string => `echo '${JSON.stringify(value)}'`;
const LOG = 'cat >> log.jsonl';

describe('user_prompt_submit', () => {
  it('plain text and additionalContext go in front of the prompt, marked', async () => {
    const config =
      hook('user_prompt_submit', 'echo "branch main"') +
      hook('user_prompt_submit', say({hookSpecificOutput: {additionalContext: 'It is late.'}}));
    const run = await runHooked({script: [DONE], config});
    expect([run.result.outcome, run.said]).toEqual(['success', ['[hook: branch main]', '[hook: It is late.]', 'go']]);
  });

  it.each([
    ['exit code 2', 'echo no secrets please >&2; exit 2', 'no secrets please'],
    ['exit code 2 without a word', 'exit 2', 'a hook blocked it, and gave no reason'],
    ['decision block', say({decision: 'block', reason: 'no'}), 'no'],
    ['continue false', say({continue: false, stopReason: 'closed'}), 'closed'],
    ['not in time', 'sleep 300', 'it did not answer in time'],
  ])('%s: the prompt never reaches the model, and the turn ends as denied', async (_, command, reason) => {
    const run = await runHooked({script: [], config: hook('user_prompt_submit', command, 'timeout_s = 0.4\n'), prompt: 'my key is x'});
    expect([run.result.outcome, run.result.message, run.said]).toEqual(['denied', `The prompt was refused: ${reason}`, []]);
    expect(JSON.stringify(run.events)).not.toContain('my key is x');
  });

  it('holds for steering too; the refused input is settled and said', async () => {
    let steered = false;
    const run = await runHooked({
      script: [call('read', {path: 'a.txt'}), DONE],
      config: hook('user_prompt_submit', `jq -r .prompt | grep -q secret && { echo hush >&2; exit 2; } || exit 0`),
      act(thread) {
        if (!steered) thread.steer('the secret is 7');
        steered = true;
      },
    });
    expect([run.result.outcome, run.said, told(run)]).toEqual([
      'success',
      ['go', '[An input was refused by a hook.]'],
      ['An input was refused: hush'],
    ]);
  });
});

describe('session_start and session_end', () => {
  it('run once, at the first prompt and at the end; the context of the start stands first', async () => {
    const config = [
      hook('session_start', `${LOG}; echo "Use pnpm."`),
      hook('session_start', 'exit 2', 'matcher = "resume"\n'),
      hook('session_end', LOG),
    ].join('');
    const run = await runHooked({
      script: [call('read', {path: 'a.txt'}), {text: 'One.'}, {text: 'Two.'}],
      config,
      act: (thread) => void thread.followUp('more'),
    });
    expect((await run.log()).map(({hook_event_name: event, source, reason}) => [event, source ?? reason])).toEqual([
      ['SessionStart', 'startup'],
      ['SessionEnd', 'completed'],
    ]);
    expect(run.said).toEqual(['[hook: Use pnpm.]', 'go', 'more']);
  });
});

describe('stop', () => {
  it('sends an answer back with its reason, and sees that it has done so', async () => {
    const config = hook('stop', `tee -a log.jsonl | jq -e .stop_hook_active >/dev/null || { echo "Run the tests." >&2; exit 2; }`);
    const run = await runHooked({script: [{text: 'First.'}, {text: 'Second.'}], config});
    expect([run.result.outcome, run.result.text, run.said]).toEqual(['success', 'Second.', ['go', '[hook: Run the tests.]']]);
    expect((await run.log()).map(({stop_hook_active: active, last_assistant_message: text}) => [active, text])).toEqual([
      [false, 'First.'],
      [true, 'Second.'],
    ]);
  });

  it('one that never accepts is heard five times; then the turn ends as blocked, and not as a success', async () => {
    const run = await runHooked({
      script: Array.from({length: 6}, () => DONE),
      own: {'hooks.json': theirs('Stop', say({decision: 'block', reason: 'no'}))},
    });
    expect([run.result.outcome, run.result.message, run.said.length]).toEqual([
      'blocked',
      'A stop hook did not accept the answer 6 times: no',
      6,
    ]);
  });

  it('what is broken or late is told, and the answer stands', async () => {
    const config = hook('stop', 'exit 1') + hook('stop', 'sleep 300', 'timeout_s = 0.3\n');
    const run = await runHooked({script: [DONE], config});
    expect([run.result.outcome, told(run)]).toEqual([
      'success',
      ['Stop hook (exit 1): exit code 1', 'Stop hook (sleep 300): it did not answer in time'],
    ]);
  });
});

describe('post_tool_use', () => {
  it('failures have an event of their own, and what is refused has none', async () => {
    const config = hook('post_tool_use', LOG) + hook('post_tool_use_failure', LOG) + hook('pre_tool_use', 'exit 2', 'matcher = "write"\n');
    const script = [
      call('read', {path: 'a.txt'}),
      call('read', {path: 'none.txt'}),
      call('bash', {command: 'exit 3'}),
      call('write', {path: 'x', content: ''}),
      DONE,
    ];
    const run = await runHooked({script, config});
    expect((await run.log()).map(({hook_event_name: event, tool_name: name}) => [event, name])).toEqual([
      ['PostToolUse', 'read'],
      ['PostToolUseFailure', 'read'],
      ['PostToolUseFailure', 'bash'],
    ]);
    expect((await run.log())[0]).toMatchObject({tool_response: {output: expect.stringContaining('one')}, duration_ms: expect.any(Number)});
  });

  it('what a hook says of a secret is redacted like a result', async () => {
    const run = await runHooked({
      script: [call('read', {path: 'a.txt'}), DONE],
      config: `${hook('post_tool_use', 'echo "token $DEPLOY_TOKEN" >&2; exit 2')}[environment]\nset = {DEPLOY_TOKEN = "s3cr3t-value-12345"}\n`,
    });
    expect(run.results[0]).toContain('[hook: token ');
    expect(run.results[0]).not.toContain('s3cr3t-value-12345');
  });
});

describe('subagents', () => {
  const TASK = call('task', {task: 'look around', agent: 'explore'});

  it('are started and ended with hooks, which may add to both', async () => {
    const config =
      hook('subagent_start', `${LOG}; echo "Stay in src."`, 'matcher = "explore"\n') +
      hook('subagent_stop', `${LOG}; echo "Check it." >&2; exit 2`);
    const run = await runHooked({script: [TASK, {text: 'Found nothing.'}, DONE], config});
    const log = await run.log();
    expect(
      log.map(({hook_event_name: event, agent_type: type, prompt, last_assistant_message: text}) => [event, type, prompt ?? text]),
    ).toEqual([
      ['SubagentStart', 'explore', 'look around'],
      ['SubagentStop', 'explore', 'Found nothing.'],
    ]);
    expect(run.results[0]).toContain('[hook: Check it.]');
  });

  it('one that may not start is a denied call', async () => {
    const run = await runHooked({script: [TASK, DONE], config: hook('subagent_start', 'echo busy >&2; exit 2')});
    expect(run.results[0]).toContain('A hook does not let explore start: busy');
  });

  it('their calls pass the same hooks', async () => {
    const config = hook('pre_tool_use', 'echo not a.txt >&2; exit 2', 'matcher = "read"\n');
    const run = await runHooked({script: [TASK, call('read', {path: 'a.txt'}), {text: 'Denied.'}, DONE], config});
    expect(
      run.events.some((event) => event.type === 'permission.resolved' && event.decided_by === 'hook' && event.agent === 'explore'),
    ).toBe(true);
  });
});

describe('compaction', () => {
  const LONG = {text: 'word '.repeat(3000)};
  const compacting = `[context]\nwindow_tokens = 8000\ncompact_at = 0.5\n`;
  const turns = (count: number) => {
    let left = count;
    return (thread: {followUp(text: string): string}) => {
      left -= 1;
      if (left >= 0) thread.followUp('again '.repeat(200));
    };
  };

  it('is told before and after', async () => {
    const config = compacting + hook('pre_compact', LOG) + hook('post_compact', LOG);
    const run = await runHooked({script: [call('read', {path: 'a.txt'}), LONG, LONG, LONG, LONG, LONG], config, act: turns(1)});
    const log = await run.log();
    expect(log.slice(0, 2).map(({hook_event_name: event, trigger}) => [event, trigger])).toEqual([
      ['PreCompact', 'auto'],
      ['PostCompact', 'auto'],
    ]);
  });

  it('what the start of a session said is said again behind it, by the hooks that are for that (Claude Code › SessionStart, compact)', async () => {
    const config =
      compacting +
      hook('session_start', 'echo "Use pnpm."') +
      hook('session_start', 'echo "Shortened."', 'matcher = "compact"\n') +
      hook('session_start', 'echo "Begun."', 'matcher = "startup|resume"\n');
    const run = await runHooked({script: [call('read', {path: 'a.txt'}), LONG, LONG, LONG, LONG, LONG], config, act: turns(1)});
    const said = run.events.flatMap((event) =>
      event.type === 'thread.compact_boundary'
        ? ['(shortened)']
        : event.type === 'item.completed' && event.item.type === 'user_message'
          ? [event.item.text.slice(0, 20)]
          : [],
    );
    expect(said).toEqual([
      '[hook: Use pnpm.]',
      '[hook: Begun.]',
      'go',
      'again again again ag',
      '(shortened)',
      '[hook: Use pnpm.]',
      '[hook: Shortened.]',
    ]);
  });

  it('can be held up', async () => {
    const config = compacting + hook('pre_compact', 'exit 2');
    const run = await runHooked({script: [call('read', {path: 'a.txt'}), LONG, LONG], config, act: turns(1)});
    expect(run.events.filter(({type}) => type === 'thread.compact_boundary')).toEqual([]);
  });
});

describe('where hooks run', () => {
  it('with scrubbed variables, in the folder', async () => {
    const run = await runHooked({
      script: [DONE],
      config: hook('user_prompt_submit', 'echo "$PWD ${FETTLE_MODEL-none}"; cat > inside.json'),
    });
    expect(run.said[0]).toBe(`[hook: ${run.cwd} none]`);
    expect(JSON.parse(await readFile(join(run.cwd, 'inside.json'), 'utf8'))).toMatchObject({prompt: 'go'});
  });

  it('in the sandbox of the thread where there is one: what was written inside never runs outside', async (context) => {
    const missing = await missingSandbox();
    if (missing !== undefined) context.skip(missing);
    const config = hook('user_prompt_submit', 'jq -r .prompt; echo x > inside.txt');
    const run = await runHooked({script: [DONE], config, flags: {'--mode': 'full-auto', '--sandbox': 'read-only'}});
    expect([told(run)[0]?.includes('exit code 1'), await readFile(join(run.cwd, 'inside.txt'), 'utf8').catch(() => 'none')]).toEqual([
      true,
      'none',
    ]);
  });
});
