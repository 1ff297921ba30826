import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createExecEnvironment} from '../src/exec/create-environment.ts';
import {openSandbox} from '../src/exec/sandbox/open-sandbox.ts';
import type {Sandbox} from '../src/exec/sandbox/sandbox.ts';
import {protectedWrite} from '../src/policy/places/protected-paths.ts';
import {RESERVED_NAMES} from '../src/sdk/settings/reserved-names.ts';
import {gitPrograms} from '../src/sdk/trust/scan-git-config.ts';
import {median} from './measure.ts';

const ROUNDS = 21;
const never = new AbortController().signal;

/** Cost of the sandbox around a command, over the same command without it, in turn; and its first look at 20,000 folders, over plain walks. */
export async function measureSandbox(): Promise<number> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-sandbox-')));
  try {
    const [small, large] = [join(scratch, 'small'), join(scratch, 'large')];
    makeTree(small, 2);
    makeTree(large, 200);
    // Folders that are older than any clock is coarse.
    execFileSync('sh', ['-c', 'sleep 2.1']);
    const here = await commands(small, join(scratch, 'state'));
    const walks = median([timed(() => walk(large)), timed(() => walk(large)), timed(() => walk(large))]);
    const there = await commands(large, join(scratch, 'state'));
    return (
      report('sandbox', here.ratio, {budget: 10, what: 'a command in the sandbox, 200 folders'}) +
      report('sandbox-large', there.ratio, {budget: 40, what: 'a command in the sandbox, 20,000 folders'}) +
      report('sandbox-first', there.firstMs / walks, {budget: 6, what: 'the first command in the sandbox, over a walk of 20,000 folders'})
    );
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}

async function commands(root: string, stateDir: string): Promise<{ratio: number; firstMs: number}> {
  const sandbox = await openFor(root, stateDir);
  try {
    const [sandboxed, bare] = [sandbox, undefined].map((one) => createExecEnvironment({cwd: root, spoolDir: stateDir, sandbox: one}));
    const once = async (exec: typeof bare): Promise<number> => {
      const began = performance.now();
      await exec?.run({shell: 'true', timeoutMs: 60_000, capture: {headBytes: 100, tailBytes: 100}}, never);
      return performance.now() - began;
    };
    const firstMs = await once(sandboxed);
    const [inside, without]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      inside.push(await once(sandboxed));
      without.push(await once(bare));
    }
    console.log(`       ${median(inside).toFixed(1)} / ${median(without).toFixed(1)} ms, the first ${firstMs.toFixed(1)} ms`);
    return {ratio: median(inside) / median(without), firstMs};
  } finally {
    await sandbox.close();
  }
}

async function openFor(root: string, stateDir: string): Promise<Sandbox> {
  return await openSandbox({
    profile: 'workspace-write',
    root,
    writable: [],
    hidden: [],
    visible: [],
    autoloaded: (path) => protectedWrite(path) !== undefined,
    reserved: RESERVED_NAMES,
    gitPrograms,
    network: {open: false, domains: [], isPublic: () => true},
    stateDir,
  });
}

function makeTree(root: string, outer: number): void {
  for (let n = 0; n < outer * 100; n += 1) {
    const folder = join(root, `d${n % outer}`, `e${Math.floor(n / outer)}`);
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'file.ts'), 'export const value = 1;\n');
  }
  execFileSync('git', ['init', '-q', root]);
}

function walk(folder: string): void {
  for (const entry of readdirSync(folder, {withFileTypes: true})) if (entry.isDirectory()) walk(join(folder, entry.name));
}

function timed(body: () => void): number {
  const began = performance.now();
  body();
  return performance.now() - began;
}

function report(name: string, ratio: number, {budget, what}: {readonly budget: number; readonly what: string}): number {
  const ok = ratio <= budget;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(11)} ${ratio.toFixed(2).padStart(6)} x  (budget ${budget} x)  ${what}`);
  return ok ? 0 : 1;
}
