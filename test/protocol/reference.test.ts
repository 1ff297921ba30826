import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {REFERENCE_PAGES, stalePages} from '../../scripts/generate-reference.ts';
import {scratch} from '../support/scratch.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('docs/reference', () => {
  it('is what the code says: else run `node scripts/generate-reference.ts`', async () => {
    expect(await stalePages(ROOT)).toEqual([]);
  });

  it('a page that is missing or differs is stale', async () => {
    const root = await scratch({'docs/reference/events.md': '# Events\n'});
    expect(await stalePages(root)).toEqual(Object.keys(REFERENCE_PAGES));
  });

  it('is the same from run to run', async () => {
    for (const generate of Object.values(REFERENCE_PAGES)) expect(await generate()).toBe(await generate());
  });
});
