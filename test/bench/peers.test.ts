import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'smol-toml';
import {describe, expect, it} from 'vitest';
import {codex} from '../../bench/peers/codex.ts';
import {findPeer} from '../../bench/peers/enter.ts';
import {geminiCli} from '../../bench/peers/gemini-cli.ts';
import {pi} from '../../bench/peers/pi.ts';
import {cpuOf} from '../../bench/peers/run-tree.ts';
import {translate} from '../../bench/peers/translate.ts';
import {sumKib} from '../../bench/peers/tree-memory.ts';
import {undone} from '../../bench/peers/verify.ts';
import type {RowCall} from '../../bench/rows.ts';
import {scratch} from '../support/scratch.ts';

const READ: RowCall = {name: 'read', arguments: {path: 'files/f12.txt'}};
const EDIT: RowCall = {name: 'edit', arguments: {path: 'counter.txt', old_string: 'value = 0;', new_string: 'value = 1;'}};
const GREP: RowCall = {name: 'grep', arguments: {pattern: 'needle 3\\b'}};
const BASH: RowCall = {name: 'bash', arguments: {command: 'cat files/f4.txt'}};

describe('calls of the rows', () => {
  it('are those of the tools of each peer', () => {
    const plans = [pi, codex, geminiCli].map(({name, tools}) => [name, translate([READ, EDIT, GREP, BASH], tools)]);
    expect(Object.fromEntries(plans)).toMatchInlineSnapshot(`
      {
        "Codex CLI": [
          {
            "arguments": {
              "cmd": "cat files/f12.txt",
            },
            "name": "exec_command",
          },
          {
            "arguments": "*** Begin Patch
      *** Update File: counter.txt
      @@
      -export const value = 0;
      +export const value = 1;
      *** End Patch
      ",
            "name": "apply_patch",
          },
          {
            "arguments": {
              "cmd": ""$BENCH_RG" -n 'needle 3\\b'",
            },
            "name": "exec_command",
          },
          {
            "arguments": {
              "cmd": "cat files/f4.txt",
            },
            "name": "exec_command",
          },
        ],
        "Gemini CLI": [
          {
            "arguments": {
              "file_path": "files/f12.txt",
            },
            "name": "read_file",
          },
          {
            "arguments": {
              "file_path": "counter.txt",
              "instruction": "Count on.",
              "new_string": "value = 1;",
              "old_string": "value = 0;",
            },
            "name": "replace",
          },
          {
            "arguments": {
              "pattern": "needle 3\\b",
            },
            "name": "grep_search",
          },
          {
            "arguments": {
              "command": "cat files/f4.txt",
            },
            "name": "run_shell_command",
          },
        ],
        "pi": [
          {
            "arguments": {
              "path": "files/f12.txt",
            },
            "name": "read",
          },
          {
            "arguments": {
              "edits": [
                {
                  "newText": "value = 1;",
                  "oldText": "value = 0;",
                },
              ],
              "path": "counter.txt",
            },
            "name": "edit",
          },
          {
            "arguments": {
              "pattern": "needle 3\\b",
            },
            "name": "grep",
          },
          {
            "arguments": {
              "command": "cat files/f4.txt",
            },
            "name": "bash",
          },
        ],
      }
    `);
  });

  it('that a peer has no tool for are an error with the reason', () => {
    expect(() => translate([READ, EDIT], {...pi.tools, edit: 'It cannot edit.'})).toThrow('It cannot edit.');
  });
});

