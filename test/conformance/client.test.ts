import {describe, expect, it} from 'vitest';
import {runClientSuite, type ClientRun} from './run-client-suite.ts';

/** What both revisions require of a login. */
const LOGINS = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
];

/** Everything that the revisions require of a client, and what came later. */
const SCENARIOS = {
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
    ...LOGINS,
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
  ],
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry', ...LOGINS],
};

const LOGIN = 'MCP server suite: logging in: ';
const ISSUER = `${LOGIN}Issuer mismatch in authorization response (RFC 9207): expected "http://localhost", received`;

/** What our client ends with where the suite wants it to refuse the server: why, and nothing else. */
const REFUSED: Readonly<Record<string, string>> = {
  'auth/scope-retry-limit': 'MCP server suite: starting: it refuses for want of a scope that the login has.',
  'auth/resource-mismatch': `${LOGIN}Protected resource https://evil.example.com/mcp does not match expected http://localhost/mcp (or origin)`,
  'auth/iss-supported-missing': `${ISSUER} undefined`,
  'auth/iss-wrong-issuer': `${ISSUER} "https://evil.example.com"`,
  'auth/iss-unexpected': `${ISSUER} "https://evil.example.com"`,
  'auth/iss-normalized': `${ISSUER} "http://localhost/"`,
  'auth/metadata-issuer-mismatch': `${LOGIN}Issuer mismatch in authorization server metadata (RFC 8414 §3.3): expected "http://localhost", received "https://attacker.example.com"`,
};

describe('the MCP client under the official suite', () => {
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    let run: Promise<ClientRun> | undefined;
    const finished = (): Promise<ClientRun> => (run ??= runClientSuite(revision));

    it(`passes everything that MCP ${revision} requires of a client`, {timeout: 120_000}, async () => {
      expect((await finished()).code).toBe(0);
    });

    for (const scenario of scenarios) {
      it(`passes ${revision} › ${scenario}`, {timeout: 120_000}, async () => {
        expect((await finished()).outcomes.get(scenario)).toEqual({verdict: 'passed', client: REFUSED[scenario] ?? 'done'});
      });
    }
  }
});
