import type {Variables} from '../variables/child-environment.ts';

/** A key of a git configuration and its value. */
export type GitValue = readonly [key: string, value: string];

/** A section that a repository's configuration may have: `filter` and the name after it. */
export interface GitSection {
  /** Lower case. */
  readonly section: string;
  readonly name: string;
}

export interface GitFacts {
  /** Every section with a name in every configuration of a repository that may be used; too many do no harm. */
  readonly sections: readonly GitSection[];
  /** Every key that such a configuration sets; section and last part in lower case. */
  readonly keys: ReadonlySet<string>;
  /** True if one of them has a remote in the repository itself, or names the programs of a remote. */
  readonly hasOwnRemote: boolean;
  /** Values from the person's own files; keys in lower case except for the subsection. */
  readonly own: readonly GitValue[];
}

/**
 * Variables under which git runs no program that a repository names: its hooks, filters, drivers, pagers, helpers, ssh and proxy commands, and
 * remotes that are commands (git-config(1); GIT_CONFIG_COUNT is stronger than every file). Where the person has set the same key in their
 * own files, that stays in force. Aliases remain: they run only by a name that the policy does not know. Not reached: a git that is
 * started without these variables.
 */
export function safeGitVariables({sections, keys, hasOwnRemote, own}: GitFacts): Variables {
  const named = sections.flatMap((section) => namedValues(section, keys, own));
  const set = WHERE_SET.filter(([key]) => keys.has(normal(key)));
  const values = [
    ...[...ALWAYS, ...set, ...named].flatMap(([key, neutral]) => personal(key, neutral, own)),
    ...(hasOwnRemote ? NO_FILES : []),
  ];
  const pairs = values.map(([key, value], index) => ({[`GIT_CONFIG_KEY_${index}`]: key, [`GIT_CONFIG_VALUE_${index}`]: value}));
  // The first proxy that is named wins, so that no later setting could take it away; an empty variable does (connect.c).
  return Object.assign({GIT_CONFIG_COUNT: String(values.length), GIT_PROXY_COMMAND: ''}, ...pairs) as Variables;
}

/** True for a key whose value is run, or selects a program to run. */
export function namesProgram(key: string): boolean {
  const parts = key.split('.');
  const section = (parts[0] ?? '').toLowerCase();
  const last = (parts.at(-1) ?? '').toLowerCase();
  if (section === 'remote') return last === 'uploadpack' || last === 'receivepack';
  if (parts.length > 2) return (NAMED[section] ?? []).some(([name]) => name.toLowerCase() === last && name !== 'required');
  return (
    section === 'pager' ||
    [...ALWAYS, ...WHERE_SET].some(([name]) => name.toLowerCase() === `${section}.${last}`) ||
    key.toLowerCase() === 'core.gitproxy'
  );
}

/**
 * All keys of a section that the person does not have. Of one that they have too, only what the repository sets: a `process` that is empty
 * would switch off their `clean`.
 */
function namedValues({section, name}: GitSection, keys: GitFacts['keys'], own: readonly GitValue[]): GitValue[] {
  const all = (NAMED[section] ?? []).map(([key, value]): GitValue => [`${section}.${name}.${key}`, value]);
  const isMine = all.some(([key]) => own.some(([mine]) => sameKey(mine, key)));
  return isMine ? all.filter(([key]) => keys.has(normal(key))) : all;
}

/** The value of the person, as often as they set it; else the neutral one. An empty value resets a list of helpers. */
function personal(key: string, neutral: string, own: readonly GitValue[]): GitValue[] {
  const mine = own.filter(([name]) => sameKey(name, key)).map(([, value]): GitValue => [key, value]);
  return key.endsWith('.helper') ? [[key, ''], ...mine] : [mine.at(-1) ?? [key, neutral]];
}

/** Section and key are the same in any case, the name between them is not. */
function sameKey(a: string, b: string): boolean {
  return normal(a) === normal(b);
}

function normal(key: string): string {
  const parts = key.split('.');
  return [parts[0]?.toLowerCase(), ...parts.slice(1, -1), parts.at(-1)?.toLowerCase()].join('.');
}

/** Settings that change nothing if a repository does not set them, or apply to its hooks. */
const ALWAYS: readonly GitValue[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['core.sshCommand', 'ssh'],
  ['core.askPass', ''],
  ['sequence.editor', 'true'],
  ['credential.helper', ''],
  ['gpg.program', 'gpg'],
  ['protocol.ext.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
];

/** Settings for git without a driver: an empty value is an error (git 2.39). */
const PLAIN_DIFF = 'f() { [ $# -lt 7 ] || diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; f';

const WHERE_SET: readonly GitValue[] = [
  ['core.alternateRefsCommand', 'true'],
  ['diff.external', PLAIN_DIFF],
  ['interactive.diffFilter', 'cat'],
  ['gpg.openpgp.program', 'gpg'],
  ['gpg.x509.program', 'gpgsm'],
  ['gpg.ssh.program', 'ssh-keygen'],
  ['gpg.ssh.defaultKeyCommand', 'true'],
  ['sendemail.smtpServer', 'localhost'],
  ['sendemail.sendmailCmd', 'false'],
  ['sendemail.toCmd', 'true'],
  ['sendemail.ccCmd', 'true'],
  ['sendemail.headerCmd', 'true'],
  ['imap.tunnel', 'false'],
  ['instaweb.httpd', 'false'],
];

/** A remote that is a folder runs its hooks and the programs that are named for it, without these variables; the first name wins there. */
const NO_FILES: readonly GitValue[] = [['protocol.file.allow', 'never']];

/** A text merge, as git does it without a driver. */
const TEXT_MERGE = 'git merge-file --marker-size=%L %A %O %B';

const NAMED: Readonly<Record<string, readonly GitValue[]>> = {
  filter: [
    ['clean', ''],
    ['smudge', ''],
    ['process', ''],
    ['required', 'false'],
  ],
  diff: [
    ['command', PLAIN_DIFF],
    ['textconv', 'cat'],
  ],
  merge: [['driver', TEXT_MERGE]],
  credential: [['helper', '']],
  submodule: [['update', 'checkout']],
  difftool: [
    ['cmd', 'false'],
    ['path', ''],
  ],
  mergetool: [
    ['cmd', 'false'],
    ['path', ''],
  ],
  guitool: [['cmd', 'false']],
  man: [
    ['cmd', 'false'],
    ['path', ''],
  ],
  browser: [
    ['cmd', 'false'],
    ['path', ''],
  ],
  trailer: [
    ['command', 'true'],
    ['cmd', 'true'],
  ],
  tar: [['command', 'cat']],
  hook: [
    ['enabled', 'false'],
    ['command', 'true'],
  ],
};
