import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {explainNext, freeze, resetLearned, showLearned} from '../../../src/hosts/cli/commands/optimize.ts';
import {openLedger} from '../../../src/optimization/ledger/ledger.ts';
import {NO_FEATURES} from '../../../src/optimization/policies/feature-vector.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo, type CapturedIo} from './captured-io.ts';

/** A home with outcomes: of `model`, `good` succeeds and `bad` does not; of `toolset` there is a choice without outcome. */
async function home(config = ''): Promise<string> {
  const root = await scratch({'config.toml': config});
  const ledger = openLedger(join(root, 'state'));
  for (let n = 0; n < 30; n += 1) {
    const action = n % 3 === 0 ? 'bad' : 'good';
    const choice = ledger.addChoice({decision: 'model', action, vector: NO_FEATURES});
    ledger.addOutcome({signal: {action, success: action === 'good', latency_ms: 60_000}, of: {choice}});
  }
  ledger.addChoice({decision: 'toolset', action: 'fettle', vector: NO_FEATURES});
  ledger.close();
  return root;
}

function ioIn(root: string, env: Readonly<Record<string, string>> = {}): CapturedIo {
  return capturedIo({env: {FETTLE_HOME: root, ...env}, home: root, cwd: root});
}

const LEARNING = '[optimization]\nenabled = true\nstrategy = "ucb1_tuned"\n';

describe('fettle optimize show', () => {
  it('lists the actions of each decision', async () => {
    const {io, stdout, stderr} = ioIn(await home(LEARNING));
    expect(await showLearned(io, undefined, {})).toBe(0);
    expect(stdout()).toBe(
      [
        'decision  action  choices  share  outcomes  mean reward',
        'model     good         20   67 %        20         0.93',
        'model     bad          10   33 %        10         0.00',
        'toolset   fettle        1  100 %         0            -',
        '',
      ].join('\n'),
    );
    expect(stderr()).toBe('Learning is on (ucb1_tuned).\n');
  });

  it('of one decision, as JSON', async () => {
    const {io, stdout} = ioIn(await home());
    await showLearned(io, 'toolset', {json: true});
    expect(JSON.parse(stdout())).toEqual({
      enabled: false,
      strategy: 'bandit',
      frozen: false,
      actions: [{decision: 'toolset', action: 'fettle', choices: 1, outcomes: 0, mean: null, share: 1}],
    });
  });

  it('of one kind of decision, for every model', async () => {
    const root = await home();
    const ledger = openLedger(join(root, 'state'));
    for (const model of ['a/b', 'a/c']) ledger.addOutcome({signal: {action: 'vtcode', success: true}, of: {decision: `toolset:${model}`}});
    ledger.close();
    const {io, stdout} = ioIn(root, {});
    await showLearned(io, 'toolset', {json: true});
    const {actions} = JSON.parse(stdout()) as {actions: readonly {decision: string}[]};
    expect(actions.map(({decision}) => decision)).toEqual(['toolset', 'toolset:a/b', 'toolset:a/c']);
    const explained = ioIn(root);
    expect(await explainNext(explained.io, ['toolset:a/b'], {json: true})).toBe(0);
    expect(JSON.parse(explained.stdout())).toMatchObject([{decision: 'toolset:a/b', action: 'vtcode'}]);
    const reset = ioIn(root);
    expect(await resetLearned(reset.io, 'toolset', {yes: true, json: true})).toBe(0);
    expect(JSON.parse(reset.stdout())).toEqual({outcomes: 2});
  });

  it('explains the choice of a toolset among the candidates', async () => {
    const {io, stdout} = ioIn(await home('[optimization]\ntoolsets = ["vtcode", "fettle"]\n'));
    expect(await explainNext(io, ['toolset'], {json: true})).toBe(0);
    const [explained] = JSON.parse(stdout()) as {actions: readonly {action: string}[]}[];
    expect(explained?.actions.map(({action}) => action)).toEqual(['vtcode', 'fettle']);
  });

  it('says where nothing was learned, and makes no file for it', async () => {
    const root = await scratch({'config.toml': ''});
    const {io, stdout, stderr} = ioIn(root);
    expect(await showLearned(io, undefined, {})).toBe(0);
    expect([stdout(), stderr()]).toEqual([
      '',
      'Learning is off: `[optimization] enabled = true` switches it on. Nothing was learned yet.\n',
    ]);
    expect(existsSync(join(root, 'state', 'optimization'))).toBe(false);
    const one = ioIn(root);
    expect([await showLearned(one.io, 'toolset', {}), one.stderr()]).toEqual([
      0,
      'Learning is off: `[optimization] enabled = true` switches it on. Nothing was learned of toolset yet.\n',
    ]);
    const off = ioIn(root);
    expect([await freeze(off.io, {off: true}), off.stderr()]).toEqual([
      0,
      'No longer frozen. Learning is off: `[optimization] enabled = true` switches it on.\n',
    ]);
  });
});

