import {runProcess} from './run-process.ts';

/**
 * `fettle schedule daemon` and `fettle schedule supervise ID` as the launcher starts them: without the parser of commands and the agent, since
 * these processes stay in memory for months, and for as long as a run. `argv` is without the program's own name.
 */
export async function main([, command, id]: readonly string[]): Promise<void> {
  await runProcess(async (io) => {
    if (command === 'daemon') return await (await import('./commands/schedule/daemon.ts')).scheduleDaemon(io);
    return await (await import('./commands/schedule/supervise.ts')).supervise(io, Number(id));
  });
}
