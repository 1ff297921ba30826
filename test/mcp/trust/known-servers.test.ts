import {describe, expect, it} from 'vitest';
import {knownServers, type KnownServer} from '../../../src/mcp/trust/known-servers.ts';
import {scratch} from '../../support/scratch.ts';

describe('accepted servers of one name (MCP › Security Best Practices: consent)', () => {
  it('are all there where several processes accept theirs at once', async () => {
    const stateDir = await scratch();
    const accepted = Array.from({length: 8}, (_, at): KnownServer => {
      const definition = {kind: 'definition', name: '', digest: `d${at}`, shown: ''} as const;
      return {folder: `/project-${at}`, definition, parts: []};
    });
    await Promise.all(accepted.map(async (one) => await knownServers(stateDir, 'files').accept(one)));
    const known = await knownServers(stateDir, 'files').read();
    expect(known === 'unreadable' ? known : known.toSorted((a, b) => a.folder.localeCompare(b.folder))).toEqual(accepted);
  });
});
