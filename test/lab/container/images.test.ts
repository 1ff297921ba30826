import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createImages, type Images} from '../../../src/lab/container/images.ts';
import type {SuiteTask, TaskContainer} from '../../../src/lab/suite/task.ts';
import {scratch} from '../../support/scratch.ts';
import {fakeEngine} from './fake-engine.ts';

const signal = new AbortController().signal;
const NODE = {from: '/n', at: '/opt/fettle/bin/node'};
/** An engine whose images are files beside its notes; `run` is the check that Fettle fits. */
const WORKING = `image=$(eval "echo \\$$#" | tr / _)
case $1 in
image) [ -e "$DOCKER_NOTES-$image" ] && echo "sha256:$image /work" ;;
pull) : > "$DOCKER_NOTES-$image" ;;
build) : > "$DOCKER_NOTES-$(echo "$6" | tr / _)" ;;
esac`;

async function imagesOf(lines: string): Promise<{images: Images; calls: () => Promise<readonly string[]>}> {
  const {env, calls} = await fakeEngine({podman: `PATH=/usr/bin:/bin\n${lines}`});
  return {images: createImages({program: 'podman', version: '5', env}, NODE), calls};
}

function task(container: Partial<TaskContainer>): Pick<SuiteTask, 'id' | 'place'> {
  const place = {kind: 'root', workdir: '/app', env: {}, copies: [], network: true, mcpServers: []} as const;
  return {id: 't', place: {...place, container: {buildTimeoutS: 60, ...container}}};
}

describe('the image of a task', () => {
  it('is built once for the same files, whatever task they belong to and however many ask', async () => {
    const folder = await scratch({'a/Dockerfile': 'FROM x\n', 'b/Dockerfile': 'FROM x\n', 'c/Dockerfile': 'FROM y\n'});
    const {images, calls} = await imagesOf(WORKING);
    const of = async (name: string): Promise<string> => (await images.of(task({dockerfile: join(folder, name, 'Dockerfile')}), signal)).id;
    const [a, again, b, c] = await Promise.all([of('a'), of('a'), of('b'), of('c')]);
    expect([a === again, a === b, a === c]).toEqual([true, true, false]);
    const made = (await calls()).filter((call) => call.startsWith('podman build'));
    expect(made.map((call) => call.replaceAll(/[0-9a-f]{24}/g, 'DIGEST').replaceAll(folder, '')).toSorted()).toEqual([
      'podman build --quiet --label fettle.lab=image --tag localhost/fettle-lab:DIGEST --file /a/Dockerfile /a',
      'podman build --quiet --label fettle.lab=image --tag localhost/fettle-lab:DIGEST --file /c/Dockerfile /c',
    ]);
  });

  it('that is ready is pulled, and checked with the Node that is mounted', async () => {
    const {images, calls} = await imagesOf(WORKING);
    expect(await images.of(task({image: 'org/x:1', dockerfile: '/nonexistent', workdir: '/w'}), signal)).toEqual({
      id: 'sha256:org_x:1',
      workdir: '/w',
    });
    expect(await images.of(task({image: 'org/x:1'}), signal)).toEqual({id: 'sha256:org_x:1', workdir: '/w'});
    expect((await calls()).map((call) => call.replace(/ -c .*/, ''))).toEqual([
      'podman image inspect --format {{.Id}} {{.Config.WorkingDir}} org/x:1',
      'podman pull --quiet org/x:1',
      'podman image inspect --format {{.Id}} {{.Config.WorkingDir}} org/x:1',
      'podman run --rm --pull never --network none --security-opt label=disable --mount type=bind,source=/n,destination=/opt/fettle/bin/node,readonly --entrypoint sh sha256:org_x:1',
    ]);
  });

  it('that cannot be made is tried twice, with the last line of the engine', async () => {
    const {images, calls} = await imagesOf('[ "$1" = image ] && exit 1\necho step 1 >&2; echo manifest unknown >&2; exit 125');
    for (let rollout = 1; rollout <= 3; rollout += 1) {
      await expect(images.of(task({image: 'org/x:1'}), signal)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: 'The image of t cannot be pulled: `podman pull` failed: manifest unknown',
      });
    }
    expect((await calls()).filter((call) => call.startsWith('podman pull'))).toHaveLength(2);
  });

  it.each([
    ['bash', 97, 'The image of t cannot be used: it has no bash'],
    ['glibc', 98, 'The image of t cannot be used: Node does not run in it, which needs glibc and libstdc++: not found'],
    ['a shell', 127, 'The image of t cannot be used: not found'],
  ])('without %s cannot be used', async (_, code, message) => {
    const {images} = await imagesOf(`[ "$1" = image ] && echo 'sha256:1 ' && exit 0\necho not found >&2; exit ${code}`);
    await expect(images.of(task({image: 'org/x:1'}), signal)).rejects.toMatchObject({code: 'UNAVAILABLE', message});
  });

  it('is waited for no longer when a rollout is stopped; the others get it', async () => {
    const {images} = await imagesOf(WORKING);
    const stop = new AbortController();
    const [stopped, other] = [images.of(task({image: 'org/x:1'}), stop.signal), images.of(task({image: 'org/x:1'}), signal)];
    stop.abort();
    await expect(stopped).rejects.toMatchObject({code: 'CANCELLED'});
    expect((await other).workdir).toBe('/work');
  });
});
