import {wordList} from '../word-list.ts';
import type {ProgramFacts} from './program-facts.ts';
import {PROGRAMS} from './programs.ts';
import {withOptions} from './running-options/running-options.ts';

/** The facts of a program by its base name. */
export function programFacts(name: string): ProgramFacts | undefined {
  return FACTS.get(name) ?? (/^(?:python|pypy|ruby|perl|php|lua|node)[\d.]+$/.test(name) ? INTERPRETER : undefined);
}

/** True for a program that runs any text from its input or arguments: no rule with a star is suggested for it. */
export function isInterpreter(name: string): boolean {
  return programFacts(name) === INTERPRETER;
}

const REPORT = /^--(?:output-file|out|report-file)(?:=|$)/;

const INTERPRETER: ProgramFacts = {
  short: 'ceEprnixSa',
  long: `eval exec print require import loader experimental-loader run command interactive env-file inspect redirect-warnings openssl-config
    diagnostic-dir report-dir build-snapshot snapshot-blob experimental-config-file test-global-setup test-reporter-destination`,
  own: 'test test-reporter',
  words: [/^-$/],
  subcommands: 'eval x repl',
};

/** Programs with the same facts. */
const ALIKE: readonly (readonly [ProgramFacts, string])[] = [
  [{kind: 'text'}, 'echo printf true false : seq sleep expr basename dirname'],
  [
    {kind: 'facts'},
    `ls wc du df stat which whereis type pwd test [ realpath readlink whoami id uname tr nproc sha1sum sha256sum sha512sum md5sum cksum sum
    command cal uptime free arch groups tty cd pushd`,
  ],
  [
    {kind: 'read'},
    `cat head tail tac rev nl od hexdump strings cut paste join fold fmt expand unexpand comm cmp diff diff3 bat batcat column zcat bzcat
    xzcat pr tsort base32`,
  ],
  [{kind: 'search'}, 'grep egrep fgrep zgrep'],
  [
    {kind: 'write'},
    `cp mv ln tee touch mkdir rmdir rm dd truncate csplit patch unlink shred mkfifo chown chgrp setfacl gzip gunzip bzip2 xz zstd 7z cpio
    link mknod mktemp rename`,
  ],
  [
    INTERPRETER,
    `python python2 python3 ipython pypy node nodejs deno bun ruby irb perl lua luajit tclsh Rscript R julia ghci scala groovy guile
    racket sbcl clisp ts-node tsx bc dc jshell elixir iex erl clojure clj bb raku perl6 ocaml utop swipl gprolog nu xonsh elvish
    qjs d8 rhino janet`,
  ],
  [{always: 'an editor runs commands'}, 'vi vim nvim view ex ed red rvim vimdiff emacs emacsclient nano pico joe micro hx kak code'],
  [
    {always: 'a name lookup or a bare connection carries data out'},
    'dig host nslookup ping ping6 drill resolvectl traceroute mtr whois telnet nc ncat netcat logger ftp lftp tftp mail mailx sendmail xdg-open open',
  ],
  [{always: 'downloads and runs a program'}, 'npx bunx pnpx uvx pipx'],
  [{always: 'runs commands from a file or from its arguments'}, 'm4 ldd ansible ansible-playbook nox'],
  // A configuration of these is code.
  [
    {short: 'c', valued: 'c', long: 'config configfile configPlugin plugin', config: '-c --config'},
    'vite webpack rollup babel mocha ava karma stylelint tox postcss',
  ],
  [
    {long: 'config config-file python-executable', words: [REPORT], config: '--config --config-file'},
    'mypy ruff black isort flake8 pylint',
  ],
  [
    {
      valued: 'IDULlo',
      short: 'oB',
      long: 'output',
      words: [
        /^-(?:run|Xlinker|T)/,
        /^-W[lap],.*-o/,
        /^-(?:wrapper|specs|fplugin|fuse-ld|load|plugin|Xclang|dumpdir|save-temps)/,
        /^--(?:wrapper|specs|config)/,
        /^@/,
        /linker=|^-C(?:ar|link-arg)/,
      ],
    },
    'gcc g++ cc c++ clang clang++ ld rustc as tcc gfortran javac',
  ],
  [{always: 'changes the system'}, 'crontab at batch ssh-keygen visudo chsh passwd mount umount insmod modprobe'],
];

const FACTS: ReadonlyMap<string, ProgramFacts> = withOptions([
  ...ALIKE.flatMap(([facts, names]) => wordList(names).map((name) => [name, facts] as const)),
  ...Object.entries(PROGRAMS),
]);
