import {spawn} from 'node:child_process';
import type {Writable} from 'node:stream';
import type {ProcessTree} from './process-tree.ts';

/**
 * Sees to it that a command dies when Fettle itself is killed, also by SIGKILL: a waiting `sh` holds the other end of a pipe and
 * kills every noted tree when the pipe closes. One for the whole process, started with the first command; it does not keep Fettle alive
 * and ends with it. Where there is no `sh` the commands run without it.
 */
export function watchTree({leader, marker}: ProcessTree): () => void {
  pipe ??= start();
  pipe.write(`+ ${leader} ${marker}\n`);
  return () => pipe?.write(`- ${leader} ${marker}\n`);
}

let pipe: Writable | undefined;

function start(): Writable {
  const sh = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {PATH: '/usr/bin:/bin'},
    cwd: '/',
  });
  const forget = (): void => {
    if (pipe === sh.stdin) pipe = undefined;
  };
  sh.on('error', forget).on('exit', forget).unref();
  sh.stdin.on('error', forget);
  // The pipe of a child is a socket; only those can be let go.
  if ('unref' in sh.stdin && typeof sh.stdin.unref === 'function') sh.stdin.unref();
  return sh.stdin;
}

const SCRIPT = `
live=
while read -r op leader marker; do
  if [ "$op" = + ]; then live="$live $leader:$marker"; continue; fi
  kept=
  for entry in $live; do [ "$entry" = "$leader:$marker" ] || kept="$kept $entry"; done
  live=$kept
done
for entry in $live; do
  kill -KILL -- "-\${entry%%:*}"
  for file in $(grep -ls "\${entry#*:}" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
`;