describe('a run', () => {
  const body = Buffer.from('line of file 12 with some words … ./tree/d0/f300.txt:21:needle 3 … line of file 4 with some words');
  const done = {plan: [READ, EDIT, GREP, BASH], requests: 5, lastBody: body, counter: 'export const value = 1;'};

  it('counts where each result came back and the file has the last edit', () => {
    expect(undone(done)).toBeUndefined();
  });

  it.each([
    ['a request is missing', {requests: 4}, '4 requests came instead of 5'],
    ['the edit is missing', {counter: 'export const value = 0;'}, 'the file does not have the last of 1 edits'],
    ['a read is missing', {lastBody: body.subarray(20)}, 'the result of read {"path":"files/f12.txt"} did not come back'],
    [
      'a match is missing',
      {lastBody: Buffer.from(body.toString().replace('f300', 'f3'))},
      'the result of grep {"pattern":"needle 3\\\\b"} did not come back',
    ],
    ['output is missing', {lastBody: body.subarray(0, -1)}, 'the result of bash {"command":"cat files/f4.txt"} did not come back'],
  ])('is not a measurement where %s', (_, change, reason) => {
    expect(undone({...done, ...change})).toBe(reason);
  });
});

describe('what a tree of processes used', () => {
  it('is CPU time of the children in the lines of `times`', () => {
    expect(cpuOf('0m0.010000s 0m0.020000s\n1m2.500000s 0m0.250000s\n')).toBe(62_750);
    expect(cpuOf('0m0.01s 0m0.02s\r\n0m0.30s 0m0.02s')).toBe(320);
  });

  it('is the sum of peaks, with the pages of one program once', () => {
    const node = {program: '/bin/node', peakKib: 100, fileKib: 40};
    expect(sumKib([])).toBe(0);
    expect(sumKib([node, {program: '/bin/rg', peakKib: 5, fileKib: 4}])).toBe(105);
    expect(sumKib([node, {...node, peakKib: 200, fileKib: 45}, node])).toBe(400 - 80);
  });
});

describe('a peer', () => {
  const place = {home: '/home', model: {baseUrl: 'http://127.0.0.1:9/v1', origin: 'http://127.0.0.1:9'}};

  it('is sent to the model on loopback, with updates, telemetry and other questions to servers switched off', () => {
    const [ofPi, ofGemini] = [pi.files(place), geminiCli.files(place)];
    expect(pi.env(place)).toEqual({PI_OFFLINE: '1'});
    expect(JSON.parse(ofPi['.pi/agent/settings.json'] ?? '')).toEqual({enableInstallTelemetry: false});
    expect(JSON.parse(ofPi['.pi/agent/models.json'] ?? '')).toMatchObject({providers: {instant: {baseUrl: 'http://127.0.0.1:9/v1'}}});
    expect(parse(codex.files(place)['.codex/config.toml'] ?? '')).toMatchObject({
      model_provider: 'instant',
      check_for_update_on_startup: false,
      web_search: 'disabled',
      model_providers: {instant: {base_url: 'http://127.0.0.1:9/v1', wire_api: 'responses'}},
      analytics: {enabled: false},
      feedback: {enabled: false},
      otel: {metrics_exporter: 'none'},
      features: {plugins: false, apps: false},
    });
    expect(geminiCli.env(place)).toEqual({GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9'});
    expect(JSON.parse(ofGemini['.gemini/settings.json'] ?? '')).toEqual({
      general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
      privacy: {usageStatisticsEnabled: false},
      telemetry: {enabled: false},
      security: {auth: {selectedType: 'gemini-api-key'}},
    });
  });

  it('is the command that its variable names, else the one on PATH, else not installed', async () => {
    const root = await scratch({'bin/pi': '', 'other/pi': '', 'plain/pi': ''});
    const at = (path: string): string => join(root, path);
    await chmod(at('bin/pi'), 0o755);
    await chmod(at('other/pi'), 0o755);
    const PATH = `${at('nowhere')}:${at('plain')}:${at('bin')}`;
    expect(findPeer(pi, {PATH})).toBe(at('bin/pi'));
    expect(findPeer(pi, {PATH, BENCH_PI: at('other/pi')})).toBe(at('other/pi'));
    expect(findPeer(pi, {PATH, BENCH_PI: at('plain/pi')})).toBeUndefined();
    expect(findPeer(pi, {PATH: at('plain')})).toBeUndefined();
    expect(findPeer(pi, {})).toBeUndefined();
  });
});
