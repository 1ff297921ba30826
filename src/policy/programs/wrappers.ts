import {wordList} from '../word-list.ts';

/** The command-line syntax of a program that runs another one. */
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
  /** Adds nothing to the command it runs: needs no rule of its own. */
  readonly transparent: boolean;
}

const CLEAR = {transparent: true} as const;
const OWN = {transparent: false} as const;

/** Programs that run another program and whose options are known. An unknown option leaves the whole command unresolved. */
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
    longValues: ['timeout', 'wait', 'conflict-exit-code'],
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
  eatmydata torsocks proxychains proxychains4 runcon choom uclampset coresched cpulimit dbus-launch sshpass softlimit setlock envdir envuidgid
  setuidgid daemonize daemon dtach abduco ssh slogin mosh autossh with-contenv gosu su-exec tini dumb-init catatonit noglob nocorrect -
  aa-exec sem rush gparallel i386 x86_64 uname26 setcap fakechroot sandbox-exec caffeinate arch 
  scanmem reptyr retry chronic ifne mispipe run-parts run-one run-one-constantly keychain nocache ld.so
  ld-linux-x86-64.so.2 mpirun mpiexec srun qsub sbatch osqueryi schroot systemd-inhibit systemd-nspawn systemd-cat machinectl lxc-attach
  nsjail minijail0 bubblewrap flatpak-spawn toolbox distrobox-enter pkcon dotenv dotenvx envchain chamber foreman honcho
  overmind gdbserver nyc c8 cross-env cross-env-shell env-cmd concurrently start-server-and-test msgexec msgfilter logsave pm2 forever nodemon watchman chokidar onchange cargo-watch bacon winpty wine mono qemu-x86_64
`),
);

/** Programs that run others by some of their subcommands or options; with none, always. Only used to find denied commands. */
export const RUNNERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(wordList('npx bunx pnpx uvx trap alias nix-shell foreach complete bind make gmake').map((name) => [name, ''])),
  git: '-c --exec -x rebase bisect filter-branch submodule --config-env difftool',
  npm: 'exec x explore',
  pnpm: 'exec dlx',
  yarn: 'exec dlx run',
  bun: 'x run',
  ...Object.fromEntries(wordList('python python2 python3 pypy pypy3').map((name) => [name, '-m'])),
  ...Object.fromEntries(wordList('docker podman nerdctl kubectl oc').map((name) => [name, 'run exec debug'])),
  poetry: 'run',
  uv: 'run tool pip',
  pipx: 'run',
  pipenv: 'run shell',
  pdm: 'run',
  hatch: 'run',
  rye: 'run',
  tox: 'exec -e',
  bundle: 'exec',
  conda: 'run',
  mamba: 'run',
  micromamba: 'run',
  mise: 'exec x',
  asdf: 'exec',
  rbenv: 'exec',
  pyenv: 'exec',
  nodenv: 'exec',
  volta: 'run',
  fnm: 'exec',
  nvm: 'exec run',
  direnv: 'exec',
  nix: 'run shell develop -c --command',
  guix: 'shell environment',
  rustup: 'run',
  opam: 'exec',
  stack: 'exec',
  cabal: 'exec',
  dotnet: 'exec tool',
  doppler: 'run',
  op: 'run',
  vault: 'exec',
  'aws-vault': 'exec',
  sops: 'exec-env exec-file',
  heroku: 'run',
  vagrant: 'ssh',
  lerna: 'exec',
  turbo: 'exec',
  composer: 'exec',
  gem: 'exec',
};

export const SHELLS: ReadonlySet<string> = new Set(wordList('sh bash zsh dash ksh mksh ash rbash fish csh tcsh'));
