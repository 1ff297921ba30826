// Runs the built command again and again in one process: what each line names, in its folder and with its variables.
import {writeSync} from 'node:fs';
import {join} from 'node:path';
import {main} from '../../dist/lib/cli.js';

// What a command starts of itself is the command.
process.argv[1] = join(import.meta.dirname, '../../dist/bin/fettle.cjs');
// A command ends the process where it is its own; this one is shared.
const exit = process.exit.bind(process);
process.exit = () => undefined;
process.on('disconnect', () => exit(0));

process.on('message', async ({args, cwd, env, mark}) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  await main(args);
  process.chdir('/');
  const end = Buffer.from(`${mark}${process.exitCode ?? 0}\n`);
  for (const fd of [1, 2]) writeWhole(fd, end);
});

function writeWhole(fd, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
