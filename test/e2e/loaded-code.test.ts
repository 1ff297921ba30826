import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {fettle, modelServer, place} from './support.ts';

/** Writes the size of each file of code that a process loads to LOADED when it ends. */
const RECORDER = `
import {statSync, writeFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {basename} from 'node:path';
const loaded = {};
registerHooks({load(url, context, next) {
  if (url.startsWith('file:') && !url.endsWith('recorder.mjs')) loaded[basename(url)] = statSync(new URL(url)).size;
  return next(url, context);
}});
process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(loaded)));
`;

/** What an answer without calls loads. Raise it only for what every first request needs: it is the time and memory of every start. */
const MOST = {files: 6, bytes: 556_000};

it('an answer without calls loads few files and little code', async () => {
  const server = await modelServer([{text: 'Done.'}]);
  const at = await place({}, server.config);
  const folder = await scratch({'recorder.mjs': RECORDER});
  const env = {...at.env, NODE_OPTIONS: `--import=${join(folder, 'recorder.mjs')}`, LOADED: join(folder, 'loaded.json')};
  const run = await fettle({...at, env}, ['exec', 'Do it.']);
  expect([run.code, run.stdout]).toEqual([0, 'Done.\n']);

  const loaded = JSON.parse(await readFile(env.LOADED, 'utf8')) as Record<string, number>;
  const sizes = Object.values(loaded);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(sizes.length, JSON.stringify(loaded)).toBeLessThanOrEqual(MOST.files);
  expect(bytes, JSON.stringify(loaded)).toBeLessThanOrEqual(MOST.bytes);
  // Neither the parser of all commands nor what runs calls.
  expect(Object.keys(loaded).filter((name) => /^(?:command-line|calls|screen|session)\.js$/.test(name))).toEqual([]);
});
