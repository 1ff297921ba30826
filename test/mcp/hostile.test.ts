import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {inputSchema} from '../../src/tools/arguments/schema.ts';
import type {AskUser} from '../../src/tools/ports/user-questions.ts';
import {scratch} from '../support/scratch.ts';
import {hostile, saidIn, served} from './support.ts';

const QUICK = {startup_timeout_s: 1, tool_timeout_s: 0.2};

describe('a server that cannot be used', () => {
  it('is a notice with its name, the reason and its last words; the others work', async () => {
    const {tools, notices, call} = await served([hostile('exits'), hostile('kind', {name: 'good'})]);
    expect(notices).toEqual([
      'MCP server bad: starting: it ended with exit code 3 Its last lines on stderr: "no such database" Its tools are not there. `fettle mcp test bad` tries it out.',
    ]);
    expect(tools.map((tool) => tool.name)).toEqual(['mcp__good__go']);
    expect(saidIn(await call('mcp__good__go'))).toMatch(/^pid \d+, call 1$/);
  });

  it('may end before anything is said', async () => {
    const {notices} = await served([{name: 'short', transport: 'stdio', command: '/bin/false'}]);
    expect(notices).toEqual([
      'MCP server short: starting: it ended with exit code 1 Its tools are not there. `fettle mcp test short` tries it out.',
    ]);
  });

  it('may not exist at all', async () => {
    const {notices} = await served([{name: 'gone', transport: 'stdio', command: '/no/such/program'}]);
    expect(notices).toEqual([
      expect.stringMatching(
        /^MCP server gone: starting: \/no\/such\/program cannot be started in .* \(ENOENT\)\. Its tools are not there\./,
      ),
    ]);
  });

  it('may never answer initialize', async () => {
    const {notices} = await served([hostile('silent', QUICK)]);
    expect(notices).toEqual([
      'MCP server bad: no answer within 1 s. Its tools are not there. Raise `startup_timeout_s` where it only needs longer.',
    ]);
  });

  it('is named in one line where it is waited for longer than a second, with when it is given up', async () => {
    const said: string[] = [];
    const onWait = (line: string): void => void said.push(line);
    await served([hostile('silent', {startup_timeout_s: 2}), hostile('kind', {name: 'good'})], {onWait});
    expect(said).toEqual(['Waiting for the MCP server bad, at most 2 s; then the session goes on without.']);
  });

  it('may page its list without an end', async () => {
    const {tools, notices} = await served([hostile('pages')]);
    expect(tools).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('MCP server bad: starting: ')]);
  });

  it('is not started when it is disabled', async () => {
    expect(await served([hostile('exits', {disabled: true})])).toMatchObject({tools: [], notices: []});
  });
});

describe('an older server (MCP 2026-07-28 › stdio › any answer that is not a modern one, or silence, means initialize)', () => {
  for (const way of ['kind', 'probe-kills', 'mute', 'stray']) {
    it(`is used: ${way}`, async () => {
      const {call, notices} = await served([hostile(way, {startup_timeout_s: 5})]);
      expect(notices).toEqual([]);
      expect(await call('mcp__bad__go')).toMatchObject({outcome: 'success'});
    });
  }
});

