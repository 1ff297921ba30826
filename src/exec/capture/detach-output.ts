import {spawn} from 'node:child_process';
import type {Readable} from 'node:stream';

/**
 * Hands the reading of a command's output over to processes that append it to a file and end with the command: without a reader, its pipes
 * would end it. The file takes 64 MB (128 MB if the shell counts in larger blocks); later output is read and dropped. The streams are
 * closed here.
 */
export function leaveOutputTo(file: string, streams: readonly Readable[]): void {
  for (const stream of streams) {
    // As stdin: only there Node makes a pipe wait for its reader again, which `cat` counts on.
    const reader = spawn('/bin/sh', ['-c', SCRIPT, 'sh', file], {
      stdio: [stream, 'ignore', 'ignore'],
      detached: true,
      env: {PATH: '/usr/bin:/bin'},
      cwd: '/',
    });
    // Without it the command ends at its next write, as if it had not been kept.
    reader.on('error', () => undefined).unref();
    stream.destroy();
  }
}

/** Blocks of 512 bytes, in some shells of 1024. `cat` keeps nothing back; at the limit its write fails and it ends. */
const SCRIPT = `umask 077; trap '' XFSZ; ulimit -f 131072; cat >> "$1"; exec cat > /dev/null`;
