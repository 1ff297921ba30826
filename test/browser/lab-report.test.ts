import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Page} from 'playwright-core';
import {describe, expect, it} from 'vitest';
import {makeReport} from '../../src/lab/report/make-report.ts';
import {reportPage} from '../../src/lab/report/page/report-page.ts';
import type {RolloutTexts} from '../../src/lab/report/page/rollout-details.ts';
import type {RunResults} from '../../src/lab/report/run-results.ts';
import {result, results, runOf} from '../lab/report/results.ts';
import {scratch} from '../support/scratch.ts';
import {BROWSER, openPage} from './browser.ts';

const TEXTS: RolloutTexts = {lastMessage: 'I **fixed** it.', verification: '1 failed', diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new'};

function run(): RunResults {
  const models = ['anthropic/some-model-with-a-long-name', 'openai/other'];
  const all = models.flatMap((model, at) => {
    const outcomes = Object.fromEntries(
      Array.from({length: 12}, (_, task) => [`task-number-${task}`, ['+++', '+-+', '--+', '---', '+!-'][(task + at) % 5] ?? '']),
    );
    return results(outcomes, {key: {model}, costUsd: 0.01 * (at + 1), agentMs: 1500 * (at + 1)});
  });
  const whole = runOf(all, {notRun: [{id: 'gpu', reason: 'needs a GPU'}]});
  return {...whole, tasks: whole.tasks.map(({id}) => ({id, labels: {language: 'python'}, prompt: 'Do `it`.'}))};
}

async function written(whole: RunResults, texts: RolloutTexts = TEXTS): Promise<string> {
  const file = join(await scratch(), 'report.html');
  await writeFile(
    file,
    reportPage(makeReport(whole), whole, () => texts),
  );
  return file;
}

/** Contrast of each text with what is behind it (WCAG 2.2, 1.4.3), the lowest for each of the selectors. */
async function contrasts(page: Page, selectors: readonly string[]): Promise<readonly (readonly [string, number])[]> {
  return page.evaluate((wanted) => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const rgb = (colours: readonly string[]): number[] => {
      if (canvas === null) return [];
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (colour: readonly number[]): number => {
      const [r = 0, g = 0, b = 0] = colour.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): string[] =>
      element === null ? [] : [...behind(element.parentElement), getComputedStyle(element).backgroundColor];
    return wanted.map((selector) => {
      const found = [...document.querySelectorAll(selector)].map((element) => {
        const layers = behind(element);
        const [text, back] = [luminance(rgb([...layers, getComputedStyle(element).color])), luminance(rgb(layers))];
        return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
      });
      return [selector, found.length === 0 ? 0 : Math.min(...found)] as const;
    });
  }, selectors);
}

describe.skipIf(BROWSER === undefined)('the page of a lab report, in a browser', () => {
  for (const width of [360, 800, 1400])
    for (const scheme of ['light', 'dark'] as const)
      it(`fits ${width} pixels, ${scheme}, asks for nothing, and its text can be read`, async () => {
        const {page, asked, said} = await openPage(await written(run()), {width, scheme});
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
        });
        const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect([tooWide, asked, said]).toEqual([0, [], []]);
        const places = [
          '.caption',
          'small',
          'h2',
          'nav a',
          '.badge.passed',
          '.badge.failed',
          '.badge.infrastructure',
          'td a',
          '.tiles dt',
          'ins',
          'del',
        ];
        const low = (await contrasts(page, places)).filter(([, contrast]) => contrast < 4.5);
        expect(low).toEqual([]);
        const colours = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(colours).toBe(scheme === 'light' ? 'rgb(250, 250, 248)' : 'rgb(20, 22, 26)');
      });

  it('prints on the width of a sheet (A4, 718 pixels) without what only opens on a screen', async () => {
    const {page} = await openPage(await written(run()), {width: 718, scheme: 'light'});
    await page.emulateMedia({media: 'print'});
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    const shown = async (selector: string): Promise<boolean> => await page.locator(selector).first().isVisible();
    expect([wide, await shown('nav'), await shown('#rollouts'), await shown('#variants'), await shown('#tasks')]).toEqual([
      718,
      false,
      false,
      true,
      true,
    ]);
    await page.evaluate(() => document.querySelector('details.task')?.setAttribute('open', ''));
    expect([await shown('#rollouts'), await page.locator('details.task:visible').count()]).toEqual([true, 1]);
  });

  it('is read and used without a mouse: headings, named pictures, a cell that opens its rollout', async () => {
    const {page} = await openPage(await written(run()), {width: 1000, scheme: 'light'});
    expect(await page.getByRole('heading', {level: 2}).allTextContents()).toEqual([
      'Pass rate',
      'Comparison',
      'Cost against pass rate',
      'Time of the agent',
      'How rollouts ended',
      'Variants',
      'Tasks',
      'Rollouts',
      'Not counted',
      'How to read this',
    ]);
    const names = await page.getByRole('img').evaluateAll((pictures) => pictures.map((one) => one.getAttribute('aria-label') ?? ''));
    expect([names.length > 5, names.filter((name) => name.length < 5)]).toEqual([true, []]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the results');
    const cell = page.getByRole('link', {name: 'task-number-3, openai/other · fettle: 1 of 2 passed'});
    await cell.focus();
    await page.keyboard.press('Enter');
    const opened = page.locator('details.rollout[open]');
    expect(await opened.locator('summary').allTextContents()).toEqual(['wrong answer openai/other · fettle, attempt 3 3.0 s · $0.02']);
    expect(await opened.isVisible()).toBe(true);
  });

  it('shows what models and tasks wrote as text: nothing of it runs or is loaded', async () => {
    const evil = `</title></style></script><script>document.title='pwned'</script><img src="http://127.0.0.1:9/x" onerror="document.title='pwned'"><style>body{display:none}</style><meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/"> ![x](http://127.0.0.1:9/y) "'>`;
    const all = [
      result({
        key: {task: evil, model: evil, toolset: evil},
        outcome: 'failed',
        note: evil,
        version: evil,
        rewards: {[evil]: 0, b: 1},
        steps: [
          {name: evil, reward: 0},
          {name: 'b', reward: 1},
        ],
        artifacts: {'events.jsonl': evil},
      }),
      result({key: {task: evil, model: 'b'}}),
      result({key: {task: 'c', model: evil, toolset: evil}, outcome: 'infrastructure', note: evil}),
    ];
    const hostile = runOf(all, {
      name: evil,
      suiteName: evil,
      tasks: [
        {id: evil, labels: {language: evil}, prompt: evil},
        {id: 'c', labels: {language: 'd'}},
      ],
      notRun: [{id: evil, reason: evil}],
    });
    const {page, asked} = await openPage(await written(hostile, {lastMessage: evil, verification: evil, diff: `--- ${evil}\n+${evil}`}), {
      width: 800,
      scheme: 'light',
    });
    const tags = await page.evaluate(() =>
      [...document.querySelectorAll('script,img,iframe,link,form,object,meta,style')].map(({tagName}) => tagName),
    );
    expect([asked, tags]).toEqual([[], ['META', 'META', 'META', 'META', 'STYLE']]);
    expect([(await page.title()).startsWith('</title>'), await page.isVisible('h1')]).toEqual([true, true]);
  });
});
