import {describe, expect, it} from 'vitest';
import {assertVariants} from '../../../../src/hosts/cli/commands/lab/check-variants.ts';
import {loadSettings} from '../../../../src/sdk/settings/load-settings.ts';
import {scratch} from '../../../support/scratch.ts';

const PLAN = {models: ['script', 'ollama/qwen3-coder'], toolsets: ['fettle', 'vtcode'], isShared: false};

async function problem(plan: Partial<typeof PLAN>, env: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const home = await scratch({});
  const settings = await loadSettings({cwd: home, home, env: {FETTLE_HOME: home, ...env}});
  return await assertVariants({...PLAN, ...plan}, settings).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('models and toolsets of a run', () => {
  it.each([
    ['that exist are accepted', {}, {}, undefined],
    ['with a key are accepted', {models: ['openai/m']}, {OPENAI_API_KEY: 'k'}, undefined],
    ['may have their keys on the workers of a queue', {models: ['openai/m'], isShared: true}, {}, undefined],
    ['without a key are refused', {models: ['script', 'openai/m']}, {}, 'No key for openai: OPENAI_API_KEY is not set.'],
    ['of a provider that nobody knows are refused', {models: ['foo/bar'], isShared: true}, {}, 'Unknown provider "foo".'],
    ['that are not there are refused', {toolsets: ['fettle', 'vtcod']}, {}, 'There is no toolset "vtcod".'],
  ])('%s', async (_, plan, env, expected) => {
    expect(await problem(plan, env)).toBe(expected);
  });
});
