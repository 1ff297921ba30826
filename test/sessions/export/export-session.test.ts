import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {EXPORT_FORMATS, exportSession} from '../../../src/sessions/export/export-session.ts';
import {redactKeys} from '../../../src/sessions/export/redact-keys.ts';
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

  it('every other format hides keys, tells the rest, and stays what it is', async () => {
    const events = logged([started(), user(`My key is ${KEY}\nand "${KEY}".`), text('r1', `\t${KEY}`)]);
    const file = join(await scratch({'thr_1.jsonl': events.map(encodeLine).join('')}), 'thr_1.jsonl');
    for (const format of EXPORT_FORMATS) {
      const exported = await exportSession(file, format);
      expect(exported.includes(KEY)).toBe(format === 'jsonl');
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

describe('redactKeys', () => {
  const x = (length: number): string => 'Ab1'.repeat(length).slice(0, length);

  it.each([
    ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${x(64)}\n-----END RSA PRIVATE KEY-----`],
    ['private key', JSON.stringify(`-----BEGIN PRIVATE KEY-----\r\n${x(64)}\r\n-----END PRIVATE KEY-----`).slice(1, -1)],
    ['API key', `sk-proj-${x(40)}`],
    ['API key', `sk-${x(48)}`],
    ['GitHub token', `ghp_${x(36)}`],
    ['GitHub token', `github_pat_${x(60)}`],
    ['GitLab token', `glpat-${x(20)}`],
    ['AWS key id', `AKIA${'Q7'.repeat(8)}`],
    ['Google key', `AIza${x(35)}`],
    ['Slack token', `xoxb-${x(30)}`],
    ['npm token', `npm_${x(36)}`],
  ])('hides a %s', (kind, secret) => {
    expect(redactKeys(`a=${secret} b`)).toBe(`a=[redacted ${kind}] b`);
  });

  it.each([
    'task-0123456789abcdef0123456789abcdef0123',
    'sk-short',
    'disk-sk-0123456789abcdef0123456789abcdef',
    'AKIAABCDEFGHIJKLMNOPQRS',
    '-----BEGIN PRIVATE KEY-----" "-----END PRIVATE KEY-----',
  ])('leaves %s', (harmless) => {
    expect(redactKeys(harmless)).toBe(harmless);
  });
});
