import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {makeReport} from '../../../../src/lab/report/make-report.ts';
import {reportPage} from '../../../../src/lab/report/page/report-page.ts';
import type {RunResults} from '../../../../src/lab/report/run-results.ts';
import {result, results, runOf} from '../results.ts';

const page = (run: RunResults): string => reportPage(makeReport(run), run, () => undefined);
const many = (mark: string): Record<string, string> => Object.fromEntries(Array.from({length: 12}, (_, at) => [`t${at}`, mark]));
const sections = (html: string): readonly string[] => Array.from(html.matchAll(/<section id="([a-z-]+)"/g), ([, id = '']) => id);

describe('the page of a report', () => {
  it('allows its own style and nothing else', () => {
    const html = page(runOf([result()]));
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(/http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1]).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    expect(html.match(/ (?:style|on[a-z]+|src)=|<script|https?:/g)).toBe(null);
  });

  it('has the sections that the run has something to say about', () => {
    const two = [...results({sum: '+-'}), ...results({sum: '--'}, {key: {model: 'acme/little'}})];
    expect(sections(page(runOf(two)))).toEqual([
      'pass',
      'comparison',
      'cost',
      'time',
      'failures',
      'variants',
      'tasks',
      'rollouts',
      'method',
    ]);
    expect(sections(page(runOf([result()])))).toEqual(['pass', 'time', 'failures', 'variants', 'tasks', 'rollouts', 'method']);
    expect(sections(page(runOf([], {tasks: [{id: 'sum'}], models: ['a'], toolsets: ['b']})))).toEqual(['pass', 'tasks']);
    expect(page(runOf([]))).toContain('No rollout is done yet.');
  });

  it.each([
    ['one variant, one attempt', {a: {sum: '+', sort: '-'}}, 'a · fettle passes 50 % of 2 tasks.'],
    ['one variant, several attempts', {a: {sum: '++', sort: '-+'}}, 'a · fettle passes 75 % of the attempts, as a mean over 2 tasks.'],
    [
      'a lead that is shown',
      {a: many('-'), b: many('+')},
      'Highest of 2 variants: b · fettle passes 100 % of 12 tasks, the lowest 0 %. Its lead over the other is more than chance explains.',
    ],
    [
      'a lead that is shown over one of two',
      {a: many('-'), b: {...many('+'), t0: '-'}, c: many('+')},
      'Highest of 3 variants: c · fettle passes 100 % of 12 tasks, the lowest 0 %. Its lead over 1 of 2 others is more than chance explains.',
    ],
    [
      'a lead that is not shown',
      {a: {sum: '+', sort: '-'}, b: {sum: '+', sort: '+'}},
      'Highest of 2 variants: b · fettle passes 100 % of 2 tasks, the lowest 50 %. Chance can explain its lead over the other.',
    ],
    ['a tie', {a: {sum: '+'}, b: {sum: '+'}}, 'Both variants pass 100 % of 1 task.'],
  ] as const)('begins with the result and with how sure it is: %s', (_, byModel, words) => {
    const all = Object.entries(byModel).flatMap(([model, outcomes]) => results(outcomes, {key: {model}}));
    const [, headline = ''] = /<p class="headline">(.*?)<\/p>/.exec(page(runOf(all))) ?? [];
    expect(headline.replaceAll(/<[^>]+>/g, '')).toBe(words);
  });

  it('compares in one order: the first of the sentence is the first of the counts, and is better right of the line', () => {
    const all = [...results({...many('+'), t0: '-', t1: '-'}), ...results({...many('-'), t0: '+'}, {key: {model: 'acme/little'}})];
    const turned = runOf(all.toReversed(), {models: ['acme/little', 'acme/large']});
    for (const run of [runOf(all), turned]) {
      const [, item = ''] = /<ul class="comparisons"><li class="shown">(.*?)<\/li>/.exec(page(run)) ?? [];
      expect(item.replaceAll(/<svg.*?<\/svg>/g, '').replaceAll(/<[^>]+>/g, '|')).toBe(
        '|||acme/large · fettle passes more than acme/little · fettle: +75.0 points on 12 tasks (95 % interval +26.7 to +100.0, p = 0.012).||The first is better on 10 of 12 tasks, worse on 1, the same on 1|||',
      );
      expect(/aria-label="([^"]*)"/.exec(item)?.[1]).toBe('Difference +75.0 points, 95 % interval +26.7 to +100.0');
    }
  });

  it('says that a run has no variant in common with the one that it is compared with', () => {
    const run = runOf([...results({sum: '+'}), ...results({sum: '-'}, {key: {model: 'b'}})]);
    const other = runOf([...results({sum: '+'}, {key: {model: 'c'}}), ...results({sum: '-'}, {key: {model: 'd'}})], {name: 'monday'});
    const html = reportPage(makeReport(run, other), run, () => undefined);
    expect(html).toContain('>Comparison with monday</h2><p class="caption">No variant of that run is in this one.</p></section>');
  });

  it('shows tokens or time in place of costs that are not known', () => {
    const variants = (parts: Parameters<typeof results>[1]) => [
      ...results({sum: '+'}, parts),
      ...results({sum: '-'}, {...parts, key: {model: 'b'}}),
    ];
    expect(page(runOf(variants({costUsd: null})))).toContain('left is cheaper: median output tokens of a rollout (prices are not known)');
    const noTokens = variants({costUsd: null, usage: {turns: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 0}});
    expect(page(runOf(noTokens))).toContain('left is cheaper: median time of a rollout (prices are not known)');
  });

  it('leads from a cell to its first attempt that failed', () => {
    const html = page(runOf(results({sum: '+!-'})));
    expect(html).toContain('<td class="rate-5"><a href="#task-1-3" aria-label="sum, acme/large · fettle: 1 of 2 passed">1/2</a>');
    expect(html).toContain('<div id="task-1-3" class="inside">');
  });

  it('holds no secret of prompts and reasons, since pages are passed on', () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
    const all = [
      result({outcome: 'failed', note: `failed with ${secret}`}),
      result({key: {attempt: 2}, outcome: 'infrastructure', note: `refused ${secret}`}),
    ];
    const html = page(runOf(all, {tasks: [{id: 'sum', prompt: `Use ${secret}.`}]}));
    expect([html.includes('sk-ant'), html.includes('failed with '), html.match(/refused /g)?.length, html.includes('Use ')]).toEqual([
      false,
      true,
      2,
      true,
    ]);
  });

  it('stays a page that a browser can open with a hundred thousand rollouts', () => {
    const tasks = Object.fromEntries(Array.from({length: 5000}, (_, at) => [`t${at}`, '+-'.repeat(10)]));
    const run = runOf(results(tasks));
    const html = page(run);
    expect([html.length < 12_000_000, html.match(/class="rollout"/g)?.length, html.match(/<circle/g)?.length]).toEqual([true, 3000, 301]);
    expect(html).toContain('3000 easier tasks are left out here');
  });
});
