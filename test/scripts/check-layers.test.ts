import {expect, it} from 'vitest';
import {layerProblems} from '../../scripts/check-layers.ts';

it.each([
  ['policy/evaluate/a.ts', '../../base/b.ts', undefined],
  ['base/a.ts', '../policy/b.ts', 'base/a.ts: base (0) may not import policy (2)'],
  ['config/a.ts', '../policy/b.ts', 'config/a.ts: config (2) may not import policy (2)'],
  ['new/a.ts', '../base/b.ts', 'new/a.ts: no layer is given for new (../base/b.ts)'],
  ['protocol/a.ts', 'node:fs', 'protocol/a.ts: protocol runs anywhere and imports no node:fs'],
  ['policy/a.ts', 'node:fs', undefined],
  ['testing/a.ts', '../models/b.ts', undefined],
  ['testing/a.ts', '../tools/b.ts', 'testing/a.ts: testing may import layers 0 to 3 only (../tools/b.ts)'],
  ['tools/a.ts', '../testing/b.ts', 'tools/a.ts: no layer is given for testing (../testing/b.ts)'],
  ['hosts/cli/a.ts', '../tui/b.ts', 'hosts/cli/a.ts: one host imports another (../tui/b.ts)'],
  ['hosts/cli/commands/tui.ts', '../../tui/b.ts', undefined],
  ['hosts/cli/commands/mcp.ts', '../../tui/b.ts', 'hosts/cli/commands/mcp.ts: one host imports another (../../tui/b.ts)'],
  ['policy/shell/a.ts', '../rules/b.ts', 'policy/shell/a.ts: policy/shell knows nothing of rules (../rules/b.ts)'],
  ['policy/rules/a.ts', '../shell/b.ts', undefined],
  [
    'policy/programs/deep/a.ts',
    '../../evaluate/b.ts',
    'policy/programs/deep/a.ts: policy/programs knows nothing of evaluate (../../evaluate/b.ts)',
  ],
  [
    'tools/operations/fs/a.ts',
    '../../dispatch/b.ts',
    'tools/operations/fs/a.ts: tools/operations knows nothing of dispatch (../../dispatch/b.ts)',
  ],
  ['tools/operations/fs/a.ts', '../../context.ts', undefined],
])('%s imports %s: %s', (file, specifier, problem) => {
  expect(layerProblems(new Map([[file, [specifier]]]))).toEqual(problem === undefined ? [] : [problem]);
});
