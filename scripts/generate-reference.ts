import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {TERMINAL_PICTURES} from './pictures/terminal-pictures.ts';
import {configPage} from './reference/config-page.ts';
import {eventsPage} from './reference/events-page.ts';
import {hooksPage} from './reference/hooks-page.ts';
import {LAB_SCHEMAS} from './reference/lab-schemas.ts';
import {terminalPage} from './reference/terminal-page.ts';
import {threadEventSchema} from './reference/thread-event-schema.ts';
import {toolsPage} from './reference/tools-page.ts';

/** Every generated page of `docs/reference` and picture of the guide, and what makes it. `--check` writes nothing and fails where a committed page differs. */
export const REFERENCE_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/thread-event.schema.json': () => `${JSON.stringify(threadEventSchema(), undefined, 2)}\n`,
  'docs/reference/events.md': eventsPage,
  'docs/reference/config.md': configPage,
  'docs/reference/tools.md': toolsPage,
  'docs/reference/hooks.md': hooksPage,
  'docs/reference/terminal.md': terminalPage,
  ...LAB_SCHEMAS,
  ...TERMINAL_PICTURES,
};

/** The pages below `root` that differ from what the code says. */
export async function stalePages(root: string): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [page, generate] of Object.entries(REFERENCE_PAGES)) {
    const committed = await readFile(join(root, page), 'utf8').catch(() => undefined);
    if (committed !== (await generate())) stale.push(page);
  }
  return stale;
}

async function writePages(root: string): Promise<void> {
  for (const [page, generate] of Object.entries(REFERENCE_PAGES)) {
    await mkdir(dirname(join(root, page)), {recursive: true});
    await writeFile(join(root, page), await generate());
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  if (process.argv.includes('--check')) {
    const stale = await stalePages(root);
    for (const page of stale) console.error(`${page} is not what the code says: run node scripts/generate-reference.ts`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else await writePages(root);
}
