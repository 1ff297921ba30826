import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runSuite} from './run-suite.ts';

const DRIVER = `"${process.execPath}" "${join(import.meta.dirname, 'client-driver.ts')}"`;

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

describe('the MCP client under the official suite', () => {
  for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
    for (const scenario of scenarios) {
      it(`passes ${revision} › ${scenario}`, {timeout: 60_000}, async () => {
        const args = ['client', '--command', DRIVER, '--spec-version', revision, '--scenario', scenario];
        expect(await runSuite(args)).toEqual({code: 0, failures: []});
      });
    }
  }
});
