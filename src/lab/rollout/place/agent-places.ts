import {existsSync, realpathSync} from 'node:fs';
import {dirname, isAbsolute, join} from 'node:path';
import type {AgentCommand} from '../rollout-request.ts';

/**
 * Returns the folders that the agent's own program needs: its packages and those they load, real paths. They are shown wherever they are, also below a
 * temporary folder, which is another one in a rollout.
 */
export function agentPlaces({program, args}: Pick<AgentCommand, 'program' | 'args'>): string[] {
  const files = [program, ...args].filter((path) => isAbsolute(path) && existsSync(path));
  return [...new Set(files.flatMap((file) => placesOf(realpathSync(file))))];
}

/** The package of a file, else its folder, and the folders in which Node looks for other packages (Node.js › Loading from node_modules folders). */
function placesOf(file: string): string[] {
  const above: string[] = [];
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) above.push(at);
  const own = above.find((folder) => existsSync(join(folder, 'package.json'))) ?? dirname(file);
  return [own, ...above.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder))];
}
