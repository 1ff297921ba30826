import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runSuite} from './run-suite.ts';

const DRIVER = `"${process.execPath}" "${join(import.meta.dirname, 'client-driver.ts')}"`;

/** Everything that the revisions require of a client, and what came later, but `auth/*`: a login in a browser (OAuth) is not supported. */
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
  ],
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
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
