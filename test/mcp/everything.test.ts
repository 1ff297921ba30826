import {describe, expect, it} from 'vitest';
import type {DispatchListener} from '../../src/tools/dispatch/dispatch.ts';
import type {Question} from '../../src/tools/ports/user-questions.ts';
import {EVERYTHING, hostile, saidIn, served} from './support.ts';

describe('the reference server of MCP over stdio', () => {
  it('is called end to end: text, numbers, an image, a structured result', async () => {
    const {call, notices} = await served([{...EVERYTHING, disabled_tools: ['get-env']}]);
    expect(notices).toEqual([]);
    expect((await call('mcp__every__get-env')).outcome).toBe('invalid');
    expect(saidIn(await call('mcp__every__echo', {message: 'hello'}))).toBe('Echo: hello');
    expect(saidIn(await call('mcp__every__get-sum', {a: 2, b: 40}))).toBe('The sum of 2 and 40 is 42.');
    expect(saidIn(await call('mcp__every__get-tiny-image'))).toContain('\n[image: image/png, 4033 bytes, not shown]\n');
    expect((await call('mcp__every__get-structured-content', {location: 'Chicago'})).structured).toEqual({
      temperature: 36,
      conditions: 'Light rain / drizzle',
      humidity: 82,
    });
    expect(await call('mcp__every__get-sum', {a: 'two'})).toMatchObject({outcome: 'error', isError: true});
  });

  it('sees only harmless variables, and those of its configuration', async () => {
    const {call} = await served([{...EVERYTHING, env: {FOR_IT: 'yes'}}]);
    const seen = JSON.parse(saidIn(await call('mcp__every__get-env'))) as Record<string, string>;
    expect([seen['FOR_IT'], seen['SECRET_TOKEN'], seen['GIT_TERMINAL_PROMPT']]).toEqual(['yes', undefined, '0']);
  });

  it('tells its progress', async () => {
    const told: string[] = [];
    const listener: DispatchListener = {onOutput: ({stream, text}) => void told.push(`${stream} ${text}`)};
    const {call} = await served([EVERYTHING], {listener});
    const {text} = await call('mcp__every__trigger-long-running-operation', {duration: 0.1, steps: 2});
    expect(text).toBe('<mcp_result server="every">\nLong running operation completed. Duration: 0.1 seconds, Steps: 2.\n</mcp_result>');
    expect(told.join('')).toBe('progress 1/2\nprogress 2/2\n');
  });

  it('is told of a cancellation, and can be called again', async () => {
    const stop = new AbortController();
    const listener: DispatchListener = {onOutput: () => stop.abort()};
    const {call} = await served([EVERYTHING], {listener});
    const cancelled = await call('mcp__every__trigger-long-running-operation', {duration: 60, steps: 600}, stop.signal);
    expect(cancelled.outcome).toBe('cancelled');
    expect(saidIn(await call('mcp__every__echo', {message: 'still there'}))).toBe('Echo: still there');
  });
});

describe('a question of a server', () => {
  it('is declined where nobody is there', async () => {
    const {call} = await served([hostile('ask')]);
    expect(saidIn(await call('mcp__bad__go'))).toBe('{"action":"decline"}');
  });

  it('goes to the person, with the name of the server and without hidden characters; the answers get their types', async () => {
    const asked: Question[] = [];
    const askUser = async (questions: readonly Question[]) => {
      asked.push(...questions);
      return {
        cancelled: false,
        answers: questions.map(({question}, index) => ({question, answer: ['Ada', 'Yes'][index] ?? '', isOther: false})),
      };
    };
    const {call} = await served([hostile('ask')], {context: {askUser}});
    expect(saidIn(await call('mcp__bad__go'))).toBe('{"action":"accept","content":{"name":"Ada","sure":true}}');
    expect(asked).toEqual([
      {question: '[bad] Who are you?\nName', header: 'Name', options: [], multiSelect: false},
      {
        question: '[bad] sure',
        header: 'sure',
        options: [
          {label: 'Yes', description: ''},
          {label: 'No', description: ''},
        ],
        multiSelect: false,
      },
    ]);
  });

  it('is cancelled when the person cancels, and declined when what is required is missing', async () => {
    const cancel = await served([hostile('ask')], {context: {askUser: async () => ({cancelled: true, answers: []})}});
    expect(saidIn(await cancel.call('mcp__bad__go'))).toBe('{"action":"cancel"}');
    const empty = await served([hostile('ask')], {context: {askUser: async () => ({cancelled: false, answers: []})}});
    expect(saidIn(await empty.call('mcp__bad__go'))).toBe('{"action":"decline"}');
  });
});

describe('permission for the tools of a server', () => {
  const rule = (text: string, effect: 'allow' | 'deny') => ({
    mode: 'ask' as const,
    fallback: 'ask' as const,
    rules: [{text, effect, source: 'user'}],
  });

  it('is asked for, whatever the server says of itself', async () => {
    const asked: string[] = [];
    const approve = async ({toolName, input}: {toolName: string; input: unknown}) => {
      asked.push(`${toolName} ${JSON.stringify(input)}`);
      return {decision: 'deny' as const};
    };
    const {call} = await served([EVERYTHING], {policy: () => ({mode: 'ask', fallback: 'ask', rules: []}), approve});
    expect((await call('mcp__every__echo', {message: 'x'})).outcome).toBe('denied');
    expect(asked).toEqual(['mcp__every__echo {"message":"x"}']);
  });

  it('is given by the name of the tool or of the server, and denied by a pattern; without a person the rule is named', async () => {
    const outcome = async (policy: ReturnType<typeof rule>) =>
      (await (await served([hostile('kind')], {policy: () => policy, approve: undefined})).call('mcp__bad__go')).outcome;
    expect(await outcome(rule('mcp__bad__go', 'allow'))).toBe('success');
    expect(await outcome(rule('mcp__bad', 'allow'))).toBe('success');
    expect(await outcome(rule('mcp__other__go', 'allow'))).toBe('denied');
    expect(await outcome(rule('mcp__*', 'deny'))).toBe('denied');
    const {call} = await served([hostile('kind')], {policy: () => rule('x', 'allow'), approve: undefined});
    expect((await call('mcp__bad__go')).text).toContain('A rule that would allow it: mcp__bad__go');
  });
});
