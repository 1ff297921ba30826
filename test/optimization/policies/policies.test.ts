import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DEFAULTS} from '../../../src/config/defaults.ts';
import type {OptimizationSettings} from '../../../src/config/settings.ts';
import {NO_FEATURES} from '../../../src/optimization/policies/feature-vector.ts';
import {openPolicy} from '../../../src/optimization/policies/open-policy.ts';
import type {Outcome} from '../../../src/optimization/policies/policy.ts';
import {seededStreams, type RandomStreams} from '../../../src/optimization/random-streams.ts';

type Strategy = OptimizationSettings['strategy'];
const STRATEGIES: readonly Strategy[] = ['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'thompson', 'linucb', 'actor_critic'];

function settings(strategy: Strategy, bandit: Partial<OptimizationSettings['bandit']> = {}): OptimizationSettings {
  return {...DEFAULTS.optimization, strategy, bandit: {...DEFAULTS.optimization.bandit, ...bandit}};
}

/** `a:1 b:0.5` as outcomes. */
function outcomes(text: string, extra: Partial<Outcome> = {}): Outcome[] {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [action = '', reward = '0'] = one.split(':');
      return {action, reward: Number(reward), vector: NO_FEATURES, earlier: [], ...extra};
    });
}

interface Asked {
  readonly settings: OptimizationSettings;
  readonly learned: readonly Outcome[];
  readonly actions?: readonly string[];
  readonly random?: RandomStreams;
  readonly latencyBudgetMs?: number;
}

function select({settings, learned, actions = ['a', 'b', 'c'], random = seededStreams(1), latencyBudgetMs}: Asked): {
  action: string;
  why: string;
} {
  const policy = openPolicy(settings);
  const state = learned.reduce((before, outcome) => policy.update(before, outcome), policy.start);
  return policy.select(state, {actions, vector: NO_FEATURES, random, latencyBudgetMs});
}

const never = (): number => 0.999;

describe.each(STRATEGIES)('%s', (strategy) => {
  it('chooses one of the actions for any outcomes, and changes no state in place', () => {
    const outcome = fc.record({
      action: fc.constantFrom('a', 'b', 'c', 'gone'),
      reward: fc.double({min: 0, max: 1, noNaN: true}),
      latencyMs: fc.option(fc.nat(100_000), {nil: undefined}),
      vector: fc.constant(NO_FEATURES),
      earlier: fc.array(fc.constantFrom('a', 'b'), {maxLength: 3}),
    });
    fc.assert(
      fc.property(
        fc.array(outcome, {maxLength: 40}),
        fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'new'), {minLength: 1}),
        fc.nat(),
        (learned, actions, seed) => {
          const policy = openPolicy(settings(strategy, {discount: 0.9}));
          const choice = {actions, vector: NO_FEATURES, latencyBudgetMs: 500};
          let state = policy.start;
          for (const one of learned) {
            const before = policy.best(state, choice);
            const after = policy.update(state, one);
            expect(policy.best(state, choice)).toEqual(before);
            state = after;
          }
          const {action, why} = policy.select(state, {...choice, random: seededStreams(seed)});
          expect(actions).toContain(action);
          expect(why).toMatch(/^[^\n]{10,100}$/);
          expect(why).not.toMatch(/NaN|Infinity|undefined/);
          expect(actions).toContain(policy.best(state, choice).action);
        },
      ),
      {numRuns: 60},
    );
  });

  it('makes the same choices for the same seed', () => {
    const run = (): string[] => {
      const policy = openPolicy(settings(strategy));
      const random = seededStreams(5);
      let state = policy.start;
      return Array.from({length: 50}, (_, n) => {
        const {action} = policy.select(state, {actions: ['a', 'b', 'c'], vector: NO_FEATURES, random});
        state = policy.update(state, {action, reward: n % 2, vector: NO_FEATURES, earlier: []});
        return action;
      });
    };
    expect(run()).toEqual(run());
  });

  it('tries every action before it settles, and an action that comes later too', () => {
    const policy = openPolicy(settings(strategy));
    const random = seededStreams(2);
    const chosen: string[] = [];
    let state = policy.start;
    for (let n = 0; n < 120; n += 1) {
      const actions = n < 60 ? ['a', 'b', 'c'] : ['a', 'b', 'c', 'new'];
      const {action} = policy.select(state, {actions, vector: NO_FEATURES, random});
      chosen.push(action);
      state = policy.update(state, {action, reward: action === 'b' ? 0.5 : 0.2, vector: NO_FEATURES, earlier: []});
    }
    expect(new Set(chosen.slice(0, 60))).toEqual(new Set(['a', 'b', 'c']));
    expect(chosen.slice(60)).toContain('new');
    expect(chosen.slice(30).filter((action) => action === 'b').length).toBeGreaterThan(45);
  });

  it('keeps what it knows of an action that is not there, and does not choose it', () => {
    const learned = outcomes('a:1 a:1 a:1 a:1 b:0 b:0 b:0 b:0 c:0.5 c:0.5 c:0.5 c:0.5');
    expect(select({settings: settings(strategy, {exploration_epsilon: 0}), learned, actions: ['b', 'c']}).action).not.toBe('a');
    const policy = openPolicy(settings(strategy));
    const state = learned.reduce((before, outcome) => policy.update(before, outcome), policy.start);
    expect(policy.best(state, {actions: ['b', 'a', 'c'], vector: NO_FEATURES}).action).toBe('a');
  });
});

