import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {excludedPaths} from '../../../src/tools/operations/fs/excluded-paths.ts';
import {openIgnoreFolder} from '../../../src/workspace/ignore/ignore-folder.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

describe('vibe tool system › Bash Tool: the shell keeps its folder', () => {
  it('what a rule judges is the folder where the line really runs', async () => {
    const root = await scratch({'src/a': ''});
    const asked: unknown[] = [];
    const tools = await openToolset('vibe', root, {
      policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}),
      approve: async ({subjects}) => {
        asked.push(...subjects);
        return {decision: 'allow'};
      },
    });
    await tools.call('bash', {command: 'cd src; make'});
    await tools.call('bash', {command: 'make'});
    expect(asked).toEqual([
      {kind: 'command', command: 'cd src; make', cwd: root, workspace: root},
      {kind: 'command', command: 'make', cwd: join(root, 'src'), workspace: root},
    ]);
  });
  it.each([
    ['a failed command', 'cd src; false', '/src'],
    ['an exit', 'cd src; exit 0', '/src'],
    ['a syntax error', 'cd src; if', ''],
    ['a subshell', '(cd src)', ''],
    ['a heredoc that ends the line', 'cd src; cat <<E\nx\nE', '/src'],
    ['a comment', 'cd src # there', '/src'],
    ['a strange name', 'mkdir "o\'d \\$d"; cd "o\'d \\$d"', "/o'd $d"],
  ])('%s', async (_, command, folder) => {
    const root = await scratch({'src/a': ''});
    const tools = await openToolset('vibe', root);
    await tools.call('bash', {command});
    expect((await tools.text('bash', {command: 'pwd'})).split('\n')[1]).toBe(`stdout: ${root}${folder}`);
  });
  it('a folder that is gone is left', async () => {
    const root = await scratch();
    const tools = await openToolset('vibe', root);
    await mkdir(join(root, 'short'));
    await tools.call('bash', {command: 'cd short'});
    await rm(join(root, 'short'), {recursive: true});
    expect((await tools.text('bash', {command: 'pwd'})).split('\n')[1]).toBe(`stdout: ${root}`);
  });
  it('two threads do not share it', async () => {
    const root = await scratch({'src/a': ''});
    const [one, two] = [await openToolset('vibe', root), await openToolset('vibe', root)];
    await one.call('bash', {command: 'cd src'});
    expect((await two.text('bash', {command: 'pwd'})).split('\n')[1]).toBe(`stdout: ${root}`);
  });
});

describe('vibe tool system › errors', () => {
  it('without a person or a model: said so, in the tags of the harness', async () => {
    const tools = await openToolset('vibe', await scratch());
    const questions = [{question: 'A?', header: 'A', options: [{label: 'a'}, {label: 'b'}]}];
    expect(await tools.text('ask_user_question', {questions})).toMatch(/^<tool_error>ask_user_question failed: Nobody is here to answer/);
    expect(await tools.text('task', {task: 'x'})).toMatch(/^<tool_error>task failed: No model is available to run a subagent/);
    expect(await tools.text('grep', {pattern: '('})).toMatch(/^<tool_error>grep failed: [\s\S]*<\/tool_error>$/);
  });
  it('an interrupt has a tag of its own', async () => {
    const tools = await openToolset('vibe', await scratch());
    const result = await tools.call('read_file', {path: 'a'}, AbortSignal.abort());
    expect(result.text).toBe('<user_cancellation>read_file was interrupted by the user</user_cancellation>');
  });
});

describe('.vibeignore', () => {
  const line = fc.stringMatching(/^!?\/?(?:[ab*?]{1,3}|\*\*)(?:\/[ab*]{1,2})?\/?$/);
  const path = fc.stringMatching(/^[ab]{1,2}(?:\/[ab]{1,2}){0,2}$/);
  it('excludes what git would ignore by the same lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, {maxLength: 4}), path, async (lines, file) => {
        const root = await scratch({'.ignore': lines.join('\n')});
        const names = file.split('/');
        let folder = await openIgnoreFolder(root, {requireGit: false, toolFiles: true, env: {HOME: root, XDG_CONFIG_HOME: root}});
        let ignored = false;
        for (const [level, name] of names.entries()) {
          const isFolder = level < names.length - 1;
          ignored ||= folder.judge(name, isFolder) === 'ignored';
          if (isFolder && !ignored) {
            await mkdir(join(root, ...names.slice(0, level + 1)), {recursive: true});
            folder = await folder.enter(name, () => false);
          }
        }
        expect([lines, file, excludedPaths(lines).excludes(file)]).toEqual([lines, file, ignored]);
      }),
      {numRuns: 100},
    );
  });
});
