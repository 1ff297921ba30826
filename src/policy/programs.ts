import type {ProgramFacts} from './program-facts.ts';

const TAR: ProgramFacts = {
  kind: 'write',
  short: 'IFP',
  valued: 'fCTXbgLVKNHIF',
  words: [
    /^--(?:to-c|checkpoint-a|check\w*-act|info-s|new-v|use-c|rs|rm|absolute-n|index-f|keep-directory-s|xform|transform)/,
    /^[\w.@-]+:(?!$)/,
  ],
};
/** Set-user-ID and set-group-ID, in digits and in letters. */
const SPECIAL_MODE = /^(?:-m|--mode=)?(?:0*[2-7][0-7]{3}$|[ugoa,]*[-+=][-+=,ugoarwxXt]*s)/;
const APT: ProgramFacts = {short: 'oc', valued: 'octa', long: 'option config-file'};
const FD: ProgramFacts = {
  kind: 'search',
  short: 'xXLC',
  valued: 'xXdteESoj',
  long: 'exec exec-batch follow ignore-file base-directory search-path',
};
const MAKE: ProgramFacts = {
  short: 'IE',
  valued: 'CfIojlWE',
  long: 'eval include-dir',
  words: [
    /^\w+\s*!=/,
    /^-f-?$|^(?:-f|--(?:make)?file=)?-$/,
    /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR)\s*[:?+]?=/,
    /^\w+[:?+!]?=.*[$`]/,
    /^(?:-f|--(?:make)?file=)\/dev\//,
    /^\/dev\//,
  ],
};
const CONTAINERS: ProgramFacts = {
  words: [
    /^(?:-v|--volume|--mount|--privileged|--pid|--device|--cap-add|--security-opt|--network|--net|--ipc|--uts|--userns)(?:=|$)/,
    /^(?:-v.|-[dit]+v|-H|--host|--config|--cgroupns|--volumes-from|--runtime)/,
  ],
};
const PIP: ProgramFacts = {
  short: 'i',
  valued: 'ircetd',
  long: 'index-url extra-index-url find-links trusted-host target prefix root python proxy',
  subcommands: 'config',
};

/**
 * Options and words that make a program run another one, write a file, load code or leave the workspace
 * (each was seen to do so: CVE-2025-66032, -64755, 2026-24887 and the advisories of the same kind).
 */
export const PROGRAMS: Readonly<Record<string, ProgramFacts>> = {
  git: {texts: '-m --message -am --grep --author -S -G --since --until --date --trailer'},
  chmod: {kind: 'write', words: [SPECIAL_MODE, /^--ref/]},
  install: {kind: 'write', words: [SPECIAL_MODE, /^--strip-p/]},
  split: {kind: 'write', long: 'filter'},
  rsync: {
    kind: 'write',
    short: 'eTM',
    valued: 'eTMBf',
    words: [/^[\w.@[\]-]+:/, /^rsync:/, /^--rs$|^--rs=/],
    long: 'rsh rsync-path files-from write-batch read-batch temp-dir backup-dir log-file',
  },
  fd: FD,
  fdfind: FD,
  rg: {kind: 'search', short: 'zL', valued: 'ABCEMTefgjmrt', long: 'pre hostname-bin search-zip follow'},
  sort: {kind: 'read', short: 'oT', valued: 'kStoT', long: 'output compress-program files0-from temporary-directory random-source'},
  uniq: {kind: 'read', maxOperands: 1, valued: 'fsw'},
  xxd: {kind: 'read', maxOperands: 1, valued: 'clsoRn'},
  iconv: {kind: 'read', short: 'o', valued: 'ftco', long: 'output'},
  base64: {kind: 'read', short: 'o', valued: 'wbio', long: 'output'},
  tree: {kind: 'facts', short: 'oR', valued: 'LPIoHT', long: 'output fromfile'},
  file: {kind: 'facts', short: 'Cmf', valued: 'mfFeP', long: 'compile magic-file files-from'},
  date: {kind: 'text', words: [/^\d/], short: 'sf', valued: 'dsfrI', long: 'set file'},
  less: {
    kind: 'read',
    short: 'oOkT',
    valued: 'bhjkopPtTxyzD',
    long: 'log-file LOG-FILE lesskey-file lesskey-src tag-file',
    words: [/^\+/],
  },
  more: {kind: 'read', words: [/^\+/]},
  man: {
    short: 'PHlCXTZ',
    valued: 'PHCMmSserRLp',
    long: 'pager html local-file config-file gxditview troff-device ditroff preprocessor',
  },
  tar: TAR,
  bsdtar: TAR,
  zip: {kind: 'write', words: [/^-TT/, /^--unzip-c/]},
  ag: {kind: 'search', long: 'pager path-to-ignore', short: 'pz'},
  ack: {kind: 'search', long: 'pager ackrc files-from output'},
  jq: {kind: 'search', words: [/\$ENV\b|(?<![.\w"])env\b|(?:^|[^.\w])(?:import|include)\s+"|input_filename/]},
  yq: {kind: 'search', short: 'is', long: 'inplace in-place split-exp', words: [/(?<![.\w"])(?:env|strenv|envsubst|load\w*)\b/]},
  du: {kind: 'facts', long: 'files0-from'},
  wc: {kind: 'facts', long: 'files0-from'},
  unzip: {kind: 'write', words: [/^-\w*:/]},
  ssh: {short: 'oFEISDRLWwJ', valued: 'bcDEeFIiJLlmOopQRSWw', words: [/^-$/]},
  scp: {kind: 'write', short: 'SoFDJ', valued: 'cDFiJloPSX'},
  sftp: {short: 'DSoFbJ', valued: 'bBcDFiJloPRsSX'},
  make: MAKE,
  gmake: MAKE,
  sqlite3: {
    words: [
      /^\s*\./,
      /^-(?:cmd|init|A)/,
      /\b(?:writefile|readfile|edit|load_extension|fts3_tokenizer)\s*\(/i,
      /\n\s*\./,
      /\b(?:attach|vacuum\s+into)\b/i,
    ],
  },
  psql: {short: 'cfoL', valued: 'cdfFhLopPRTUv', long: 'command file output log-file', words: [/\\!/, /\bcopy\b/i]},
  curl: {
    short: 'oOKTFcDEJxn',
    valued: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    long: `output output-dir remote-name remote-name-all config upload-file form cookie-jar dump-header cert trace trace-ascii libcurl stderr etag-save hsts netrc netrc-file unix-socket abstract-unix-socket proxy preproxy socks key expand proto-default doh-url dns-servers variable connect-to resolve engine alt-svc`,
    words: [/^@/, /=@/, /^-d@/, /%output\{/, /^(?:--url=)?(?:file|scp|sftp|smb|dict|gopher|ldap|telnet|tftp):/i],
  },
  wget: {
    kind: 'write',
    short: 'OoaPie',
    valued: 'OoaPieQtTUDIXlAR',
    long: `output-document output-file append-output directory-prefix input-file execute use-askpass config post-file body-file save-cookies load-cookies warc-file rejected-log`,
  },
  npm: {
    short: 'C',
    words: [/^pkg$/, /^set-script$/, /^token$/, /^innit$/],
    long: 'script-shell node-options userconfig globalconfig git shell editor viewer browser prefix registry cache init-module onload-script',
    subcommands: 'exec x config c set explore edit init create',
  },
  pnpm: {short: 'C', long: 'script-shell shell-emulator config dir registry', subcommands: 'dlx exec config create init'},
  yarn: {long: 'cwd use-yarnrc registry', subcommands: 'dlx exec config create init set plugin'},
  pip: PIP,
  pip3: PIP,
  go: {
    words: [
      /^(?:generate|tool|bug|telemetry)$/,
      /^-w$/,
      /^[\w./-]+@/,
      /^--?(?:toolexec|exec|vettool|overlay|modfile|C|o|pkgdir|cpuprofile|memprofile|trace|outputdir)(?:=|$)/,
      /-extld=|-extldflags|-linkmode|-fplugin|-wrapper/,
    ],
  },
  cargo: {short: 'CZ', valued: 'CZjpF', long: 'config lockfile-path', words: [/^\+/]},
  eslint: {
    short: 'cof',
    valued: 'cof',
    long: 'init rulesdir config plugin resolve-plugins-relative-to output-file format parser cache-location cache-file',
  },
  prettier: {long: 'plugin plugin-search-dir config with-node-modules cache-location'},
  pytest: {
    short: 'pco',
    valued: 'pcokmnW',
    long: 'pdbcls pastebin cov-config rootdir confcutdir basetemp junit-xml junitxml override-ini import-mode',
  },
  apt: APT,
  'apt-get': APT,
  openssl: {words: [/^-(?:out|engine|provider|provider-path|config|keyout|writerand|in|CAfile|rand)$/]},
  docker: CONTAINERS,
  podman: CONTAINERS,
};
