import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import {pageSubjects} from '../../../src/tools/web/page-subjects.ts';

const SECRET = 'tk-9Qz7+Lm2/Xp4=vR8';
const WORD = 'hunter2x';
const WEB = {secrets: [SECRET, WORD, 'changeme1'], privateHosts: []};

/** With every host allowed, in the mode that asks least. */
async function verdict(address: string): Promise<string> {
  try {
    const subjects = pageSubjects(address, WEB);
    const rules = [{text: 'web_fetch', effect: 'allow', source: 'test'}] as const;
    const decision = await decide({toolNames: ['web_fetch'], sideEffect: 'network', subjects}, {mode: 'full-auto', rules, fallback: 'ask'});
    return `${decision.verdict}: ${decision.reason}`;
  } catch (thrown) {
    return `refused: ${toFettleError(thrown).message}`;
  }
}

const b64 = (text: string, kind: 'base64' | 'base64url' = 'base64'): string => Buffer.from(text).toString(kind);
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => hex(text).replaceAll(/../g, '%$&');

const ASKED =
  'ask: a.example: what would be sent holds the value of a secret variable in another form (base64, hex, percent, reversed or split)';

describe('a known secret in an address', () => {
  it.each([
    ['as it is', `?k=${SECRET}`],
    ['encoded as URLs do', `?k=${encodeURIComponent(SECRET)}`],
    ['every byte percent-encoded', `/${percent(SECRET)}`],
    ['encoded beside a percent sign that encodes nothing', `?k=${percent(SECRET)}&x=100%`],
    ['encoded beside bytes that are not text', `?x=%ff%fe&k=${percent(SECRET)}`],
    ['a short one', `?k=${WORD}`],
  ])('is refused: %s', async (_, rest) => {
    expect(await verdict(`https://a.example/${rest}`)).toBe('refused: The text that would be sent holds the value of a secret variable.');
  });

  it.each([
    ['base64', `?k=${b64(SECRET)}`],
    ['base64, encoded for a URL', `?k=${encodeURIComponent(b64(SECRET))}`],
    ['base64 without padding', `?k=${b64(SECRET).replaceAll('=', '')}`],
    ['base64url', `/${b64(SECRET, 'base64url')}`],
    ['base64 behind one byte', `?k=${b64(`x${SECRET}`)}`],
    ['base64 behind two bytes', `?k=${b64(`ab${SECRET}yz`)}`],
    ['base64 of user:password', `?auth=${b64(`me:${SECRET}`)}`],
    ['base64 of a short one', `?k=${b64(WORD)}`],
    ['base64 in pieces', `/${(b64(SECRET).match(/.{1,6}/g) ?? []).join('/')}`],
    ['hex', `?k=${hex(SECRET)}`],
    ['hex in capitals', `?k=${hex(SECRET).toUpperCase()}`],
    ['hex with colons', `?k=${(hex(SECRET).match(/../g) ?? []).join(':')}`],
    ['hex with 0x', `?k=${(hex(SECRET).match(/../g) ?? []).map((byte) => `0x${byte}`).join(',')}`],
    ['hex of a short one', `?k=${hex(WORD)}`],
    ['hex within a longer one', `?k=${hex(`token=${SECRET};`)}`],
    ['percent-encoded twice', `?k=${encodeURIComponent(percent(SECRET))}`],
    ['percent-encoded three times', `?k=${encodeURIComponent(encodeURIComponent(percent(SECRET)))}`],
    ['reversed', `?k=${Array.from(SECRET).toReversed().join('')}`],
    ['split', `?k=${Array.from(SECRET).join('-')}`],
    ['in capitals', `?k=${SECRET.toUpperCase()}`],
    ['base32', '?k=ORVS2OKRPI3SWTDNGIXVQ4BUHV3FEO'],
  ])('is asked about, whatever is allowed: %s', async (_, rest) => {
    expect(await verdict(`https://a.example/${rest}`)).toBe(ASKED);
  });

  it('is asked about in the name of the host', async () => {
    const asked = await verdict(`https://${hex(SECRET)}.a.example/`);
    expect(asked).toBe(ASKED.replace('a.example', `${hex(SECRET)}.a.example`));
  });

  it.each([
    'guide/change-me-1.html',
    '?q=hunter+2x',
    `?k=${b64('some other text that is long enough')}`,
    '?k=deadbeefdeadbeefdeadbeef',
    '?q=tk+9Qz7',
    '100%/x',
  ])('is not seen in %s', async (rest) => {
    expect(await verdict(`https://a.example/${rest}`)).toBe('allow: a.example is allowed by web_fetch (test)');
  });
});
