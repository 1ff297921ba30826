import {delimiter, isAbsolute} from 'node:path';

export type Variables = Readonly<Record<string, string>>;

/**
 * The variables a command sees: an allow-list of the owner's, then defaults that keep programs from waiting for a person.
 * Secrets, and names that make a program load code (`LD_*`, `BASH_ENV`, `NODE_OPTIONS`, `GIT_*` …), are not on the list.
 * Relative entries of PATH are dropped: the working folder must not name programs.
 */
export function childEnvironment(env: Readonly<Record<string, string | undefined>>): Variables {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !isAllowed(name.toUpperCase())) continue;
    const clean = cleanValue(name.toUpperCase(), value);
    if (clean !== undefined) kept[name] = clean;
  }
  return {...FALLBACKS, ...kept, ...DEFAULTS};
}

function isAllowed(name: string): boolean {
  return ALLOWED.has(name) || /^LC_[A-Z]+$/.test(name);
}

function cleanValue(name: string, value: string): string | undefined {
  if (name === 'PATH') {
    const entries = value.split(delimiter).filter((entry) => isAbsolute(entry));
    return entries.length > 0 ? entries.join(delimiter) : undefined;
  }
  // A proxy may carry a password: such a one is a secret.
  return name.endsWith('_PROXY') && value.includes('@') ? undefined : value;
}

const FALLBACKS: Variables = {LANG: 'C.UTF-8'};

/** Nobody is at the terminal: no pager, no editor, no prompt, no colour. */
const DEFAULTS: Variables = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  NONINTERACTIVE: '1',
};

const ALLOWED: ReadonlySet<string> = new Set(
  `
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP HOSTNAME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
  XDG_RUNTIME_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR CARGO_HOME RUSTUP_HOME
  RUSTUP_TOOLCHAIN GOPATH GOROOT GOBIN GOCACHE GOMODCACHE JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME
  ANDROID_SDK_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PIPX_HOME UV_CACHE_DIR POETRY_HOME NVM_DIR NVM_BIN FNM_DIR
  VOLTA_HOME PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR DENO_INSTALL GEM_HOME GEM_PATH RBENV_ROOT SDKMAN_DIR DOTNET_ROOT
  COMPOSER_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR HOMEBREW_PREFIX HOMEBREW_CELLAR NIX_PROFILES NIX_SSL_CERT_FILE SYSTEMROOT
  SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE USERNAME APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86)
  COMMONPROGRAMFILES HOMEDRIVE HOMEPATH PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS
`
    .trim()
    .split(/\s+/),
);
