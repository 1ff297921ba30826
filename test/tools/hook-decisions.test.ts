import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../src/policy/decision.ts';
import type {ApprovalAnswer, PreToolAnswer} from '../../src/tools/dispatch/dispatch.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import {fakeOptions, fakeTool, toolCall} from './support/fake-toolset.ts';

const never = new AbortController().signal;
const rule = (effect: Rule['effect']): Rule => ({text: 'put:*', effect, source: 'user'});

type Said = 'deny' | 'ask' | 'allow' | 'nothing';
const ANSWERS: Readonly<Record<Said, PreToolAnswer>> = {
  deny: {deny: 'no'},
  ask: {permission: 'ask'},
  allow: {permission: 'allow'},
  nothing: undefined,
};

/** What happened to a write: it ran, or not; and how often a person was asked. */
async function happened(said: readonly Said[], rules: readonly Rule[], person: ApprovalAnswer['decision']): Promise<[boolean, number]> {
  let asked = 0;
  let ran = false;
  const put = fakeTool('put', 'write', () => ((ran = true), 'put'));
  const {dispatch} = createDispatcher(
    fakeOptions([put], {
      policy: () => ({mode: 'ask', rules, fallback: 'ask'}),
      preHooks: said.map((answer) => () => ANSWERS[answer]),
      approve: async () => {
        asked += 1;
        return {decision: person};
      },
    }),
  );
  await dispatch(toolCall('put', 'a.txt'), never);
  return [ran, asked];
}

describe('what hooks and rules decide together (Claude Code: deny > ask > allow; an allow does not beat a deny or ask rule)', () => {
  const hooks = fc.array(fc.constantFrom<Said>('deny', 'ask', 'allow', 'nothing'), {maxLength: 4});
  const effects = fc.array(fc.constantFrom<Rule['effect']>('allow', 'ask', 'deny'), {maxLength: 3});

  it('one denial is enough, whoever else allows; nobody is asked then', async () => {
    await fc.assert(
      fc.asyncProperty(hooks, effects, async (said, given) => {
        fc.pre(said.includes('deny') || given.includes('deny'));
        expect(await happened(said, given.map(rule), 'allow')).toEqual([false, 0]);
      }),
    );
  });

  it('without a denial a person is asked where a hook or a rule wants it, or where nothing allows it; else never', async () => {
    const mild = fc.array(fc.constantFrom<Said>('ask', 'allow', 'nothing'), {maxLength: 4});
    const rules = fc.array(fc.constantFrom<Rule['effect']>('allow', 'ask'), {maxLength: 3});
    await fc.assert(
      fc.asyncProperty(mild, rules, fc.constantFrom<'allow' | 'deny'>('allow', 'deny'), async (said, given, person) => {
        const wanted = said.includes('ask') || given.includes('ask') || !(said.includes('allow') || given.includes('allow'));
        expect(await happened(said, given.map(rule), person)).toEqual([!wanted || person === 'allow', wanted ? 1 : 0]);
      }),
    );
  });

  it('a call that is cancelled while a hook thinks is cancelled, not denied', async () => {
    const stop = new AbortController();
    const put = fakeTool('put', 'write', () => 'put');
    const think = async (): Promise<undefined> => {
      stop.abort();
      throw new Error('stopped');
    };
    const {dispatch} = createDispatcher(fakeOptions([put], {preHooks: [think]}));
    const {outcome, text} = await dispatch(toolCall('put', 'a.txt'), stop.signal);
    expect([outcome, text]).toEqual(['cancelled', 'CANCELLED: Cancelled before it was run.']);
  });
});
