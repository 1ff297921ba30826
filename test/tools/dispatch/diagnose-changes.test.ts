import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import type {Diagnosed} from '../../../src/code/servers/language-servers.ts';
import type {ServerDiagnostic} from '../../../src/code/servers/server-words.ts';
import {diagnoseChanges, type Diagnosing} from '../../../src/tools/dispatch/diagnose-changes.ts';
import {scratch} from '../../support/scratch.ts';

const signal = new AbortController().signal;

describe('diagnoseChanges', () => {
  it('ok where nothing was found; nothing where no server is for the file', async () => {
    const {root, ask} = await project({'a.ts': '', 'b.txt': '', 'c.py': ''});
    const servers = answering({'a.ts': []});
    expect(await ask(servers)).toEqual(['diagnostics(tsc): ok']);
    expect(servers.told).toEqual([[join(root, 'a.ts'), join(root, 'b.txt'), join(root, 'c.py')]]);
  });

  it('errors and warnings with their places from 1, one line each', async () => {
    const {ask} = await project({'a.ts': '', 'src/b.ts': ''});
    const found = {'a.ts': [diagnostic('error', 'Type\n  no fit', '2322')], 'src/b.ts': [diagnostic('warning', 'unused')]};
    expect(await ask(answering(found))).toEqual([
      'diagnostics(tsc): 1 error, 1 warning\na.ts:4:2 error 2322: Type no fit\nsrc/b.ts:4:2 warning: unused',
    ]);
  });

  it('a server that does not answer in time is not a success', async () => {
    const {ask} = await project({'a.ts': ''});
    const late = new FettleError({code: 'TIMEOUT', message: 'tsc did not answer diagnostics within 5 s.'});
    expect(await ask(answering({'a.ts': late}))).toEqual([
      'diagnostics(typescript): nothing is verified\ntsc did not answer diagnostics within 5 s.',
    ]);
  });

  it('is bounded: 20 lines, 10 files, 300 bytes a line', async () => {
    const names = Array.from({length: 12}, (_, index) => `f${String(index).padStart(2, '0')}.ts`);
    const {ask} = await project(Object.fromEntries(names.map((name) => [name, ''])));
    const many = Array.from({length: 3}, () => diagnostic('error', 'x'.repeat(1000)));
    const [text = ''] = await ask(answering(Object.fromEntries(names.map((name) => [name, many]))));
    const lines = text.split('\n');
    expect([lines.length, lines[0], lines.at(-2), lines.at(-1)]).toEqual([
      23,
      'diagnostics(tsc): 30 errors, 0 warnings',
      '[… 10 more]',
      '[2 more files were not looked at]',
    ]);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(300);
  });

  it('a file that the same reply deleted is not asked about; with 0 seconds none is', async () => {
    const {root} = await project({});
    const servers = answering({'gone.ts': []});
    expect(await diagnoseChanges([join(root, 'gone.ts')], {servers, root, ms: 1000}, signal)).toEqual([]);
    expect(await diagnoseChanges([join(root, 'gone.ts')], {servers, root, ms: 0}, signal)).toEqual([]);
    expect(servers.told).toHaveLength(2);
  });
});

async function project(files: Readonly<Record<string, string>>) {
  const root = await scratch(files);
  const paths = Object.keys(files).map((name) => join(root, name));
  return {root, ask: async (servers: Diagnosing['servers']) => await diagnoseChanges(paths, {servers, root, ms: 1000}, signal)};
}

/** A server for these files alone: the wire is tested with real ones. */
function answering(answers: Readonly<Record<string, Diagnosed['diagnostics'] | FettleError>>): Diagnosing['servers'] & {told: string[][]} {
  const told: string[][] = [];
  return {
    told,
    changed: async (files) => void told.push([...files]),
    async diagnostics({file}) {
      const found = Object.entries(answers).find(([name]) => file.endsWith(`/${name}`))?.[1];
      if (found instanceof FettleError) throw found;
      return found === undefined ? undefined : {server: 'tsc', diagnostics: found};
    },
  };
}

function diagnostic(severity: ServerDiagnostic['severity'], message: string, code?: string): ServerDiagnostic {
  const at = {line: 3, character: 1};
  return {severity, message, range: {start: at, end: at}, ...(code === undefined ? {} : {code})};
}
