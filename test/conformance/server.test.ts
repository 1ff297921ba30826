import {describe, expect, it, onTestFinished} from 'vitest';
import {serveHttp} from '../../src/hosts/mcp/serve-http.ts';
import {createToolServer} from '../../src/hosts/mcp/tool-server.ts';
import {createOneAtATime} from '../../src/tools/mutex.ts';
import {fakeOptions, fakeTool} from '../tools/support/fake-toolset.ts';
import {createFixture} from './fixture-server.ts';
import {runSuite} from './run-suite.ts';

const LIMIT_MS = 120_000;

async function fixtureUrl(): Promise<string> {
  const fixture = createFixture();
  const host = await serveHttp({factory: fixture.factory, port: 0, token: undefined});
  onTestFinished(() => host.close());
  fixture.changed = {tools: host.notify.toolsChanged, prompts: host.notify.promptsChanged};
  return host.url;
}

/** Our own server, as it is published. */
async function productUrl(): Promise<string> {
  const dispatcher = fakeOptions([fakeTool('look', 'read', (value) => `saw ${value}`), fakeTool('change', 'write', (value) => value)]);
  const {factory} = createToolServer({dispatcher, root: '/w', changing: createOneAtATime()});
  const host = await serveHttp({factory, port: 0, token: undefined});
  onTestFinished(() => host.close());
  return host.url;
}

describe('the HTTP host of the MCP server under the official suite', () => {
  for (const revision of ['2026-07-28', '2025-11-25']) {
    it(`passes everything that MCP ${revision} requires of a server`, {timeout: LIMIT_MS}, async () => {
      expect(await runSuite(['server', '--url', await fixtureUrl(), '--requirements', revision])).toEqual({code: 0, failures: []});
    });
  }

  for (const [revision, scenarios] of Object.entries({
    '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'http-header-validation'],
    '2025-11-25': ['tools-list', 'dns-rebinding-protection', 'server-initialize', 'ping'],
  })) {
    for (const scenario of scenarios) {
      it(`serves a toolset as ${revision} › ${scenario} wants it`, {timeout: LIMIT_MS}, async () => {
        const args = ['server', '--url', await productUrl(), '--spec-version', revision, '--scenario', scenario];
        expect(await runSuite(args)).toEqual({code: 0, failures: []});
      });
    }
  }
});
