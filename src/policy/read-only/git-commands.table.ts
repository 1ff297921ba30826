import type {ReadOnlyForm, ReadOnlyTable} from './command-form.ts';

/** git-log(1), git-diff(1): options that choose and print; none that writes, runs a program or reads another repository. */
const LOG: ReadOnlyForm = {
  flags: 'pqunrtzwbciEFPLg',
  values: 'SGnLU',
  long: `oneline stat shortstat numstat name-only name-status patch no-patch graph all branches tags remotes decorate no-decorate abbrev
    abbrev-commit no-abbrev-commit format pretty date reverse merges no-merges first-parent follow summary color no-color word-diff
    cached staged raw full-index left-right cherry-pick cherry-mark cherry boundary topo-order date-order count relative-date invert-grep
    include-untracked only-untracked dirstat compact-summary unified minimal patience histogram ignore-all-space ignore-space-change
    since until after before author committer grep max-count skip find-renames`,
  longValues: 'since until after before author committer grep max-count skip pretty format date',
  words: /^-\d+$/,
  noRisks: true,
};

/** Commands of git that only look, beside those that the default rules name. Only these forms of them: `git branch NAME` makes one. */
export const READ_ONLY_GIT: ReadOnlyTable = {
  // git-branch(1): operands only after --list
  'git branch': {
    flags: 'arvi',
    long: 'all remotes verbose list show-current merged no-merged contains no-contains color no-color column no-column sort format points-at ignore-case abbrev no-abbrev',
    longValues: 'sort format points-at merged no-merged contains no-contains',
    operands: 'names',
    listedBy: /^--list$/,
    noRisks: true,
  },
  // git-tag(1): likewise
  'git tag': {
    flags: 'lin',
    long: 'list sort format column no-column color contains no-contains merged no-merged points-at ignore-case',
    longValues: 'sort format contains no-contains merged no-merged points-at',
    words: /^-n\d+$/,
    operands: 'names',
    listedBy: /^(?:-l|--list)$/,
    noRisks: true,
  },
  // git-remote(1)
  'git remote': {flags: 'v', long: 'verbose', operands: 'none', noRisks: true},
  'git remote get-url': {long: 'all push', operands: 'names', noRisks: true},
  // git-stash(1)
  'git stash list': {...LOG, operands: 'names'},
  'git stash show': {...LOG, operands: /^(?:stash@\{\d+\}|\d+)$/},
  // git-config(1): reads one name, or lists
  'git config': {
    flags: 'lz',
    long: 'list global local system worktree show-origin show-scope name-only null bool int path get get-all get-regexp includes no-includes',
    longValues: 'type',
    operands: 'names',
    listedBy: /^--get(?:-all|-regexp)?$/,
    needs: /^(?:-l|--list|--get(?:-all|-regexp)?)$/,
    noRisks: true,
  },
  'git config user.name, git config user.email, git config remote.origin.url': {operands: 'none', noRisks: true},
  'git config get, git config list': {
    long: 'global local system worktree show-origin show-scope name-only null all regexp',
    operands: 'names',
    noRisks: true,
  },
  // git-reflog(1), git-rev-list(1), git-cherry(1), git-whatchanged(1), git-range-diff(1), git-show-branch(1)
  'git reflog': {...LOG, operands: 'none'},
  'git reflog show, git whatchanged, git range-diff': LOG,
  'git rev-list': {...LOG, long: `${LOG.long ?? ''} objects not-all`},
  'git cherry': {flags: 'v', operands: 'names', noRisks: true},
  'git show-branch': {flags: 'ra', long: 'all remotes list current topo-order', operands: 'names', noRisks: true},
  // git-worktree(1), git-cat-file(1): no filters, no textconv
  'git worktree list': {flags: 'vz', long: 'porcelain verbose', operands: 'none', noRisks: true},
  'git cat-file': {flags: 'tsep', operands: 'names', noRisks: true},
  // git-ls-tree(1), git-merge-base(1), git-name-rev(1), git-for-each-ref(1), git-show-ref(1), git-count-objects(1)
  'git ls-tree': {
    flags: 'drtlz',
    long: 'long name-only name-status object-only full-name full-tree abbrev format',
    operands: 'names',
    noRisks: true,
  },
  'git merge-base': {flags: 'a', long: 'all octopus independent is-ancestor fork-point', operands: 'names', noRisks: true},
  'git name-rev': {long: 'tags name-only always all', longValues: 'refs exclude', operands: 'names', noRisks: true},
  'git for-each-ref': {
    long: 'count sort format color contains merged no-merged points-at',
    longValues: 'count sort format contains merged no-merged points-at',
    operands: 'names',
    noRisks: true,
  },
  'git show-ref': {flags: 'ds', long: 'head heads branches tags dereference hash abbrev verify quiet', operands: 'names', noRisks: true},
  'git count-objects': {flags: 'vH', long: 'verbose human-readable', operands: 'none', noRisks: true},
  'git diff-tree': LOG,
  // git-symbolic-ref(1): a second operand sets it
  'git symbolic-ref HEAD, git symbolic-ref --short HEAD': {operands: 'none', noRisks: true},
  // git-check-ignore(1), git-check-attr(1), git-var(1), git-submodule(1) › status, git-version(1), git-lfs ls-files
  'git check-ignore': {flags: 'qvnz', long: 'quiet verbose non-matching no-index', operands: 'names', noRisks: true},
  'git check-attr': {flags: 'az', long: 'all cached', operands: 'names', noRisks: true},
  'git version': {long: 'build-options', operands: 'none'},
};
