import {describe, expect, it} from 'vitest';
import {engineVariables, findEngine} from '../../../src/lab/container/find-engine.ts';
import {fakeEngine} from './fake-engine.ts';

const signal = new AbortController().signal;

describe('the container engine', () => {
  it('is docker, if its service answers', async () => {
    const {env, calls} = await fakeEngine({docker: 'echo 28.1.1', podman: 'echo 5.0.0'});
    expect(await findEngine(env, signal)).toMatchObject({program: 'docker', version: '28.1.1'});
    expect(await calls()).toEqual(['docker version --format {{.Server.Version}}']);
  });

  it('is podman, if docker is there without its service', async () => {
    const {env, calls} = await fakeEngine({docker: 'echo; echo Cannot connect to the Docker daemon. >&2; exit 1', podman: 'echo 5.0.0'});
    expect(await findEngine(env, signal)).toMatchObject({program: 'podman', version: '5.0.0'});
    expect(await calls()).toEqual(['docker version --format {{.Server.Version}}', 'podman info --format {{.Version.Version}}']);
  });

  it('is none, with the reason of each', async () => {
    const {env} = await fakeEngine({docker: 'echo Cannot connect to the Docker daemon. >&2; exit 1'});
    expect(await findEngine(env, signal)).toEqual({
      problems: ['docker: Cannot connect to the Docker daemon.', 'podman: podman is not on PATH'],
    });
  });

  it('is not a program that only prints something', async () => {
    const {env} = await fakeEngine({docker: 'echo usage: docker', podman: 'exit 0'});
    expect(await findEngine(env, signal)).toEqual({problems: ['docker: it names no version', 'podman: it names no version']});
  });

  it('is looked for no longer when the person stops', async () => {
    const {env} = await fakeEngine({docker: 'echo 28.1.1'});
    await expect(findEngine(env, AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
  });

  it('gets the variables that say where its service and storage are, and no secrets', () => {
    const owner = {
      PATH: '/bin',
      DOCKER_HOST: 'unix:///x',
      CONTAINERS_CONF: '/c',
      OPENAI_API_KEY: 'sk-x',
      LD_PRELOAD: '/x.so',
      XDG_RUNTIME_DIR: '/run/1',
    };
    expect(engineVariables(owner)).toMatchObject({
      PATH: '/bin',
      DOCKER_HOST: 'unix:///x',
      CONTAINERS_CONF: '/c',
      XDG_RUNTIME_DIR: '/run/1',
    });
    expect(Object.keys(engineVariables(owner))).not.toEqual(expect.arrayContaining(['OPENAI_API_KEY']));
    expect(Object.keys(engineVariables(owner))).not.toEqual(expect.arrayContaining(['LD_PRELOAD']));
  });
});
