import {wordList} from '../word-list.ts';

/**
 * True for a variable that a line may set without changing the commands after it. All others may: PATH, PAGER, GIT_*, npm_config_*, LESSOPEN …
 * (the harmful ones are endless, so this lists the harmless ones). Any other name is one of the project's own (`FOO=bar`, `PORT=3000`) if
 * `value` is a plain word, which is not an option, path or line, and the name does not look like one that configures a program.
 */
export function isSafeVariable(name: string, exported: boolean, value?: string): boolean {
  if (SAFE.has(name) || /^LC_[A-Z]+$/.test(name) || (value !== undefined && isPlainSetting(name, value))) return true;
  // A plain lower-case name is the line's own; as an environment variable it may have a meaning (npm_config_script_shell, http_proxy).
  return !exported && /^[a-z][a-z0-9_]*$/.test(name) && !/proxy$|^npm_|^fpath$|^path$|^cdpath$/.test(name);
}

const SAFE: ReadonlySet<string> = new Set(
  wordList(`
  NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM CI DEBUG VERBOSE LANG TZ COLUMNS LINES RUST_LOG RUST_BACKTRACE
  RUST_LIB_BACKTRACE RUST_TEST_THREADS CARGO_TERM_COLOR CARGO_INCREMENTAL NODE_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS
  GOARCH CGO_ENABLED GOMAXPROCS TEST_ENV LOG_LEVEL I J N F X Y
`),
);

function isPlainSetting(name: string, value: string): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name) || STEERING_END.test(name) || STEERING_START.test(name)) return false;
  return LOCAL.test(value) || (!NETWORK_END.test(name) && /^(?![-.])[\w.:,@+%-]*$/.test(value));
}

/** A server of this machine. */
const LOCAL = /^(?:(?:https?|postgres(?:ql)?|mysql|redis|mongodb):\/\/(?:\w+(?::\w+)?@)?)?(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/\w*)?$/;
const NETWORK_END = /(?:URL|URI|HOST|HOSTNAME|ENDPOINT|SERVER|ADDR|ADDRESS|DOMAIN|DSN|ORIGIN)$/;

/** Families of variables that shells, loaders, interpreters, compilers, package managers and viewers read. */
const STEERING_START = new RegExp(
  `^(?:${wordList(`
    GIT LD_ DYLD_ NODE NPM PNPM YARN BUN DENO PYTHON PIP UV_ POETRY PIPENV CONDA VIRTUAL_ PERL RUBY GEM_ BUNDLE RAKE PHP COMPOSER JAVA _JAVA JDK JVM
    MAVEN MVN GRADLE SBT ANT_ KOTLIN CARGO RUST GO CGO CC CXX CPP LINK MAKE MFLAGS CMAKE CTEST NINJA MESON SSH SSL OPENSSL CURL WGET LESS
    MAN PAGER EDITOR VISUAL BROWSER SHELL BASH ZSH ZDOT KSH PS\\d PROMPT IFS PATH CDPATH HOME USER LOGNAME PWD OLDPWD TERM TMP TEMP XDG DBUS
    DISPLAY LOC NLS LANGUAGE GCONV MALLOC GLIBC G_ GTK QT ELECTRON CHROME PUPPETEER PLAYWRIGHT CYPRESS DOCKER COMPOSE BUILDKIT PODMAN
    CONTAINER KUBE HELM TF_ TERRAFORM AWS AZURE GOOGLE CLOUDSDK GH_ HTTP FTP ALL_PROXY NO_PROXY SUDO DEBUGINFOD GDB LLVM CLANG ASAN UBSAN
    TSAN LSAN MSAN VALGRIND R_ JULIA LUA TCL GUILE EMACS VIM NVIM TMUX SCREEN FZF BAT RIPGREP GREP LS_ TREE EXA EZA DELTA DIFF MERGE PATCH
    TAR ZIP GZIP BZIP XZ ZSTD RSYNC GPG GNUPG PINENTRY MYSQL PG PSQL SQLITE REDISCLI ESLINT PRETTIER TS_ TSX TSC BABEL WEBPACK VITE_NODE
    MOCHA NYC PYTEST TOX MYPY RUFF PYLINT DJANGO FLASK NIX GUIX HOMEBREW APT DPKG DEB RPM SYSTEMD JOURNAL FETTLE INPUTRC HIST FCEDIT
    FIGNORE GLOB EXEC POSIXLY CLASSPATH CATALINA QEMU WINE LINES_ STARSHIP DIRENV MISE ASDF VOLTA NVM RBENV PYENV SDKMAN COREPACK ENV$
    OPT DEBUGGER FUNCNEST TIMEFORMAT MAIL AR$ AS$ NM$ FC$ CI_JOB
  `).join('|')})`,
);

/** Words at the end of a name that say that the value is a program, a file, a line or an option. */
const STEERING_END =
  /(?:PATH|DIRS?|HOME|ROOT|FILES?|OPTS?|OPTIONS?|FLAGS?|ARGS?|ARGUMENTS|CMD|COMMANDS?|EDITOR|PAGER|SHELL|BROWSER|WRAPPER|RUNNER|LINKER|LAUNCHER|PROXY|CONFIG|CONF|CFG|RC|PRELOAD|LIBS?|LIBRARY|PLUGINS?|HOOKS?|LOADERS?|ASKPASS|INIT|STARTUP|EXEC|EXE|EXECUTABLE|PROGRAM|BIN|BINARY|TOOLS?|TOOLCHAIN|COMPILER|INTERPRETER|SCRIPTS?|MODULES?|REQUIRE|IMPORTS?|INCLUDES?|AGENT|REGISTRY|INDEX|MIRROR|PREFIX|CERTS?|BUNDLE|DRIVER|ENGINE|EVAL|CODE|EXPR|FILTER|FORMATTER|REPORTER|HANDLER|PREPROCESSOR)$/;
