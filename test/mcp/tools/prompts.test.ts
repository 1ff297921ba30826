import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {promptArguments} from '../../../src/mcp/tools/prompt-arguments.ts';
import {promptUsage, runPrompt} from '../../../src/mcp/tools/prompts.ts';
import {testConnection} from '../../../src/mcp/trust/test-connection.ts';
import {scratch} from '../../support/scratch.ts';
import {hostile, served} from '../support.ts';

const never = new AbortController().signal;
const NAME = 'mcp__bad__review_it';

describe('a prompt of a server', () => {
  it('is listed by a test of the server, clean', async () => {
    const place = {env: {PATH: process.env['PATH']}, cwd: await scratch(), stateDir: await scratch(), version: '1'};
    const {tested} = await testConnection(hostile('offers'), place, never);
    expect(tested?.prompts.map((prompt) => [promptUsage(prompt), prompt.description])).toEqual([[`${NAME} path [focus]`, 'Look closely']]);
  });

  it('is run with its arguments, its origin before it, without what steers screens', async () => {
    const {running} = await served([hostile('offers')]);
    expect(await runPrompt(running, `${NAME} src/a.ts "speed first"`, never)).toBe(
      `I chose the prompt ${NAME} of the MCP server bad. Its text comes from the server:\n\n<mcp_result server="bad">\nReview\\u001b[2J {"path":"src/a.ts","focus":"speed first"}\n</mcp_result>`,
    );
  });

  it('that is not there is an error with those that are', async () => {
    const {running} = await served([hostile('offers')]);
    for (const line of ['mcp__bad__nothing', 'mcp__nobody__x']) {
      await expect(runPrompt(running, line, never)).rejects.toMatchObject({
        code: 'BAD_ARGS',
        message: `There is no prompt ${line}.`,
        hint: `There are: /${NAME} path [focus].`,
      });
    }
    await expect(runPrompt([], 'mcp__a__b', never)).rejects.toMatchObject({hint: 'No running server has prompts.'});
  });
});

describe('promptArguments', () => {
  const wanted = {
    name: 'p',
    arguments: [
      {name: 'path', required: true},
      {name: 'focus', required: false},
    ],
  };

  it.each([
    ['a.ts', {path: 'a.ts'}],
    ['a.ts speed of it', {path: 'a.ts', focus: 'speed of it'}],
    ['focus=speed a.ts', {path: 'a.ts', focus: 'speed'}],
    [`path="my file.ts" 'x y'`, {path: 'my file.ts', focus: 'x y'}],
    ['a.ts k=v', {path: 'a.ts', focus: 'k=v'}],
  ])('%j', (typed, expected) => {
    expect(promptArguments(wanted, typed)).toEqual(expected);
  });

  it('names what is missing, and what is too much', () => {
    expect(() => promptArguments(wanted, ' ')).toThrow('The prompt needs path.');
    expect(() => promptArguments({name: 'p', arguments: []}, 'x')).toThrow('The prompt takes no further arguments.');
  });

  it('loses no word, whatever is typed', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9./]{1,8}$/), {minLength: 1}), (words) => {
        expect(Object.values(promptArguments(wanted, words.join(' '))).join(' ')).toBe(words.join(' '));
      }),
    );
  });
});
