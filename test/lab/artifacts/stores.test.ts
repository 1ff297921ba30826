import {existsSync} from 'node:fs';
import {chmod, mkdir, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import S3rver from '@20minutes/s3rver';
import {describe, expect, it, onTestFinished} from 'vitest';
import {artifactFolder} from '../../../src/lab/artifacts/artifact-path.ts';
import type {ArtifactStore} from '../../../src/lab/artifacts/artifact-store.ts';
import {assertStore, openArtifacts} from '../../../src/lab/artifacts/open-artifacts.ts';
import type {RolloutKey} from '../../../src/lab/rollout/rollout.ts';
import {scratch} from '../../support/scratch.ts';
import {codeOf, keyFor, never} from '../engine/rollouts.ts';

const CREDENTIALS = {AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER'};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content);

async function startS3(): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: await scratch(),
    configureBuckets: [{name: 'lab'}],
  });
  const {port} = await server.run();
  onTestFinished(async () => await server.close());
  return `http://127.0.0.1:${port}`;
}

const STORES: readonly {readonly name: string; readonly place: string; open(): Promise<ArtifactStore>}[] = [
  {name: 'a folder', place: '', open: async () => await openArtifacts(join(await scratch(), 'artifacts'), {})},
  {
    name: 'S3',
    place: 's3://lab/team/a/',
    open: async () => await openArtifacts(`s3://lab/team/a?endpoint=${await startS3()}`, CREDENTIALS),
  },
];

describe.for(STORES)('artefacts in $name', ({place, open}) => {
  it('are given back as they were put, and replaced as a whole', async () => {
    const store = await open();
    const key = keyFor(1, {model: 'some/model:7b'});
    const content = Uint8Array.from({length: 100_000}, (_, n) => n % 256);
    expect(await store.put({key: key, name: 'events.jsonl'}, content, never)).toBe(`${place}${artifactFolder(key)}/events.jsonl`);
    expect(Buffer.from((await store.get({key, name: 'events.jsonl'}, never)) ?? []).equals(content)).toBe(true);
    await store.put({key: key, name: 'events.jsonl'}, bytes('new'), never);
    await store.put({key: key, name: 'empty'}, bytes(''), never);
    expect(textOf(await store.get({key, name: 'events.jsonl'}, never))).toBe('new');
    expect(textOf(await store.get({key, name: 'empty'}, never))).toBe('');
    expect([await store.has({key: key, name: 'empty'}, never), await store.has({key: key, name: 'diff.patch'}, never)]).toEqual([
      true,
      false,
    ]);
    expect(await store.list(key, never)).toEqual(['empty', 'events.jsonl']);
  });

  it('are removed, also twice', async () => {
    const store = await open();
    const key = keyFor(1);
    await store.put({key, name: 'tree.tar'}, bytes('x'), never);
    await store.put({key, name: 'diff.patch'}, bytes('y'), never);
    await store.remove({key, name: 'tree.tar'}, never);
    await store.remove({key, name: 'tree.tar'}, never);
    expect(await store.list(key, never)).toEqual(['diff.patch']);
  });

  it('of one rollout are not those of another', async () => {
    const store = await open();
    const keys: readonly RolloutKey[] = [
      keyFor(1),
      keyFor(1, {attempt: 2}),
      keyFor(1, {model: 'a/b'}),
      keyFor(1, {model: 'a_b'}),
      keyFor(1, {toolset: 'x'}),
    ];
    for (const key of keys) await store.put({key: key, name: 'k'}, bytes(JSON.stringify(key)), never);
    const found = await Promise.all(keys.map(async (key) => textOf(await store.get({key, name: 'k'}, never))));
    expect(found).toEqual(keys.map((key) => JSON.stringify(key)));
  });

  it('that are missing are undefined, and a rollout without any has none', async () => {
    const store = await open();
    expect(await store.get({key: keyFor(1), name: 'events.jsonl'}, never)).toBeUndefined();
    expect(await store.list(keyFor(1), never)).toEqual([]);
  });

  it('have names that lead nowhere else', async () => {
    const store = await open();
    const codes = await Promise.all(
      ['../x', '..', '', '.hidden', 'a/b', 'a\0', 'a'.repeat(101)].map(
        async (name) => await codeOf(store.put({key: keyFor(1), name: name}, bytes('x'), never)),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['BAD_ARGS']));
  });

  it('above a limit are refused', async () => {
    const store = await open();
    await store.put({key: keyFor(1), name: 'log'}, bytes('12345'), never);
    expect(await codeOf(store.get({key: keyFor(1), name: 'log', maxBytes: 4}, never))).toBe('TOO_LARGE');
    expect(textOf(await store.get({key: keyFor(1), name: 'log', maxBytes: 5}, never))).toBe('12345');
  });
});

