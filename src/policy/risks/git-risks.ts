import {programFacts} from '../programs/known-programs.ts';
import {FIRST_WORD_LOSES, gitLoss} from './git-losses.ts';
import {isNamed} from '../programs/program-facts.ts';
import {textAt, type ShellWord} from '../shell/shell-word.ts';
import {wordList} from '../word-list.ts';
import type {Risk} from './risk.ts';

/** git: options and subcommands that name a program, a configuration, another repository or a file to write. */
export function gitRisks(words: readonly ShellWord[]): Risk[] {
  const found = words.findIndex((word, index) => index > 0 && word.value?.startsWith('-') !== true);
  const sub = found === -1 ? words.length : found;
  const end = words.findIndex((word) => word.value === '--');
  const risks: Risk[] = [];
  for (let index = 1; index < (end === -1 ? words.length : end); index += 1) {
    const reason = isText(textAt(words, index - 1)) ? undefined : wordRisk(textAt(words, index), textAt(words, sub), index < sub);
    if (reason !== undefined) risks.push({index, reason});
  }
  const reason = subcommandRisk(textAt(words, sub), words.slice(sub + 1));
  return reason === undefined ? risks : [...risks, {index: Math.min(sub + 1, words.length - 1), reason}];
}

function isText(before: string): boolean {
  return isNamed(programFacts('git')?.texts, before);
}

function wordRisk(value: string, subcommand: string, isGlobal: boolean): string | undefined {
  if (isGlobal) return HARMLESS_GLOBAL.test(value) ? undefined : `the option ${value} of git itself`;
  const loss = gitLoss(subcommand, value);
  if (loss !== undefined) return loss;
  if (OPTION.test(value) || SHORT[subcommand]?.test(value) === true) return `the option ${value}`;
  if (/^(?:--[\w-]+=)?(?:git\+)?ssh(?:\+git)?:\/\/-|^-\w*@?[\w.-]*:/.test(value)) return `${value} is an option for ssh`;
  return /^(?:--[\w-]+=)?[a-z][a-z0-9+.-]*::/.test(value) ? `${value} names a program that fetches` : undefined;
}

const HARMLESS_GLOBAL = /^(?:-P|--no-pager|--version|--help|-h|--no-optional-locks|--literal-pathspecs)$/;

// Abbreviations count: git takes any beginning that is unique.
const OPTION = new RegExp(
  `^--(?:${wordList(`
    out(?!put-i) ext-d ext$ textc op upl upl?= rece exec? e= templ? conf separate-g no-ind work-t git-d gpg edit$ reference rsync smtp-s
    sendmail-c to-cmd cc-cmd header-cmd tool extcmd strat(?:e|egy)?(?:=|$) run$ interactive$ rebase=[im] web$ autosquash recurse-submodules=
    server-option filters edit- export-marks unsafe-p show-signature contents
  `).join('|')})`,
);

const SHORT: Readonly<Record<string, RegExp>> = {
  grep: /^-[a-zA-Z]*O/,
  clone: /^-[a-zA-Z]*[uc]/,
  fetch: /^-[a-zA-Z]*u$/,
  pull: /^-[a-zA-Z]*[Xs]/,
  archive: /^-[a-zA-Z]*o/,
  rebase: /^-[a-zA-Z]*[xis]/,
  merge: /^-[a-zA-Z]*[s]/,
  'cherry-pick': /^-[a-zA-Z]*S/,
  add: /^-[a-zA-Z]*e/,
  replace: /^-e/,
  'ls-remote': /^-[a-zA-Z]*u/,
  push: /^-[a-zA-Z]*o/,
  help: /^-[a-zA-Z]*[wi]/,
  difftool: /^-[a-zA-Z]*[xt]/,
  mergetool: /^-[a-zA-Z]*t/,
};

function subcommandRisk(subcommand: string, args: readonly ShellWord[]): string | undefined {
  if (subcommand === 'config' && !readsConfig(args)) return 'sets what git runs later';
  if (FIRST_WORD_LOSES[subcommand]?.test(textAt(args, 0)) === true)
    return `git ${subcommand} ${textAt(args, 0)}`.trimEnd() + ' cannot be taken back';
  if (HARMLESS[subcommand]?.test(textAt(args, 0)) === true) return undefined;
  if (Object.hasOwn(SUBCOMMAND, subcommand)) return SUBCOMMAND[subcommand];
  return subcommand === '' || KNOWN.has(subcommand) ? undefined : 'no command of git itself: possibly an alias or a program';
}

/** `git config --get x`, `git config user.name`. */
function readsConfig(args: readonly ShellWord[]): boolean {
  if (args.some((word) => CONFIG_READS.test(word.value ?? ''))) return true;
  return args.length === 1 && /^\w[\w-]*\..+$/.test(textAt(args, 0));
}

/** Harmless actions of subcommands that otherwise run programs. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  bisect: /^(?:start|good|bad|new|old|skip|reset|log|next|terms)$/,
  submodule: /^(?:status|summary)$/,
  lfs: /^(?:ls-files|status|env|track|fetch|pull|push|version|logs)$/,
};

const CONFIG_READS = /^(?:--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|get|list)$/;

const KNOWN: ReadonlySet<string> = new Set(
  wordList(`
  add annotate apply archive blame branch cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry
  cherry-pick clean clone column commit commit-graph commit-tree config count-objects describe diff diff-files diff-index diff-tree
  fetch fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init interpret-trailers log
  ls-files ls-remote ls-tree mailinfo merge merge-base merge-file merge-tree mktree mv name-rev notes pack-refs patch-id prune
  prune-packed pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm
  shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace switch symbolic-ref tag unpack-objects
  update-index update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree am bugreport lfs
`),
);

const SUBCOMMAND: Readonly<Record<string, string>> = {
  bisect: 'may run a program for each step',
  submodule: 'runs and fetches what .gitmodules names',
  'filter-branch': 'runs a program for each commit',
  difftool: 'runs a program that the repository may name',
  mergetool: 'runs a program that the repository may name',
  'send-email': 'runs programs and sends data out',
  daemon: 'opens the repository to others',
  instaweb: 'starts a server',
  credential: 'runs the helpers that the repository may name',
  'fast-import': 'writes any object',
  'upload-pack': 'serves another repository',
  'receive-pack': 'serves another repository',
  hook: 'runs a hook',
  maintenance: 'registers jobs',
  shell: 'runs commands',
  gui: 'runs programs',
  citool: 'runs programs',
  bundle: 'writes a file',
  lfs: 'changes the hooks and the configuration',
};
