import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {makeReport} from '../../../src/lab/report/make-report.ts';
import {measure} from '../../../src/lab/report/measures.ts';
import {result, results, runOf} from './results.ts';

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

describe('the figures of rollouts', () => {
  it('are rates over tasks, with sums and spreads beside them', () => {
    const all = [
      ...results({sum: '++-', sort: '---'}),
      result({key: {task: 'copy'}, outcome: 'failed', failure: 'time-limit', reward: 0.5, agentMs: 9000, costUsd: 0.1}),
    ];
    const {passAt, meanReward, cost, ...rest} = measure(all);
    expect({
      ...rest,
      meanReward: rounded(meanReward ?? -1),
      cost: {...cost, total: rounded(cost.total), mean: rounded(cost.mean ?? -1), perPass: rounded(cost.perPass ?? -1)},
      passAt: passAt.map((one) => ({...one, estimate: rounded(one.estimate), low: rounded(one.low), high: rounded(one.high)})),
    }).toMatchInlineSnapshot(`
      {
        "agentMs": {
          "max": 9000,
          "median": 2000,
          "p10": 2000,
          "p90": 4800.000000000002,
        },
        "cost": {
          "mean": 0.0314,
          "perPass": 0.11,
          "total": 0.22,
          "unpriced": 0,
        },
        "failed": 5,
        "failures": {
          "time-limit": 1,
          "wrong-answer": 4,
        },
        "infrastructure": 0,
        "meanReward": 0.3889,
        "outputTokens": {
          "max": 100,
          "median": 100,
          "p10": 100,
          "p90": 100,
        },
        "passAt": [
          {
            "estimate": 0.2222,
            "high": 0.8646,
            "k": 1,
            "low": 0.0126,
            "tasks": 3,
          },
          {
            "estimate": 0.5,
            "high": 0.9055,
            "k": 2,
            "low": 0.0945,
            "tasks": 2,
          },
          {
            "estimate": 0.5,
            "high": 0.9055,
            "k": 3,
            "low": 0.0945,
            "tasks": 2,
          },
        ],
        "passed": 2,
        "rollouts": 7,
        "tokens": {
          "cached": 4200,
          "input": 7000,
          "output": 700,
        },
        "turns": {
          "max": 4,
          "median": 4,
          "p10": 4,
          "p90": 4,
        },
        "verifyMs": {
          "max": 300,
          "median": 300,
          "p10": 300,
          "p90": 300,
        },
      }
    `);
  });

  it('never count the infrastructure as wrong: the rate is that of the others (issue › infrastructure failures and tasks not run)', () => {
    const {passAt, passed, failed, infrastructure, failures, cost, agentMs} = measure(results({sum: '+!!', sort: '!!!'}));
    expect({passAt: passAt.map(({k, estimate, tasks}) => ({k, estimate, tasks})), passed, failed, infrastructure, failures}).toEqual({
      passAt: [{k: 1, estimate: 1, tasks: 1}],
      passed: 1,
      failed: 0,
      infrastructure: 5,
      failures: {},
    });
    // They are paid all the same.
    expect([rounded(cost.total), agentMs?.max]).toEqual([0.12, 2000]);
  });

  it('are unknown without results, not zero', () => {
    const {passAt, meanReward, agentMs, cost} = measure([]);
    expect({passAt, meanReward, agentMs, cost}).toEqual({
      passAt: [],
      meanReward: null,
      agentMs: null,
      cost: {total: 0, unpriced: 0, mean: null, perPass: null},
    });
  });

  it('have no cost of a pass where a price is not known', () => {
    const {cost} = measure([result({costUsd: null}), result({costUsd: 0.5, key: {task: 'sort'}})]);
    expect(cost).toEqual({total: 0.5, unpriced: 1, mean: 0.5, perPass: null});
  });

  it('estimate pass@k for 1, 2, 5, 10 … and the highest k, on the tasks with as many judged attempts', () => {
    const {passAt} = measure(results({sum: '+-----------', sort: '-+'}));
    expect(passAt.map(({k, estimate, tasks}) => [k, rounded(estimate), tasks])).toEqual([
      [1, rounded((1 / 12 + 1 / 2) / 2), 2],
      [2, rounded((2 / 12 + 1) / 2), 2],
      [5, rounded(5 / 12), 1],
      [10, rounded(10 / 12), 1],
      [12, 1, 1],
    ]);
  });
});

