import {access, constants} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {chromium, type Page} from 'playwright-core';
import {onTestFinished} from 'vitest';

/** The browser of the machine; undefined: there is none, and tests of pages are skipped. */
export const BROWSER: string | undefined = await firstOnPath(['chromium', 'chromium-browser', 'google-chrome']);

async function firstOnPath(names: readonly string[]): Promise<string | undefined> {
  for (const name of names)
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const found = await access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return join(folder, name);
    }
  return undefined;
}

export interface Screen {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** A page and what went wrong in it: requests beside the page itself, messages on its console. */
export interface OpenedPage {
  readonly page: Page;
  readonly asked: readonly string[];
  readonly said: readonly string[];
}

/** Opens a file in a browser of its own, which ends with the test. */
export async function openPage(file: string, {width, scheme}: Screen): Promise<OpenedPage> {
  const browser = await chromium.launch({executablePath: BROWSER ?? '', args: ['--no-sandbox']});
  onTestFinished(() => browser.close());
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme: scheme});
  const asked: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) asked.push(request.url());
  });
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(`file://${file}`);
  return {page, asked, said};
}
