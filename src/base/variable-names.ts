/**
 * Names of variables that decide which code a program runs: a rule that allows `git status` or `ls` holds only as long as these are not
 * changed (CWE-426, CWE-427; ld.so(8), bash(1) › Shell Variables, git(1) › Environment Variables). The first part of a pattern
 * (`LD_*`) counts as a name.
 */
export function affectsExecution(name: string): boolean {
  return FAMILY.test(name) || STEERING.has(name.toUpperCase());
}

/** Named like a secret, or an address with a password in it: hidden from models, hosts and logs. */
export function isSecretVariable(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || PASSWORD_IN_ADDRESS.test(value);
}

const FAMILY = /^(?:LD|DYLD|GIT|FETTLE|BASH_FUNC|MALLOC)_/i;

const STEERING: ReadonlySet<string> = new Set(
  `
  PATH PATHEXT HOME SHELL COMSPEC ENV IFS CDPATH PS0 PS1 PS2 PS3 PS4 BASH_ENV BASHOPTS SHELLOPTS BASH_LOADABLES_PATH GLOBIGNORE
  PROMPT_COMMAND ZDOTDIR NODE_OPTIONS PYTHONSTARTUP PYTHONHOME PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
  EDITOR VISUAL PAGER MANPAGER SYSTEMD_PAGER BROWSER LESSOPEN LESSCLOSE SSH_ASKPASS SUDO_ASKPASS RIPGREP_CONFIG_PATH GCONV_PATH
  GLIBC_TUNABLES XDG_CONFIG_HOME
`
    .trim()
    .split(/\s+/),
);

const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PASSPHRASE|PAT|CREDENTIALS?|AUTH|COOKIE|DSN)(?:$|_)|_PWD$/i;

/** `postgres://user:password@host/…` */
const PASSWORD_IN_ADDRESS = /:\/\/[^/\s@]*:[^/\s@]+@/;