describe('the folder of a rollout', () => {
  it('is safe and unique whatever the key says', () => {
    const keys = [
      keyFor(1, {task: '..', run: '/etc'}),
      keyFor(1, {task: '', run: '...'}),
      keyFor(1, {task: 'ä'.repeat(300), run: 'CON.'}),
      keyFor(1, {model: '../../../x', toolset: '\0'}),
    ];
    expect(keys.map(artifactFolder)).toMatchInlineSnapshot(`
      [
        "_etc/_/script.fettle.1-ddaee07b3bdc4fff",
        "_/_/script.fettle.1-bbe0d2f54885134b",
        "CON_/____________________________________________________________/script.fettle.1-ebf979bd06860c3a",
        "r/t00001/__.._.._x._.1-4aa5fb70fcc0eaf5",
      ]
    `);
    const [upper, lower] = ['A', 'a'].map((model) => artifactFolder(keyFor(1, {model})).toLowerCase());
    expect(upper).not.toBe(lower);
  });
});

describe('a folder of artefacts', () => {
  it('can be read by its owner alone, and has no halves of files', async () => {
    const root = join(await scratch(), 'artifacts');
    const store = await openArtifacts(root, {});
    const place = join(root, await store.put({key: keyFor(1), name: 'log'}, bytes('x'), never));
    expect([(await stat(place)).mode & 0o777, (await stat(root)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readdir(join(place, '..'))).toEqual(['log']);
    await chmod(place, 0o000);
    await store.put({key: keyFor(1), name: 'log'}, bytes('y'), never);
    expect(textOf(await store.get({key: keyFor(1), name: 'log'}, never))).toBe('y');
  });

  it('gives no link and no folder as an artefact', async () => {
    const root = await scratch({secret: 'secret'});
    const store = await openArtifacts(join(root, 'artifacts'), {});
    const folder = join(root, 'artifacts', artifactFolder(keyFor(1)));
    await mkdir(join(folder, 'folder'), {recursive: true});
    await symlink(join(root, 'secret'), join(folder, 'link'));
    await writeFile(join(folder, 'log.0123456789abcdef.tmp'), 'half');
    expect(await store.list(keyFor(1), never)).toEqual([]);
    expect([await store.has({key: keyFor(1), name: 'link'}, never), await store.has({key: keyFor(1), name: 'folder'}, never)]).toEqual([
      false,
      false,
    ]);
    expect(await codeOf(store.get({key: keyFor(1), name: 'link'}, never))).not.toBe('none');
    expect(await codeOf(store.get({key: keyFor(1), name: 'folder'}, never))).toBe('NOT_A_FILE');
  });
});

describe('S3', () => {
  it('lists more than one page (ListObjectsV2: StartAfter, IsTruncated), and nothing of a neighbour', async () => {
    // The other server cannot cut a list into pages with the OpenSSL of today.
    const names = Array.from({length: 7}, (_, n) => `n${n}`);
    const folder = artifactFolder(keyFor(1));
    const server = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://host').searchParams;
      expect([query.get('list-type'), query.get('prefix')]).toEqual(['2', `${folder}/`]);
      const behind = names.map((name) => `${folder}/${name}`).filter((object) => object > (query.get('start-after') ?? ''));
      const keys = behind.slice(0, 3).map((object) => `<Contents><Key>${object}</Key></Contents>`);
      response.end(`<ListBucketResult><IsTruncated>${behind.length > 3}</IsTruncated>${keys.join('')}</ListBucketResult>`);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const {port} = server.address() as AddressInfo;
    const store = await openArtifacts(`s3://lab?endpoint=http://127.0.0.1:${port}`, CREDENTIALS);
    expect(await store.list(keyFor(1), never)).toEqual(names);
  });

  it('says what to check where the key is wrong, or the bucket missing', async () => {
    const endpoint = await startS3();
    const wrong = await openArtifacts(`s3://lab?endpoint=${endpoint}`, {...CREDENTIALS, AWS_SECRET_ACCESS_KEY: 'secret-of-mine'});
    const missing = await openArtifacts(`s3://no-such-bucket?endpoint=${endpoint}`, CREDENTIALS);
    const texts = await Promise.all(
      [
        wrong.put({key: keyFor(1), name: 'a'}, bytes('x'), never),
        missing.put({key: keyFor(1), name: 'a'}, bytes('x'), never),
        missing.get({key: keyFor(1), name: 'a'}, never),
      ].map(
        async (promise) =>
          await promise.catch((thrown: unknown) => `${String(thrown).replace(endpoint, 'ENDPOINT')} ${(thrown as {hint: string}).hint}`),
      ),
    );
    expect(texts).toMatchInlineSnapshot(`
      [
        "FettleError: The artefact store at ENDPOINT answered 403 SignatureDoesNotMatch. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may use the bucket lab.",
        "FettleError: The artefact store at ENDPOINT answered 404 NoSuchBucket. Check that the bucket no-such-bucket exists.",
        "FettleError: The artefact store at ENDPOINT answered 404 NoSuchBucket. Check that the bucket no-such-bucket exists.",
      ]
    `);
  });

  it('is read of an address with a bucket, a prefix and an endpoint, and needs credentials', async () => {
    expect(await codeOf(openArtifacts('s3://lab', {}))).toBe('AUTH');
    expect(await codeOf(openArtifacts('relative/folder', CREDENTIALS))).toBe('BAD_ARGS');
    expect(await codeOf(openArtifacts('https://host/bucket', CREDENTIALS))).toBe('BAD_ARGS');
    expect(await codeOf(openArtifacts('s3://lab?endpoint=ftp://host', CREDENTIALS))).toBe('BAD_ARGS');
  });

  it('says that nobody answers', async () => {
    const store = await openArtifacts('s3://lab?endpoint=http://127.0.0.1:1', CREDENTIALS);
    expect(await codeOf(store.has({key: keyFor(1), name: 'a'}, never))).toBe('UNAVAILABLE');
  });

  it('is left when the signal aborts', async () => {
    const store = await openArtifacts(`s3://lab?endpoint=${await startS3()}`, CREDENTIALS);
    expect(await codeOf(store.put({key: keyFor(1), name: 'a'}, bytes('x'), AbortSignal.abort()))).toBe('CANCELLED');
  });
});

describe('a place that cannot be a store', () => {
  it('is refused before a run begins, and a folder that can be made is made', async () => {
    const folder = await scratch();
    await writeFile(join(folder, 'file'), '');
    const beside = join(folder, 'file', 'store');
    await expect(assertStore(beside, {})).rejects.toMatchObject({
      code: 'USAGE',
      message: `Artefacts cannot be kept in ${beside}: ENOTDIR.`,
      hint: 'Name a folder that you can write to.',
    });
    await assertStore(join(folder, 'a', 'b'), {});
    expect((await stat(join(folder, 'a', 'b'))).mode & 0o777).toBe(0o700);
    await assertStore(join(folder, 'a', 'b'), {});
    await expect(assertStore('s3://', CREDENTIALS)).rejects.toMatchObject({message: 's3:// cannot be a store of artefacts.'});
    await expect(assertStore('s3://', {})).rejects.toMatchObject({code: 'BAD_ARGS'});
  });

  it.skipIf(!existsSync('/proc/self'))(
    'is refused at once in a system that has no folders of ours, where a recursive mkdir of Node does not return',
    async () => {
      await expect(assertStore('/proc/fettle/store', {})).rejects.toMatchObject({
        message: 'Artefacts cannot be kept in /proc/fettle/store: ENOENT.',
      });
    },
  );
});
