import {mkdir} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {projectOverview} from '../../../code/overview/project-overview.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {writeFileAtomic} from '../../../workspace/write-file.ts';
import {type At, fromRoot, json} from './index-answers.ts';

/** `fettle index overview`: the code below a folder in one page, printed or stored in the project. */
export async function overview({io, options, workspace, root, cwd, graph, signal}: At, folder: string): Promise<number> {
  const below = fromRoot(folder, cwd, root);
  if (below !== '' && !(await graph.files(signal)).some(({path}) => path.startsWith(`${below}/`))) {
    throw new FettleError({code: 'NOT_FOUND', message: `Nothing below ${folder} is indexed.`, hint: 'Name a folder with code.'});
  }
  const text = await projectOverview(graph, {name: basename(root), below: below === '' ? undefined : below}, signal);
  if (options.json === true) return json(io, {root, overview: text});
  if (options.write !== true) {
    io.shown(text);
    return EXIT.done;
  }
  // These names may be links in a project: their targets must be inside it, too.
  const {path: file} = await workspace.resolve(STORED, {scope: 'inside', forWrite: true});
  await mkdir(dirname(file), {recursive: true});
  await writeFileAtomic(file, Buffer.from(text), {});
  io.note(`Wrote ${STORED}.`);
  return EXIT.done;
}

/** The file that `get_project_index_overview` reads in sessions without an index. */
const STORED = '.fettle/context/project_index.md';