describe('the report of a run', () => {
  it('counts what was planned, by variant, group and task', () => {
    const large = results({sum: '++', sort: '+-'});
    const little = results({sum: '-!', sort: '--'}, {key: {model: 'acme/little'}, costUsd: 0.001});
    const run = runOf([...large, ...little], {
      tasks: [{id: 'sum', labels: {language: 'python'}}, {id: 'sort', labels: {language: 'shell'}}, {id: 'rest'}],
      notRun: [{id: 'gpu', reason: 'needs a GPU'}],
    });
    const {counts, variants, groups, tasks, infrastructure, warnings, notRun, versions, createdAt} = makeReport(run);
    expect({
      counts,
      variants: variants.map(({name, passed, failed, passAt}) => [name, passed, failed, passAt[0]?.estimate]),
      groups: groups.map(({kind, name, passAt}) => [kind, name, rounded(passAt[0]?.estimate ?? -1)]),
      tasks,
      infrastructure,
      warnings,
      notRun,
      versions,
      createdAt,
    }).toMatchInlineSnapshot(`
      {
        "counts": {
          "accepted": 8,
          "missing": 4,
          "planned": 12,
          "tasks": 3,
          "tasksNotRun": 1,
        },
        "createdAt": "2023-11-14T22:13:20.000Z",
        "groups": [
          [
            "language",
            "python",
            0.6667,
          ],
          [
            "language",
            "shell",
            0.25,
          ],
        ],
        "infrastructure": [
          {
            "attempt": 2,
            "model": "acme/little",
            "note": "no reason was noted",
            "task": "sum",
            "toolset": "fettle",
          },
        ],
        "notRun": [
          {
            "reason": "needs a GPU",
            "task": "gpu",
          },
        ],
        "tasks": [
          {
            "cells": [
              {
                "infrastructure": 0,
                "judged": 2,
                "passed": 2,
              },
              {
                "infrastructure": 1,
                "judged": 1,
                "passed": 0,
              },
            ],
            "id": "sum",
            "language": "python",
          },
          {
            "cells": [
              {
                "infrastructure": 0,
                "judged": 2,
                "passed": 1,
              },
              {
                "infrastructure": 0,
                "judged": 2,
                "passed": 0,
              },
            ],
            "id": "sort",
            "language": "shell",
          },
          {
            "cells": [
              {
                "infrastructure": 0,
                "judged": 0,
                "passed": 0,
              },
              {
                "infrastructure": 0,
                "judged": 0,
                "passed": 0,
              },
            ],
            "id": "rest",
            "language": null,
          },
        ],
        "variants": [
          [
            "acme/large · fettle",
            3,
            1,
            0.75,
          ],
          [
            "acme/little · fettle",
            0,
            3,
            0,
          ],
        ],
        "versions": [
          "1.2.3",
        ],
        "warnings": [
          "4 rollouts of the plan are not done yet: the figures are of those that are.",
          "1 rollout failed by the infrastructure and counts neither as passed nor as failed.",
          "1 task of the suite is not run and not counted.",
        ],
      }
    `);
  });

  it('has groups of models and toolsets where they are not the variants themselves', () => {
    const all = ['large', 'little'].flatMap((model) =>
      ['fettle', 'vibe'].flatMap((toolset) => results({sum: model === 'large' ? '+' : '-'}, {key: {model, toolset}})),
    );
    const {groups} = makeReport(runOf(all));
    expect(groups.map(({kind, name, rollouts, passAt}) => [kind, name, rollouts, passAt[0]?.estimate])).toEqual([
      ['model', 'large', 2, 1],
      ['model', 'little', 2, 0],
      ['toolset', 'fettle', 2, 0.5],
      ['toolset', 'vibe', 2, 0.5],
    ]);
  });

  it('takes the first of results with the same key, and says what makes results unlike one another', () => {
    const twice = [
      result(),
      result({outcome: 'failed'}),
      result({key: {attempt: 2}, taskDigest: 'other', version: '1.2.4', costUsd: null}),
      result({key: {attempt: 3}, outcome: 'infrastructure', version: ''}),
    ];
    const {total, warnings} = makeReport(runOf(twice));
    expect([total.passed, total.failed]).toEqual([2, 0]);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "1 rollout failed by the infrastructure and counts neither as passed nor as failed.",
        "Changed while the run went on, so that their attempts are not alike: sum.",
        "Several versions of Fettle made these results: 1.2.3, 1.2.4.",
        "The price of 1 rollout is not known: costs are of the others.",
      ]
    `);
  });

  it('does not depend on the order of the results', () => {
    const all = [...results({sum: '++-', sort: '+--', copy: '-!+'}), ...results({sum: '---', sort: '+++'}, {key: {model: 'acme/little'}})];
    const whole = runOf(all);
    const {infrastructure: _, ...expected} = makeReport(whole);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, {minLength: all.length}), (shuffled) => {
        const {infrastructure, ...report} = makeReport({...whole, results: shuffled});
        const near = JSON.parse(JSON.stringify(report), (_key, value: unknown) => (typeof value === 'number' ? rounded(value) : value));
        const far = JSON.parse(JSON.stringify(expected), (_key, value: unknown) => (typeof value === 'number' ? rounded(value) : value));
        expect(near).toEqual(far);
        expect(infrastructure).toHaveLength(1);
      }),
    );
  });
});
