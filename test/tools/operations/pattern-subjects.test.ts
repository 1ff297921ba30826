import {describe, expect, it} from 'vitest';
import {patternSubjects} from '../../../src/tools/operations/fs/path-subjects.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import {openWorkspace} from '../../../src/workspace/open-workspace.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

describe('patterns that lead out of the workspace are judged by what they lead to', () => {
  it.each([
    ['src/**/*.ts', []],
    ['**/..x/*', []],
    ['a..b', []],
    ['../**/*', ['..']],
    ['src/../../x/*', ['../x']],
    ['{..,src}/*', ['..']],
    ['*/../../y', ['..']],
    ['/etc/*', ['/etc']],
    ['/*', ['/']],
    ['!/etc/*', ['/etc']],
  ])('%s', async (pattern, outside) => {
    const root = await scratch();
    const workspace = await openWorkspace(root);
    const subjects = await patternSubjects('.', pattern, {workspace, spoolDir: `${root}/spool`} as unknown as ToolContext);
    const found = subjects.flatMap((subject) => (subject.kind === 'path' && !subject.inside ? [subject.requested ?? ''] : []));
    expect(found.map((path) => (path.startsWith('/') ? path : 'outside')).length).toBe(outside.length);
    expect(subjects.length).toBe(1 + outside.length);
  });
});

describe('a pattern that spells out the whole path', () => {
  it.each(['fettle', 'microcode', 'blade'])('finds what lies in the workspace: %s', async (toolset) => {
    const root = await scratch({'src/a.rs': '', 'src/b.ts': ''});
    expect(await (await openToolset(toolset, root)).text('glob', {pattern: `${root}/src/*.rs`})).toBe('src/a.rs');
  });
});
