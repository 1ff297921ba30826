import {PROGRAMS} from './programs.ts';
import {withOptions} from './running-options/running-options.ts';
import {wordList} from '../word-list.ts';

/** What is known about a program's command line. Options are named without their dashes. */
export interface ProgramFacts {
  /**
   * text: prints its words · facts: tells about files, not what is in them · read: prints files · search: the same, its first word is a
   * pattern · write: makes, changes or removes the files it is given.
   */
  readonly kind?: 'text' | 'facts' | 'read' | 'search' | 'write';
  /** Short options that run a program, write a file or load code. */
  readonly short?: string;
  /** Short options whose value is glued or follows: what stands behind them in a cluster is no option. */
  readonly valued?: string;
  /** The same as `short` in long form, with blanks between them; their abbreviations count too. */
  readonly long?: string;
  /** Options that only look like the beginning of one of those; with blanks between them. */
  readonly own?: string;
  /** Options that are written with one dash or two (`-shell-escape`); with blanks between them. Abbreviations count from five letters on. */
  readonly single?: string;
  /** Options whose value may be the path of a module, which is loaded: a value with a dot or a slash is risky. With their dashes. */
  readonly modules?: string;
  /** Whole words, and beginnings of words (`-toolexec=…`), that do the same. */
  readonly words?: readonly RegExp[];
  /** First operands that run a program, or change what runs later; with blanks between them. */
  readonly subcommands?: string;
  /** Sub-commands of one or more words that run programs, or cannot be taken back (`volume rm`); among the first operands. */
  readonly actions?: RegExp;
  /** Absolute paths among its operands lie in a container, on another machine or in an interface. */
  readonly elsewhere?: true;
  /** Options of such a program whose value is a file here; with their dashes and blanks between them. */
  readonly local?: string;
  /** A risky one of these with the word behind it that only looks: `config view`. */
  readonly looks?: RegExp;
  /** Options that name a configuration, with their dashes and blanks between them. */
  readonly config?: string;
  /** More operands than this: the rest is written. */
  readonly maxOperands?: number;
  /** Runs what it is given, whatever the options: only a rule that spells out the whole command covers it. */
  readonly always?: string;
  /** Options whose next word is text for people, never an option or path; with blanks between them. */
  readonly texts?: string;
}

/** The facts of a program by its base name. */
export function programFacts(name: string): ProgramFacts | undefined {
  return FACTS.get(name) ?? (/^(?:python|pypy|ruby|perl|php|lua|node)[\d.]+$/.test(name) ? INTERPRETER : undefined);
}

/** True for a program that runs any text it is fed or given: no rule with a star is offered for it. */
export function isInterpreter(name: string): boolean {
  return programFacts(name) === INTERPRETER;
}

/** True for a program that only prints the files it is given, whatever its options. */
export function isPlainReader({kind, short, long, words, maxOperands}: ProgramFacts = {}): boolean {
  const reads = kind === 'read' || (kind === 'search' && words === undefined);
  return reads && long === undefined && short === undefined && maxOperands === undefined;
}

/** True where `word` is one of the blank-separated `names`. */
export function isNamed(names: string | undefined, word: string): boolean {
  return names !== undefined && word !== '' && ` ${names} `.includes(` ${word} `);
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
  [{always: 'runs commands that stand in a file or are given'}, 'm4 ldd ansible ansible-playbook nox'],
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
