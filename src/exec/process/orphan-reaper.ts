import {spawn} from 'node:child_process';
import type {Writable} from 'node:stream';
import type {ProcessTree} from './process-tree.ts';

/**
 * Ensures that commands die when Fettle itself is killed, even by SIGKILL: a waiting `sh` holds the other end of a pipe and kills every noted
 * tree when the pipe closes. One for the whole process, started with the first command; it does not keep Fettle alive and ends with it. Without
 * `sh` the commands run unguarded. Note the marker before the command is started, and again with its leader: Fettle may be killed in between.
 */
export function watchTree({marker, leader}: Pick<ProcessTree, 'marker'> & {readonly leader?: number}): () => void {
  pipe ??= start();
  pipe.write(`+ ${marker} ${leader ?? ''}\n`);
  return () => pipe?.write(`- ${marker}\n`);
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

/** Kills by process group, inherited marker and descent: each finds processes that the others cannot. */
const SCRIPT = `
live=
while read -r op marker leader; do
  if [ "$op" = + ]; then live="$live $marker:$leader"; continue; fi
  kept=
  for entry in $live; do [ "\${entry%%:*}" = "$marker" ] || kept="$kept $entry"; done
  live=$kept
done
marked() { grep -ls "$1" /proc/[0-9]*/environ | tr -dc '0-9\\n'; }
below() { for child in $(cat /proc/$1/task/*/children 2>/dev/null); do echo $child; below $child; done; }
for entry in $live; do
  marker=\${entry%%:*} leader=\${entry##*:}
  all=$(for pid in $leader $(marked "$marker"); do echo $pid; below $pid; done)
  [ -z "$leader" ] || kill -KILL -- "-$leader"
  for pid in $all; do kill -KILL $pid; done
  for pid in $(marked "$marker"); do kill -KILL $pid; done
done
`;
