import {describe, expect, it} from 'vitest';
import {onlyHead, onlyTail} from '../../../../src/lab/report/show/shortened.ts';
import {readRolloutTexts} from '../../../../src/lab/report/show/read-texts.ts';
import {showRollout} from '../../../../src/lab/report/show/show-rollout.ts';
import {callCompleted, output} from '../../../sessions/events.ts';
import {session, sessionLog, storeOf} from '../../export/logs.ts';
import {result} from '../results.ts';

const SIGNAL = new AbortController().signal;

describe('one rollout in a terminal', () => {
  it('has the result, the prompt, the steps, the end of the verification, the changes and the places', async () => {
    const call = {id: 'c9', name: 'bash', arguments: '{"command":"npm test"}'};
    const failed = output('r2', call, 'Error: exit code 1\nmore');
    const item = {...('item' in failed ? failed.item : {}), is_error: true};
    const events = [...session('It works now.'), callCompleted('r2', call), {...failed, item} as typeof failed];
    const store = storeOf({
      log: sessionLog(events),
      verify: Array.from({length: 50}, (_, at) => `line ${at}`).join('\n'),
      diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
      last: 'It works now.\n',
    });
    const artifacts = {'session.jsonl': 'log', 'verify.txt': 'verify', 'diff.patch': 'diff', 'last-message.txt': 'last'};
    const text = await showRollout(
      {result: result({outcome: 'failed', note: '1 test failed', artifacts, retries: 2}), read: store},
      SIGNAL,
    );
    expect(text.replaceAll(/ {2}line (?:[2-4]\d)\n/g, '')).toMatchInlineSnapshot(`
      "sum, attempt 1: acme/large with fettle, run night
      failed (wrong answer): 1 test failed
      reward 0, exit code 0, $0.02, 4 turns
      2.0 s, verified in 300 ms; tokens: 1.0k in (600 cached), 100 out
      Fettle 1.2.3, after 2 failures of the infrastructure

      Prompt
        Fix it.

      Steps
        I look.
        · read /home/me/scratch/r1/a.txt → one line
        It works now.
        ✗ bash npm test → one line

      Last message
        It works now.

      Verification
        … 10 lines left out
        line 10
        line 11
        line 12
        line 13
        line 14
        line 15
        line 16
        line 17
        line 18
        line 19

      Changes
        --- a/x
        +++ b/x
        @@ -1 +1 @@
        -a
        +b

      Artefacts
        session.jsonl: log
        verify.txt: verify
        diff.patch: diff
        last-message.txt: last
      "
    `);
  });

  it('says little where nothing was kept, and why where it cannot be read', async () => {
    expect(await showRollout({result: result(), read: storeOf({})}, SIGNAL)).toMatchInlineSnapshot(`
      "sum, attempt 1: acme/large with fettle, run night
      passed
      reward 1, exit code 0, $0.02, 4 turns
      2.0 s, verified in 300 ms; tokens: 1.0k in (600 cached), 100 out
      Fettle 1.2.3
      "
    `);
    const read = async (): Promise<never> => Promise.reject(new Error('the bucket is gone'));
    const shown = await showRollout({result: result({artifacts: {'verify.txt': 'x'}}), read}, SIGNAL);
    expect(shown).toContain('Verification\n  (not readable: the bucket is gone)');
  });

  it('leaves out the bytes of binary files', async () => {
    const binary = 'diff --git a/x.pyc b/x.pyc\nnew file mode 100644\nGIT binary patch\nliteral 9\nzcmZt`TWk\n\nliteral 0\nHcmV\n\n';
    const store = storeOf({diff: `${binary}diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n`});
    const shown = await showRollout({result: result({artifacts: {'diff.patch': 'diff'}}), read: store}, SIGNAL);
    expect(/Changes\n([^]*)\n\nArtefacts/.exec(shown)?.[1]?.split('\n')).toEqual(
      'diff --git a/x.pyc b/x.pyc|new file mode 100644|(binary)|diff --git a/y b/y|--- a/y|+++ b/y|@@ -1 +1 @@|-a|+b'
        .split('|')
        .map((line) => `  ${line}`),
    );
  });

  it('shows no secret', async () => {
    const store = storeOf({diff: `+key = sk-ant-api03-${'a1B2'.repeat(20)}`});
    const shown = await showRollout({result: result({artifacts: {'diff.patch': 'diff'}}), read: store}, SIGNAL);
    expect([shown.includes('sk-ant-api03'), shown.includes('+key = ')]).toEqual([false, true]);
  });

  it('steers no terminal', async () => {
    const evil = '\u001b[2J\u001b]0;x\u0007\u202eevil';
    const store = storeOf({log: sessionLog(session(evil, {prompt: evil})), text: evil});
    const artifacts = {'session.jsonl': 'log', 'verify.txt': 'text', 'diff.patch': 'text', 'last-message.txt': 'text', [evil]: evil};
    const shown = await showRollout(
      {
        result: result({key: {task: evil, model: evil, toolset: evil}, note: evil, rewards: {[evil]: 1, b: 0}, artifacts, version: evil}),
        read: store,
      },
      SIGNAL,
    );
    expect(/[^\P{Cc}\n]|\u202e/u.test(shown)).toBe(false);
  });
});

describe('texts for a page', () => {
  it('are of failed rollouts first, and of at most 300', async () => {
    const all = Array.from({length: 400}, (_, at) =>
      result({key: {attempt: at + 1}, outcome: at < 250 ? 'passed' : 'failed', artifacts: {'verify.txt': `v${at + 1}`}}),
    );
    const asked: string[] = [];
    const textsOf = await readRolloutTexts(
      all,
      async (place) => {
        asked.push(place);
        return new TextEncoder().encode(place);
      },
      SIGNAL,
    );
    const {key} = result();
    expect([asked.length, [1, 150, 151, 400].map((attempt) => textsOf({...key, attempt})?.verification)]).toEqual([
      300,
      ['v1', 'v150', undefined, 'v400'],
    ]);
  });

  it('are short, and say how much is left out', () => {
    const text = 'a\nb\nc\nd';
    expect([onlyHead(text, {lines: 2, chars: 99}), onlyTail(text, {lines: 2, chars: 99}), onlyHead(text, {lines: 4, chars: 99})]).toEqual([
      'a\nb\n… 2 lines left out',
      '… 2 lines left out\nc\nd',
      text,
    ]);
    expect([onlyHead('x'.repeat(50), {lines: 9, chars: 10}), onlyTail('', {lines: 1, chars: 1})]).toEqual([`${'x'.repeat(10)}…`, '']);
  });
});