describe('fettle optimize explain', () => {
  it('shows the next choice, why, and how likely each is', async () => {
    const {io, stdout} = ioIn(await home(LEARNING));
    expect(await explainNext(io, [], {})).toBe(0);
    expect(stdout()).toBe(
      [
        'model: good: best so far: mean 0.93 of 20 outcomes',
        '  action   next  outcomes  mean reward',
        '  good    100 %        20         0.93',
        '  bad       0 %        10         0.00',
        '',
      ].join('\n'),
    );
  });

  it('among actions that are named, also unknown ones', async () => {
    const {io, stdout} = ioIn(await home(LEARNING));
    await explainNext(io, ['model', 'bad', 'new'], {json: true});
    expect(JSON.parse(stdout())).toEqual([
      {
        decision: 'model',
        action: 'new',
        why: 'tries it: no outcome yet',
        strategy: 'ucb1_tuned',
        frozen: false,
        actions: [
          {action: 'bad', outcomes: 10, mean: 0, share: 0},
          {action: 'new', outcomes: 0, mean: null, share: 1},
        ],
      },
    ]);
  });

  it('ends with 1 where nothing is known', async () => {
    const {io, stderr} = ioIn(await scratch({'config.toml': ''}));
    expect([await explainNext(io, [], {}), await explainNext(io, ['model'], {})]).toEqual([1, 1]);
    expect(stderr()).toBe('Nothing was learned yet.\nNothing was learned of model yet.\n');
  });
});

describe('fettle optimize freeze', () => {
  it('stops exploring and learning, until it is switched off', async () => {
    const root = await home(LEARNING);
    expect(await freeze(ioIn(root).io, {})).toBe(0);
    const {io, stdout, stderr} = ioIn(root);
    await showLearned(io, 'model', {});
    await explainNext(io, ['model', 'bad', 'new'], {});
    expect(stderr()).toBe('Learning is on (ucb1_tuned). Frozen: `fettle optimize freeze --off` ends it.\n');
    expect(stdout()).toContain('model: bad (frozen): best so far: mean 0.00 of 10 outcomes\n');
    const again = ioIn(root);
    expect([await freeze(again.io, {off: true}), again.stderr()]).toEqual([0, 'No longer frozen. Learning is on (ucb1_tuned).\n']);
    const off = ioIn(root);
    expect([await freeze(off.io, {off: true, json: true}), off.stdout()]).toEqual([0, '{\n  "frozen": false\n}\n']);
  });
});

describe('fettle optimize reset', () => {
  it('asks, and needs --yes where nobody can be asked', async () => {
    const {io} = ioIn(await home());
    await expect(resetLearned(io, undefined, {})).rejects.toMatchObject({
      code: 'USAGE',
      message: 'No terminal is available to ask on.',
      hint: 'Reset without asking: `--yes`.',
    });
  });

  it('forgets one decision, or all', async () => {
    const root = await home();
    const {io, stdout, stderr} = ioIn(root);
    await resetLearned(io, 'toolset', {yes: true});
    await showLearned(io, undefined, {});
    expect(stdout()).not.toContain('toolset');
    await resetLearned(io, undefined, {yes: true});
    expect(stderr()).toMatch(/^Forgotten: 0 outcomes\.\n.*\nForgotten: 30 outcomes\.\n$/);
    const after = ioIn(root);
    await showLearned(after.io, undefined, {});
    expect(after.stdout()).toBe('');
  });

  it.each([
    ['freeze', async (io: CapturedIo['io']) => await freeze(io, {})],
    ['reset', async (io: CapturedIo['io']) => await resetLearned(io, undefined, {yes: true})],
  ])('%s is refused to commands that Fettle runs: a model must not choose its own rewards', async (name, run) => {
    const {io} = ioIn(await home(), {FETTLE_CALL_ID: 'call_1'});
    await expect(run(io)).rejects.toMatchObject({
      code: 'DENIED',
      message: 'A command that Fettle runs cannot change what Fettle has learned.',
      hint: `Type \`fettle optimize ${name}\` in a terminal of your own.`,
    });
  });
});