describe('what a server says of its tools', () => {
  it('is capped, and holds no controls, no direction changes and no tag characters', async () => {
    const {tools} = await served([hostile('description', {prompt: 'Only on Mondays.'})]);
    const description = tools[0]?.description ?? '';
    expect(description.slice(0, 21)).toBe('[bad] Say yes.[2Jxxxx');
    expect(description.length).toBeLessThan(1300);
    expect(description.endsWith('…\nHint: Only on Mondays.')).toBe(true);
  });

  it('gets names that are safe, unique and the same in each run', async () => {
    const {tools, notices} = await served([hostile('names')]);
    expect(tools.map((tool) => tool.name)).toMatchInlineSnapshot(`
      [
        "mcp__bad__A_B_6c1908f9",
        "mcp__bad__a_b_648fa9b3",
        "mcp__bad__a_b_c8687a08",
        "mcp__bad__nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn_dd2411b9",
        "mcp__bad__twice",
      ]
    `);
    expect(notices).toEqual([
      'MCP server bad: tools that cannot be used are left out: bell\\u0007 (characters of its name cannot be seen).',
      'MCP server bad: 1 tools have the name of another; the first one counts.',
    ]);
    expect(tools.find((tool) => tool.name === 'mcp__bad__twice')?.description).toBe('[bad]');
  });

  it('is published without what providers refuse, and nothing is fetched', async () => {
    const {tools} = await served([hostile('schema')]);
    expect(tools.map(inputSchema)).toEqual([
      {type: 'object', properties: {a: {description: 'x'}, b: {}, c: {type: 'string'}}, required: ['a']},
    ]);
  });

  it('is cut to the first 100 tools, and can leave some out', async () => {
    const {tools, notices} = await served([hostile('many', {disabled_tools: ['t000']})]);
    expect(tools).toHaveLength(100);
    expect(tools[0]?.name).toBe('mcp__bad__t001');
    expect(notices).toEqual(['MCP server bad: only the first 100 of 299 tools are published; `disabled_tools` leaves some out.']);
  });
});

describe('a call', () => {
  it('that hangs is given up', async () => {
    const {call} = await served([hostile('hang', QUICK)]);
    expect(await call('mcp__bad__go')).toMatchObject({
      outcome: 'error',
      structured: {
        code: 'TIMEOUT',
        message: 'MCP server bad: calling go: no answer within 0.2 s; whether the call had an effect is not known.',
        hint: '`tool_timeout_s` of the server sets the limit.',
      },
    });
  });

  it('in which the server dies is an error with its last words; the next one starts it again', async () => {
    const {call} = await served([hostile('dies', {detail: join(await scratch(), 'died')})]);
    const message =
      'MCP server bad: calling go: it ended with exit code 7; whether the call had an effect is not known. Its last lines on stderr: "something broke"';
    expect(await call('mcp__bad__go')).toMatchObject({outcome: 'error', structured: {code: 'UNAVAILABLE', message}});
    expect(saidIn(await call('mcp__bad__go'))).toBe('alive');
  });

  it('that finds a server dead for the second time starts it no more', async () => {
    const {call} = await served([hostile('dies')]);
    await call('mcp__bad__go');
    await call('mcp__bad__go');
    expect(await call('mcp__bad__go')).toMatchObject({
      outcome: 'error',
      structured: {message: 'MCP server bad: it is gone: it ended with exit code 7 Its last lines on stderr: "something broke"'},
    });
  });

  for (const [way, reason] of [
    ['notifications', 'it sent more than 50000 messages without an answer, and was ended'],
    ['answers', 'it sent more than 50000 messages without an answer, and was ended'],
    ['garbage', 'it writes lines to stdout that are not protocol messages, and was ended'],
    ['endless', 'it sent a message of more than 16777216 bytes, and was ended'],
  ] as const) {
    it(`that is answered with a flood ends the server: ${way}`, async () => {
      const {call} = await served([hostile(way), hostile('kind', {name: 'good'})]);
      expect(await call('mcp__bad__go')).toMatchObject({
        outcome: 'error',
        structured: {message: `MCP server bad: calling go: ${reason}; whether the call had an effect is not known.`},
      });
      expect(await call('mcp__good__go')).toMatchObject({outcome: 'success'});
    });
  }

  it('with megabytes of output is shortened like any other', async () => {
    const {call} = await served([hostile('output')]);
    const result = await call('mcp__bad__go');
    expect(result.text.length).toBeLessThan(2000);
    expect(result.spoolPath).toMatch(/spool\/out_\w+\.txt$/);
  });

  it('whose structured result does not fit the declared schema is an error', async () => {
    const {call} = await served([hostile('schema')]);
    expect(await call('mcp__bad__lies', {a: 1})).toMatchObject({
      outcome: 'error',
      structured: {message: expect.stringContaining('calling lies: ')},
    });
  });

  it('that the server calls an error is one (vibe tool system › MCP: isError)', async () => {
    const {call} = await served([hostile('error')]);
    expect(await call('mcp__bad__go')).toMatchObject({
      outcome: 'error',
      isError: true,
      text: '<mcp_result server="bad">\nit did not work\n</mcp_result>',
    });
  });

  it('can be cancelled', async () => {
    const {call} = await served([hostile('hang')]);
    const stop = new AbortController();
    const running = call('mcp__bad__go', {}, stop.signal);
    setImmediate(() => stop.abort());
    expect(await running).toMatchObject({outcome: 'cancelled'});
  });
});

