import {dirname, join} from 'node:path';
import {build} from 'esbuild';
import {describe, expect, it} from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

describe('fettle/tui', () => {
  it('starts without the agent: external code can use it without the host (vtcode architecture › TUI Architecture)', async () => {
    const {metafile} = await build({
      absWorkingDir: ROOT,
      entryPoints: ['src/hosts/tui/index.ts'],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
    });
    const folders = Object.keys(metafile.inputs).map((path) => dirname(path).replace(/^src\/hosts\/tui\/(views)\/.*/, 'src/hosts/tui/$1'));
    expect([...new Set(folders)].sort()).toEqual([
      'src/base',
      'src/base/waiting',
      'src/hosts/tui',
      'src/hosts/tui/agents',
      'src/hosts/tui/approval',
      'src/hosts/tui/calls',
      'src/hosts/tui/cells',
      'src/hosts/tui/editor',
      'src/hosts/tui/keys',
      'src/hosts/tui/live-commands',
      'src/hosts/tui/model',
      'src/hosts/tui/model/pictures',
      'src/hosts/tui/pager',
      'src/hosts/tui/plan',
      'src/hosts/tui/questions',
      'src/hosts/tui/runner',
      'src/hosts/tui/runner/requests',
      'src/hosts/tui/stall',
      'src/hosts/tui/surface',
      'src/hosts/tui/terminal',
      'src/hosts/tui/themes',
      'src/hosts/tui/trust',
      'src/hosts/tui/views',
      'src/text/diff',
    ]);
  });
});
