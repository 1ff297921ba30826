import {chmod, mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openTokenStore, type Access} from '../../../src/mcp/oauth/token-store.ts';
import {scratch} from '../../support/scratch.ts';

const grant = (issuer: string, token: string): Access => ({
  issuer,
  tokenEndpoint: `${issuer}/token`,
  client: {client_id: 'c'},
  tokens: {access_token: token},
});

async function opened(resource = 'https://a.example/mcp') {
  const stateDir = await scratch();
  const store = openTokenStore(stateDir, resource);
  await store.save(grant('https://one.example', 't1'));
  const folder = join(stateDir, 'mcp-logins');
  const [name = ''] = await readdir(folder);
  return {stateDir, store, folder, file: join(folder, name)};
}

describe('the store of logins', () => {
  it('keeps one for each issuer and resource, the newest first, in a file of the owner alone', async () => {
    const {stateDir, store, file, folder} = await opened();
    await store.save(grant('https://two.example', 't2'));
    await store.save(grant('https://one.example', 't3'));
    expect(await store.access()).toEqual(grant('https://one.example', 't3'));
    expect(await openTokenStore(stateDir, 'https://b.example/mcp').access()).toBeUndefined();
    expect([(await stat(file)).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      resource: 'https://a.example/mcp',
      accesses: [grant('https://two.example', 't2'), grant('https://one.example', 't3')],
    });
  });

  it('gives a file that was opened to others back to the owner with the next write', async () => {
    const {store, file} = await opened();
    await chmod(file, 0o644);
    await store.save(grant('https://one.example', 't2'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('remembers what a server asked for until the next login', async () => {
    const {store} = await opened();
    await store.want({scope: 'a b'});
    expect([await store.wanted(), (await store.access())?.tokens.access_token]).toEqual([{scope: 'a b'}, 't1']);
    await store.save(grant('https://one.example', 't2'));
    expect(await store.wanted()).toBeUndefined();
  });

  it('takes a file that is broken, or of another resource, for none', async () => {
    const {store, file} = await opened();
    const other = {resource: 'https://other.example/mcp', accesses: [grant('https://one.example', 'theirs')]};
    for (const text of ['{', '[]', JSON.stringify(other)]) {
      await writeFile(file, text);
      expect(await store.access()).toBeUndefined();
    }
  });

  it('forgets, and tells whether there was something', async () => {
    const {store} = await opened();
    expect([await store.forget(), await store.forget(), await store.access()]).toEqual([true, false, undefined]);
  });

  it('leaves no half-written file behind where it cannot be replaced', async () => {
    const {store, file, folder} = await opened();
    await rm(file);
    await mkdir(join(file, 'in the way'), {recursive: true});
    await expect(store.save(grant('https://one.example', 't2'))).rejects.toThrow();
    expect(await readdir(folder)).toHaveLength(1);
  });
});
