import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly level: 'must' | 'should';
  readonly input: Readonly<Record<string, unknown>>;
}

/** Which cases a test runs: all of a kind that it filters for itself, or those whose ids stand in it. */
interface Claim {
  readonly file: string;
  readonly claims: (one: Case) => boolean;
  /** Its ids stand in the file, each as a word. */
  readonly byName?: true;
}

const root = join(import.meta.dirname, '../..');
const {cases} = JSON.parse(readFileSync(join(root, 'test/cases/attacks.json'), 'utf8')) as {cases: readonly Case[]};
const named = (file: string, ...ids: readonly string[]): Claim => ({file, claims: ({id}) => ids.includes(id), byName: true});
const isFetch = ({kind, input}: Case): boolean => kind === 'web' && input['url'] !== undefined && !('http' in input);
const inTrustScenes = ['ct-060', 'ct-068', 'ct-070'];
const inRecords = ['ct-071', 'ct-074', 'ou-095', 'ou-096', 'ou-097', 'ou-104'];
const callbacks = ['we-081', 'we-082', 'we-083'];

const CLAIMS: readonly Claim[] = [
  {file: 'test/policy/attacks.test.ts', claims: ({kind}) => kind === 'shell-permission'},
  {file: 'test/policy/attacks-paths.test.ts', claims: ({kind}) => kind === 'path'},
  {
    file: 'test/attacks/config-trust.test.ts',
    claims: ({kind, id}) => kind === 'config-trust' && ![...inTrustScenes, ...inRecords].includes(id),
  },
  named('test/e2e/trust.test.ts', ...inTrustScenes),
  named('test/attacks/records.test.ts', ...inRecords),
  {
    file: 'test/attacks/output.test.ts',
    claims: ({kind, group, id}) =>
      kind === 'output' && (['terminal', 'markdown'].includes(group) || (group === 'secret' && id !== 'ou-089')),
  },
  named('test/attacks/output.test.ts', 'ou-052', 'ou-057', 'ou-058', 'ou-059', 'ou-094', 'ou-108', 'ou-114', 'ou-117', 'ou-118'),
  named('test/e2e/redaction.test.ts', 'ou-089'),
  {file: 'test/mcp/attacks.test.ts', claims: ({kind}) => kind === 'mcp', byName: true},
  {file: 'test/tools/web/attacks.test.ts', claims: isFetch},
  {
    file: 'test/attacks/local-server.test.ts',
    claims: (one) => one.kind === 'web' && !isFetch(one) && !callbacks.includes(one.id),
    byName: true,
  },
  named('test/mcp/oauth/loopback.test.ts', ...callbacks),
];

describe('attacks.json', () => {
  it('has 591 cases, each with its own id', () => {
    expect([cases.length, new Set(cases.map(({id}) => id)).size]).toEqual([591, 591]);
  });

  it('every case is claimed by exactly one test', () => {
    const claims = cases.map((one) => [one.id, CLAIMS.filter(({claims}) => claims(one)).map(({file}) => file)] as const);
    expect(claims.filter(([, files]) => files.length !== 1)).toEqual([]);
  });

  it('only this one does not hold: whoever allows a host allows what its users write there', () => {
    const web = readFileSync(join(root, 'test/tools/web/attacks.test.ts'), 'utf8');
    expect(/BY_PATH = new Set\(\[(.*)\]\)/.exec(web)?.[1]).toBe("'we-037'");
    expect(cases.find(({id}) => id === 'we-037')?.level).toBe('should');
  });

  it('what a test claims by name stands in it', () => {
    const missing = CLAIMS.flatMap(({file, claims, byName}) => {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      const read = text.includes('attacks.json') && byName === undefined;
      return read ? [] : cases.filter((one) => claims(one) && !new RegExp(`\\b${one.id}\\b`).test(text)).map(({id}) => `${file}: ${id}`);
    });
    expect(missing).toEqual([]);
  });
});
