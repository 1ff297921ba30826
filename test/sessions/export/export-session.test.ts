import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {EXPORT_FORMATS, exportSession} from '../../../src/sessions/export/export-session.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {scratch} from '../../support/scratch.ts';
import {logged, started, text, user, wholeTurn} from '../events.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const KEY = `sk-ant-${'a1'.repeat(20)}`;

describe('exportSession', () => {
  it('jsonl is the log as it is', async () => {
    const file = join(await scratch({'thr_1.jsonl': logged(wholeTurn()).map(encodeLine).join('')}), 'thr_1.jsonl');
    expect(await exportSession(file, 'jsonl')).toBe(await readFile(file, 'utf8'));
  });

  it('every format hides keys, tells the rest, and stays what it is', async () => {
    const events = logged([started(), user(`My key is ${KEY}\nand "${KEY}".`), text('r1', `\t${KEY}`)]);
    const file = join(await scratch({'thr_1.jsonl': events.map(encodeLine).join('')}), 'thr_1.jsonl');
    for (const format of EXPORT_FORMATS) {
      const exported = await exportSession(file, format);
      expect(exported.includes(KEY)).toBe(false);
      if (format === 'atif') {
        expect(JSON.parse(exported)).toMatchObject({
          steps: [
            {message: 'My key is [redacted Anthropic key]\nand "[redacted Anthropic key]".'},
            {message: '\t[redacted Anthropic key]'},
          ],
        });
      }
    }
  });

  it('a file that is not there is NOT_FOUND', async () => {
    await expect(exportSession(join(await scratch(), 'no.jsonl'), 'markdown')).rejects.toMatchObject({code: 'NOT_FOUND'});
  });
});
