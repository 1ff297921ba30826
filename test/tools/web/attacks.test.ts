import {readFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {Policy, Rule, Verdict} from '../../../src/policy/decision.ts';
import type {WebAccess} from '../../../src/tools/web/web-access.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';
import {send, webServer} from '../support/web-server.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly benign: boolean;
  readonly policy: {readonly allow?: string[]; readonly default?: Verdict};
  readonly input: {readonly tool?: string; readonly url?: string; readonly response?: string; readonly request?: string};
  readonly expected: Verdict | 'error';
  readonly acceptable?: readonly (Verdict | 'error')[];
  readonly why: string;
}

const {cases} = JSON.parse(readFileSync(new URL('../../cases/attacks.json', import.meta.url), 'utf8')) as {cases: readonly Case[]};
const WEB = cases.filter(({kind}) => kind === 'web');
const FETCHES = WEB.filter(({input}) => input.url !== undefined);
const URLS = FETCHES.filter(({input}) => input.response === undefined && input.request === undefined);

/** Not decided by its host, which is all that a rule sees: whoever allows a host allows what its users write there. */
const BY_PATH = new Set(['we-037']);

/** The rules of a case, for the tool as it is called here. */
function policyOf({policy}: Case): Policy {
  const rules = (policy.allow ?? []).map((text): Rule => ({text: text.replace(/^fetch:/, 'web_fetch:'), effect: 'allow', source: 'case'}));
  return {mode: 'ask', rules, fallback: policy.default ?? 'ask'};
}

/** What becomes of a call: `allow` is a call that went as far as looking the host up. */
async function outcomeOf(one: Case, url: string): Promise<Verdict | 'error'> {
  let [asked, reached] = [false, false];
  const lookup: WebAccess['lookup'] = async () => {
    reached = true;
    return [{address: '203.0.113.1', family: 4}];
  };
  const tools = await openToolset('vibe', await scratch(), {
    policy: () => policyOf(one),
    async approve() {
      asked = true;
      return {decision: 'deny'};
    },
    context: {web: {userAgent: 'fettle/test', privateHosts: [], secrets: [], lookup}},
  });
  const {outcome} = await tools.call('web_fetch', {url});
  if (reached) return 'allow';
  if (asked) return 'ask';
  return outcome === 'denied' ? 'deny' : 'error';
}

describe('attacks.json: web', () => {
  it('addresses: nothing is asked of a host that no rule allows, and nothing harmless is held up', async () => {
    const wrong: string[] = [];
    for (const one of URLS.filter(({id}) => !BY_PATH.has(id))) {
      const outcome = await outcomeOf(one, one.input.url ?? '');
      if (![one.expected, ...(one.acceptable ?? [])].includes(outcome)) wrong.push(`${one.id} ${outcome}: ${one.input.url} (${one.why})`);
    }
    expect({urls: URLS.length, benign: URLS.filter(({benign}) => benign).length, wrong}).toEqual({urls: 30, benign: 4, wrong: []});
  });

  it('answers: a bomb, a program, and nothing sent along that could prove who asks', async () => {
    const bodies: Readonly<Record<string, {body: Buffer; headers: Record<string, string>}>> = {
      'gzip bomb 10 GB': {body: gzipSync(Buffer.alloc(50 * 1024 * 1024)), headers: {'content-encoding': 'gzip'}},
      'application/x-msdownload': {body: Buffer.from('MZ'), headers: {'content-type': 'application/x-msdownload'}},
    };
    const outcomes: Record<string, string> = {};
    for (const {id, input} of FETCHES.filter((one) => !URLS.includes(one))) {
      const {body = Buffer.from('hi'), headers = {}} = bodies[input.response ?? ''] ?? {};
      const web = await webServer((_, response) => send(response, body, headers));
      const tools = await openToolset('vibe', await scratch(), {context: {web: web.access()}});
      const {outcome, structured} = await tools.call('web_fetch', {url: web.url('/')});
      const {cookie, authorization} = web.headers[0] ?? {};
      outcomes[id] = [outcome, (structured as {code?: string}).code ?? '', cookie ?? '', authorization ?? ''].join(' ').trim();
    }
    expect(outcomes).toEqual({'we-048': 'error TOO_LARGE', 'we-053': 'error NOT_TEXT', 'we-056': 'success'});
  });

  it('the others are about local servers: that of a login (test/mcp), and one of the agent itself, which does not exist yet', () => {
    const others = WEB.filter((one) => !FETCHES.includes(one));
    const isServer = ({group, input}: Case): boolean => group === 'local-server' || 'http' in input;
    expect({others: others.length, all: others.every(isServer), cases: WEB.length}).toEqual({others: 17, all: true, cases: 50});
  });
});