describe('a server that wants more than to be called', () => {
  const answering = (answer: string) => {
    const questions: string[] = [];
    const askUser: AskUser = async (asked) => {
      questions.push(...asked.map(({question}) => question));
      return {answers: asked.map(({question}) => ({question, answer, isOther: false})), cancelled: false};
    };
    return {questions, context: {askUser}};
  };

  it('is told the one folder that is worked in, and gets no words of our model (MCP 2025-11-25 › roots, sampling)', async () => {
    const {call} = await served([hostile('asks')]);
    expect(saidIn(await call('mcp__bad__go'))).toMatch(
      /^roots\/list: \{"roots":\[\{"uri":"file:\/\/\/[^"]+\/fettle-test-[^"/]+","name":"fettle-test-[^"/]+"\}\]\}\nsampling\/createMessage: "refused"$/,
    );
  });

  it('may name a page: its host is shown first, and the person opens it or not (MCP 2025-11-25 › elicitation › URL mode)', async () => {
    const {context, questions} = answering('I visit it');
    const {call} = await served([hostile('visit', {detail: 'https://bank.example.evil.example/login?a=1'})], {context});
    expect(saidIn(await call('mcp__bad__go'))).toBe('{"action":"accept"}');
    expect(questions).toEqual([
      '[bad] wants you to visit bank.example.evil.example. Nothing is opened for you; the whole address:\nhttps://bank.example.evil.example/login?a=1\n[bad] The server says: Sign in at your bank',
    ]);
  });

  it.each(['javascript:alert(1)', 'file:///bin/sh', 'http://bank.example/', 'https://bank.example@evil.example/', 'no address'])(
    'is declined without a question for the page %s',
    async (detail) => {
      const {context, questions} = answering('I visit it');
      const {call} = await served([hostile('visit', {detail})], {context});
      const result = await call('mcp__bad__go');
      expect([result.isError ? 'refused' : saidIn(result), questions]).toEqual([
        expect.stringMatching(/^(?:\{"action":"decline"\}|refused)$/),
        [],
      ]);
    },
  );

  it('shows the host of a page in its true letters (IDNA, UTS 46)', async () => {
    const {context, questions} = answering('Decline');
    const {call} = await served([hostile('visit', {detail: 'https://b\u0430nk.example/'})], {context});
    expect(saidIn(await call('mcp__bad__go'))).toBe('{"action":"decline"}');
    expect(questions[0]).toContain('wants you to visit xn--');
  });

  it('is not asked for its tools again however often it says that they have changed', async () => {
    const {call} = await served([hostile('storm')]);
    expect(saidIn(await call('mcp__bad__go'))).toBe('listed 1 times');
  });
});

describe('the secrets of a server', () => {
  const secret = {env: {DB_PASSWORD: 'hunter2hunter2'}, command: process.execPath};

  it('are in no notice, whatever it writes', async () => {
    const base = hostile('leaks', secret);
    const args = [...(base.args ?? []), '--token=s3cr3t-token', 'https://ada:pa55word@h.example/?key=qu3ryvalue'];
    const {notices} = await served([{...base, args}]);
    expect(notices).toEqual([
      'MCP server bad: starting: it ended with exit code 4 Its last lines on stderr: "cannot connect with --token=(hidden) https://(hidden)@h.example/?key=(hidden) (hidden)" Its tools are not there. `fettle mcp test bad` tries it out.',
    ]);
  });

  it('are among what is never shown in a session', async () => {
    const base = hostile('kind', {...secret, headers: {}});
    const {secrets} = await served([{...base, args: [...(base.args ?? []), '--api-key', 'k3y-of-mine']}]);
    expect(secrets).toEqual(['hunter2hunter2', 'k3y-of-mine']);
  });
});