describe('epsilon_greedy', () => {
  const known = outcomes('a:0 a:0 a:0 a:0 b:1 b:1 b:1 b:1 c:0 c:0 c:0 c:0');

  it('tests with one stream whether to explore, and draws the action from the other (VT Code architecture › one random source for two draws)', () => {
    const explores: RandomStreams = {explore: () => 0.05, draw: never};
    expect(select({settings: settings('epsilon_greedy'), learned: known, random: explores})).toEqual({
      action: 'c',
      why: 'explores, as 10 % of choices do: mean 0.00 of 4 outcomes',
    });
    const exploits: RandomStreams = {explore: () => 0.1, draw: () => 0};
    expect(select({settings: settings('epsilon_greedy'), learned: known, random: exploits})).toEqual({
      action: 'b',
      why: 'best so far: mean 1.00 of 4 outcomes',
    });
  });

  it('counts a first reward in full (VT Code architecture › halved first rewards)', () => {
    const learned = outcomes('a:0.6 b:0.5');
    const {why} = select({settings: settings('epsilon_greedy', {exploration_epsilon: 0}), learned, actions: ['a', 'b']});
    expect(why).toBe('best so far: mean 0.60 of 1 outcome');
  });

  it('on a tie takes the first', () => {
    expect(select({settings: settings('epsilon_greedy', {exploration_epsilon: 0}), learned: [], actions: ['z', 'a']}).action).toBe('z');
  });

  it('forgets with a discount: what an action earned long ago counts less', () => {
    const learned = outcomes(`${'a:1 '.repeat(30)}${'a:0 b:0.5 '.repeat(20)}`);
    const asked = (discount: number) =>
      select({settings: settings('epsilon_greedy', {exploration_epsilon: 0, discount}), learned, actions: ['a', 'b']});
    expect([asked(1).action, asked(0.9).action]).toEqual(['a', 'b']);
  });
});

describe('bandit', () => {
  it('forgets by its rolling window: an outcome counts at least as one of so many', () => {
    const learned = outcomes(`${'a:1 '.repeat(100)}${'a:0 '.repeat(30)}${'b:0.6 '.repeat(30)}`);
    const asked = (window: number) =>
      select({settings: settings('bandit', {exploration_epsilon: 0, rolling_window: window}), learned, actions: ['a', 'b']});
    expect([asked(1000).action, asked(20).action]).toEqual(['a', 'b']);
  });
});

describe('latency budget', () => {
  const learned = [...outcomes('a:1 a:1 a:1 a:1', {latencyMs: 10_000}), ...outcomes('b:0.8 b:0.8 b:0.8 b:0.8', {latencyMs: 800})];
  it.each(['bandit', 'epsilon_greedy', 'ucb1', 'ucb1_tuned', 'linucb'] as const)(
    '%s prefers an action within it, by latency_weight',
    (strategy) => {
      const asked = (latencyBudgetMs: number | undefined, weight: number) =>
        select({
          settings: settings(strategy, {exploration_epsilon: 0, latency_weight: weight}),
          learned,
          actions: ['a', 'b'],
          random: seededStreams(1),
          ...(latencyBudgetMs === undefined ? {} : {latencyBudgetMs}),
        }).action;
      expect([asked(undefined, 0.35), asked(60_000, 0.35), asked(1000, 0.35), asked(1000, 0)]).toEqual(['a', 'a', 'b', 'a']);
    },
  );
});

describe('ucb1', () => {
  it('says how good the action could be', () => {
    const learned = outcomes('a:1 a:1 b:0 c:0');
    expect(select({settings: settings('ucb1'), learned})).toEqual({
      action: 'a',
      why: 'could be the best: mean 1.00 of 2 outcomes, up to 1.59',
    });
    expect(select({settings: settings('ucb1'), learned, actions: ['a', 'new']})).toEqual({action: 'new', why: 'tries it: no outcome yet'});
  });
});

describe('actor_critic', () => {
  const actor = (trace: Partial<OptimizationSettings['actor_critic']>, learned: readonly Outcome[]) => {
    const policy = openPolicy({...settings('actor_critic'), actor_critic: {...DEFAULTS.optimization.actor_critic, ...trace}});
    const state = learned.reduce((before, outcome) => policy.update(before, outcome), policy.start);
    return policy.best(state, {actions: ['bad', 'good'], vector: NO_FEATURES}).action;
  };
  /** Two choices an episode: the first one decides, and only the second has an outcome. */
  const episodes = Array.from({length: 40}, (_, n): Outcome => {
    const first = n % 2 === 0 ? 'good' : 'bad';
    return {action: 'last', reward: first === 'good' ? 1 : 0, vector: NO_FEATURES, earlier: [first]};
  });

  it('credits earlier choices of an episode by their traces', () => {
    expect(actor({}, episodes)).toBe('good');
    expect(actor({trace_decay: 0}, episodes)).toBe('bad');
    expect(actor({discount_factor: 0}, episodes)).toBe('bad');
  });

  it('learns more from an outcome with a higher learning_rate', () => {
    const learned = outcomes(`${'good:1 '.repeat(20)}${'bad:0.6 '.repeat(20)}${'good:0 '.repeat(10)}`);
    expect([actor({learning_rate: 0.001}, learned), actor({learning_rate: 0.9}, learned)]).toEqual(['good', 'bad']);
  });
});
