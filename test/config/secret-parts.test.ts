import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {hideValues} from '../../src/config/mask-values.ts';
import {hideInArgs, hideInUrl, looksLikeKey} from '../../src/config/secret-parts.ts';

describe('secrets in what is shown of a configuration', () => {
  it('are the user, the password, the values of the query, the fragment and path segments like keys of an address', () => {
    expect(hideInUrl('https://ada:pw@mcp.example:8443/s/aB3dE5fG7hI9jK1lM3nO5/mcp?key=abc&mode=&flag#part')).toBe(
      'https://(hidden)@mcp.example:8443/s/(hidden)/mcp?key=(hidden)&mode=&flag#(hidden)',
    );
    expect(hideInUrl('http://a@b:c@host/x')).toBe('http://(hidden)@host/x');
    expect(hideInUrl('https://mcp.example/v1/mcp')).toBe('https://mcp.example/v1/mcp');
  });

  it('are the values of arguments that are named like secrets, in all spellings', () => {
    const args = ['-y', '@scope/server@2026.8.31', '--token=t1', '--api-key', 'k 1', '--apiKey', 'k2', '-e', 'DB_PASSWORD=p1'];
    const more = [
      '-H',
      'Authorization: Bearer b1',
      '--url=https://u:p@h/?q=1',
      'sk-ant-api03-abcdefghijkl',
      '--dir=/home/ada/my-project-2026',
    ];
    expect(hideInArgs([...args, ...more])).toEqual([
      '-y',
      '@scope/server@2026.8.31',
      '--token=(hidden)',
      '--api-key',
      '(hidden)',
      '--apiKey',
      '(hidden)',
      '-e',
      'DB_PASSWORD=(hidden)',
      '-H',
      'Authorization: (hidden)',
      '--url=https://(hidden)@h/?q=(hidden)',
      '(hidden)',
      '--dir=/home/ada/my-project-2026',
    ]);
  });

  it('are long runs in which kinds of characters alternate; words, versions and paths are not', () => {
    const keys = ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg', 'ghp_abcdefghijklmnopqrst'];
    const words = [
      'server-filesystem-2026-07-28',
      'MyVeryLongCamelCaseClassNameForServer',
      '/usr/lib/node_modules/@scope/a/index.js',
      '8080',
    ];
    expect([keys.map(looksLikeKey), words.map(looksLikeKey)]).toEqual([
      [true, true, true],
      [false, false, false, false],
    ]);
  });

  it('never leave an address with a user in it, whatever it is', () => {
    fc.assert(
      fc.property(fc.webUrl({withQueryParameters: true, withFragments: true}), fc.stringMatching(/^[a-z0-9]{8}$/), (url, password) => {
        expect(hideInUrl(url.replace('://', `://u:${password}@`))).not.toContain(`${password}@`);
      }),
      {numRuns: 25},
    );
  });

  it('are hidden wherever settings are shown', () => {
    const server = {name: 'a', url: 'https://h/?k=v', args: ['--token', 't'], headers: {'X-Key': 'v'}, env: {A: 'v'}};
    expect(hideValues({mcp_servers: [server], providers: {openai: {base_url: 'https://u:p@h/v1'}}})).toEqual({
      mcp_servers: [
        {name: 'a', url: 'https://h/?k=(hidden)', args: ['--token', '(hidden)'], headers: {'X-Key': '(hidden)'}, env: {A: '(hidden)'}},
      ],
      providers: {openai: {base_url: 'https://(hidden)@h/v1'}},
    });
  });
});
