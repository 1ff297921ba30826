import {resolve} from 'node:path';
import {counted} from '../../../base/counted.ts';
import {isFettleError} from '../../../base/errors.ts';
import {createRedactor} from '../../../base/redact.ts';
import {secretValuesOf} from '../../../base/secret-variables.ts';
import type {IndexStatus} from '../../../code/code-graph.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {openCode} from '../../../sdk/tools/code-access.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import {openWorkspace} from '../../../workspace/open-workspace.ts';
import {type At, type IndexOptions, json} from '../code-index/index-answers.ts';
import {graphOf, outline, references, resolveName, search} from '../code-index/index-questions.ts';
import {overview} from '../code-index/write-overview.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {progressBar} from '../output/progress-bar.ts';

/** `fettle index NAME`: exit code 1 where a name means nothing. */
export const INDEX_COMMANDS = {
  build: (io: Io, _: string, options: IndexOptions) => withIndex(io, options, async (at) => tell(at, await at.graph.status(at.signal))),
  status: (io: Io, _: string, options: IndexOptions) =>
    withIndex(io, {...options, stale: true}, async (at) => tell(at, await at.graph.status(at.signal))),
  search: (io: Io, query: string, options: IndexOptions) => withIndex(io, options, async (at) => await search(at, query)),
  resolve: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await resolveName(at, name)),
  outline: (io: Io, file: string, options: IndexOptions) => withIndex(io, options, async (at) => await outline(at, file)),
  graph: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await graphOf(at, name)),
  references: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await references(at, name)),
  overview: (io: Io, folder: string, options: IndexOptions) => withIndex(io, options, async (at) => await overview(at, folder)),
};

export type IndexCommand = keyof typeof INDEX_COMMANDS;

async function withIndex(outer: Io, options: IndexOptions, command: (at: At) => Promise<number>): Promise<number> {
  const io = withoutSecrets(outer);
  const {cwd, paths} = await loadSettings({cwd: resolve(io.cwd, options.cwd ?? '.'), env: io.env, home: io.home});
  const workspace = await openWorkspace(cwd);
  const {root} = workspace;
  const code = openCode({root, cacheDir: paths.cacheDir, rebuild: options.force});
  const interrupts = listenForInterrupts(() => io.note('Stopping. The index built so far is saved.'));
  const signal = interrupts.signal();
  const bar = progressBar(io, 'files');
  try {
    const graph = await code.open(signal);
    if (options.stale !== true) await graph.fresh(signal, ({done, total}) => bar.show(done, total));
    bar.clear();
    return await orNotFound(io, command({io, options, workspace, root, cwd: resolve(io.cwd, options.cwd ?? '.'), graph, signal}));
  } finally {
    bar.clear();
    await code.close();
    interrupts.dispose();
  }
}

/** Code may contain secrets of the environment: they are redacted, as in results of tools. */
function withoutSecrets(io: Io): Io {
  const redactor = createRedactor({secrets: secretValuesOf(io.env), shapes: false});
  return {...io, data: (text) => io.data(redactor.text(text)), shown: (text) => io.shown(redactor.text(text))};
}

/** An unknown name is an answer, as it is for `grep`: exit code 1, and not a usage error. */
async function orNotFound(io: Io, answer: Promise<number>): Promise<number> {
  try {
    return await answer;
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'NOT_FOUND') throw error;
    io.note(error.hint === undefined ? error.message : `${error.message}\n  ${error.hint}`);
    return EXIT.failed;
  }
}

function tell({io, options, root}: At, status: IndexStatus): number {
  if (options.json === true) return json(io, {root, ...status});
  const {state, files, symbols, relations, broken, languages} = status;
  if (state === 'absent') {
    io.data(`${root}: not indexed yet; \`fettle index build\`, or any question, does it\n`);
    return EXIT.done;
  }
  io.data(`${root}: ${counted(files, 'file')}, ${counted(symbols, 'symbol')}, ${counted(relations, 'relation')}\n`);
  if (broken > 0) io.data(`${counted(broken, 'file has', 'files have')} parts that could not be parsed\n`);
  const byCount = Object.entries(languages).toSorted(([, a], [, b]) => b - a);
  for (const [language, count] of byCount) io.data(`  ${language} ${count}\n`);
  return EXIT.done;
}
