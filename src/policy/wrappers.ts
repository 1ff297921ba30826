import {wordList} from './word-list.ts';

/** How a program that runs another one reads its command line. */
export interface WrapperForm {
  /** Short options without a value. */
  readonly flags: string;
  /** Short options with a value. */
  readonly values: string;
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
  /** Words of its own before the command: the seconds of `timeout`, the file of `flock`. */
  readonly operands?: number;
  /** `NAME=value` words before the command. */
  readonly assignments?: boolean;
  /** Options that carry a shell line. */
  readonly line?: string;
  /** Adds nothing to what it runs: needs no rule of its own. */
  readonly transparent: boolean;
}

const CLEAR = {transparent: true} as const;
const OWN = {transparent: false} as const;

/** What runs another program, and whose options are known. An unknown option makes the whole command unclear. */
export const WRAPPERS: Readonly<Record<string, WrapperForm>> = {
  env: {flags: 'i0v', values: 'u', longFlags: ['ignore-environment', 'null', 'debug'], longValues: ['unset'], assignments: true, ...CLEAR},
  timeout: {
    flags: 'fpv',
    values: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    operands: 1,
    ...CLEAR,
  },
  gtimeout: {
    flags: 'fpv',
    values: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    operands: 1,
    ...CLEAR,
  },
  nice: {flags: '', values: 'n', longValues: ['adjustment'], ...CLEAR},
  nohup: {flags: '', values: '', ...CLEAR},
  setsid: {flags: 'cfw', values: '', longFlags: ['ctty', 'fork', 'wait'], ...CLEAR},
  stdbuf: {flags: '', values: 'ioe', longValues: ['input', 'output', 'error'], ...CLEAR},
  ionice: {flags: 't', values: 'cn', longFlags: ['ignore'], longValues: ['class', 'classdata'], ...CLEAR},
  chrt: {flags: 'abdfior', values: '', operands: 1, ...CLEAR},
  taskset: {flags: 'c', values: '', operands: 1, ...CLEAR},
  time: {flags: 'pv', values: 'f', longFlags: ['portability', 'verbose'], longValues: ['format'], ...CLEAR},
  command: {flags: 'p', values: '', ...CLEAR},
  builtin: {flags: '', values: '', ...CLEAR},
  exec: {flags: 'cl', values: 'a', ...CLEAR},
  xargs: {
    flags: '0rtxp',
    values: 'aEILnPsd',
    longFlags: ['null', 'no-run-if-empty', 'verbose', 'exit'],
    longValues: ['max-args', 'max-procs', 'max-chars', 'max-lines', 'delimiter', 'arg-file'],
    ...CLEAR,
  },
  sudo: {
    flags: 'AbEeHiKklnPSsvV',
    values: 'CDghpRrTtUu',
    longFlags: ['non-interactive', 'preserve-env'],
    longValues: ['user', 'group'],
    assignments: true,
    ...OWN,
  },
  doas: {flags: 'Lns', values: 'aCu', ...OWN},
  flock: {
    flags: 'enosuxF',
    values: 'wE',
    longFlags: ['nonblock', 'shared', 'exclusive'],
    longValues: ['timeout'],
    operands: 1,
    line: 'c',
    ...OWN,
  },
  script: {flags: 'aefq', values: 'ETm', line: 'c', operands: 1, ...OWN},
  su: {flags: 'lmp', values: 'gGs', line: 'c', operands: 1, ...OWN},
  watch: {flags: 'bcdegtx', values: 'n', longValues: ['interval'], ...OWN},
  chroot: {flags: '', values: '', operands: 1, ...OWN},
  busybox: {flags: '', values: '', ...CLEAR},
  toybox: {flags: '', values: '', ...CLEAR},
};

/** Run others in ways that no table holds: each of their words may start a command. */
export const OPAQUE_WRAPPERS: ReadonlySet<string> = new Set(
  wordList(`
  parallel unshare nsenter prlimit strace ltrace gdb lldb valgrind perf tmux screen systemd-run at batch runuser pkexec setpriv
  firejail bwrap proot fakeroot expect entr watchexec ssh-agent setarch linux32 linux64 rlwrap unbuffer socat dbus-run-session
  xvfb-run capsh catchsegv chpst start-stop-daemon hyperfine osascript powershell pwsh cmd wsl sg newgrp faketime cgexec numactl
  eatmydata torsocks proxychains
`),
);

export const SHELLS: ReadonlySet<string> = new Set(wordList('sh bash zsh dash ksh mksh ash rbash fish csh tcsh'));
