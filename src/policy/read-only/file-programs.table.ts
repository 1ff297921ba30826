import type {ReadOnlyTable} from './command-form.ts';

const CHECKSUM = {flags: 'bctwz', long: 'binary check text zero tag ignore-missing quiet status strict warn'};
const BINUTILS = {refuse: /^@/};
const COMPRESSED = {flags: 'l', long: 'list', needs: /^(?:-l\w*|--list)$/};

/** Programs that show files: text, data, archives, binaries. The comment after each form names the manual of its options. */
export const READ_ONLY_FILE_PROGRAMS: ReadOnlyTable = {
  // coreutils(1) › md5sum, sha1sum, sha2, b2sum
  'md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum': CHECKSUM,
  b2sum: {...CHECKSUM, values: 'l'},
  // cksum(1), sum(1)
  cksum: {flags: 'cz', values: 'al', long: 'check raw untagged tag zero quiet status', longValues: 'algorithm length'},
  sum: {flags: 'rs', long: 'sysv'},
  // shasum(1p)
  shasum: {flags: 'bctUp', values: 'a', longValues: 'algorithm', long: 'check'},
  // od(1), hexdump(1), xxd(1): a second operand of xxd is written
  od: {
    flags: 'abcdfhilosvx',
    values: 'AjNtwS',
    long: 'traditional output-duplicates',
    longValues: 'address-radix skip-bytes read-bytes format strings width',
  },
  'hexdump, hd': {flags: 'bcCdovxX', values: 'ns'},
  xxd: {flags: 'abCeEipur', values: 'cglos', noRisks: true},
  // strings(1)
  strings: {
    flags: 'adfw',
    values: 'nteTs',
    long: 'all data print-file-name include-all-whitespace',
    longValues: 'bytes radix encoding',
    words: /^-\d+$/,
    ...BINUTILS,
  },
  // column(1), fold(1), fmt(1), expand(1), pr(1), paste(1), join(1), tsort(1), numfmt(1), factor(1)
  column: {
    flags: 'tnxeJ',
    values: 'csoNRHOWd',
    long: 'table',
    longValues: 'separator output-separator columns table-columns table-right table-hide json',
  },
  fold: {flags: 'bs', values: 'w', long: 'bytes spaces', longValues: 'width', words: /^-\d+$/},
  fmt: {flags: 'cstu', values: 'wgp', long: 'crown-margin split-only uniform-spacing', longValues: 'width goal prefix', words: /^-\d+$/},
  'expand, unexpand': {flags: 'ia', values: 't', long: 'initial all first-only', longValues: 'tabs', words: /^-\d+$/},
  pr: {flags: 'acdfFmrtTvJ', values: 'DehilnNoSsWw', words: /^[-+]\d+$/},
  paste: {flags: 'sz', values: 'd', long: 'serial zero-terminated', longValues: 'delimiters'},
  join: {flags: 'iz', values: '12aejotv', long: 'ignore-case check-order nocheck-order header zero-terminated'},
  tsort: {},
  numfmt: {
    values: 'd',
    flags: 'z',
    long: 'header debug grouping',
    longValues: 'to from from-unit to-unit field format padding round suffix delimiter invalid',
    operands: 'names',
  },
  factor: {flags: 'h', operands: /^\d+$/},
  expr: {operands: 'names'},
  // base64(1), base32(1), basenc(1)
  'base64, base32': {flags: 'di', values: 'w', long: 'decode ignore-garbage', longValues: 'wrap'},
  // shuf(1), iconv(1), sdiff(1), diff3(1): not the options that name a file to write
  shuf: {flags: 'erz', values: 'ni', long: 'echo repeat zero-terminated', longValues: 'head-count input-range'},
  iconv: {flags: 'cls', values: 'ft', long: 'list silent', longValues: 'from-code to-code'},
  sdiff: {flags: 'iEZbWBatdsl', values: 'Iw', long: 'suppress-common-lines ignore-case ignore-all-space', longValues: 'width'},
  diff3: {flags: 'aAeEimTxX3'},
  colordiff: {flags: 'abBdeiqrstuwNy', values: 'UC', long: 'recursive brief unified side-by-side ignore-all-space'},
  // gzip(1) › zcat, xz(1) › xzcat, bzip2(1) › bzcat, zgrep(1)
  'zcat, gzcat, bzcat, xzcat, zstdcat': {flags: 'fq'},
  'zgrep, zegrep, zfgrep': {flags: 'chHilLnoqsvwxEFG', values: 'ABCem', words: /^-\d+$/, long: 'ignore-case count line-number'},
  rev: {flags: '0', long: 'zero'},
  // less(1), more(1): neither writes a log nor runs a command from its arguments
  less: {flags: 'FNRSXMEeirs', noRisks: true},
  more: {flags: 'dlfpcsu', noRisks: true},
  // bat(1): without a pager or configuration of the line
  'bat, batcat': {
    flags: 'pnAPfSu',
    values: 'lrHm',
    long: 'plain number show-all force-colorization list-themes list-languages diff',
    longValues: 'style color decorations paging language line-range highlight-line theme wrap tabs terminal-width',
    refuse: /pager|config|^--paging=always/,
  },
  // sed(1), awk(1): their scripts are read by sed-risks.ts and awk-risks.ts
  'sed, gsed': {
    flags: 'nErsuz',
    values: 'e',
    words: /^--(?:quiet|silent|regexp-extended|posix|debug|sandbox|null-data|unbuffered|separate)$/,
    noRisks: true,
  },
  'awk, gawk, mawk, nawk': {values: 'Fv', noRisks: true},
  // jq(1): no modules (-L), no files but the operands (-f, --rawfile, --slurpfile)
  jq: {
    flags: 'rcnsSMCaejR',
    long: 'raw-output raw-output0 raw-input compact-output null-input slurp sort-keys monochrome-output color-output ascii-output exit-status join-output tab seq stream unbuffered args jsonargs',
    longValues: 'indent',
    words: /^--arg(?:json)?$/,
    refuse: /(?<![.\w$])(?:import|include|modulemeta|input_filename|get_search_list|env|debug|halt_error)\b|\$ENV|\$__prog/,
    noRisks: true,
  },
  // yq, both programs of this name: no change in place, no files to write, no operators that load
  yq: {flags: 'ryPcMCeN', words: /^(?:e|eval|-o=?(?:json|yaml|props|xml|csv)|--output-format=(?:json|yaml))$/, noRisks: true},
  // xmllint(1): nothing from the network, no output file, no shell
  xmllint: {long: 'noout format nonet xmlout', longValues: 'xpath', noRisks: true},
  // fd(1), ag(1), locate(1)
  'fd, fdfind': {
    flags: 'HIsigalpu01',
    values: 'detES',
    long: 'hidden no-ignore case-sensitive ignore-case glob fixed-strings absolute-path list-details full-path print0 unrestricted',
    longValues: 'max-depth min-depth extension type exclude size max-results changed-within changed-before color',
    words: /^-\d+$/,
    noRisks: true,
  },
  ag: {
    flags: 'acilnQsSwvoruUfHt',
    values: 'ABCGm',
    words: /^--(?:ts|js|python|go|rust|cc|java|ruby|html|css|json|yaml|markdown)$/,
    long: 'hidden literal ignore-case files-with-matches count nocolor nogroup nofilename vimgrep',
    longValues: 'ignore depth max-count',
    noRisks: true,
  },
  'locate, plocate, mlocate': {flags: 'AbcewiN0', values: 'ln', operands: 'names', long: 'basename count existing ignore-case'},
  // tar(1): only `t`; no program, no other machine
  'tar, bsdtar': {
    flags: 'tvzjJaf',
    words: /^(?:t[vzjJaf]*|[vzjJa]*t[vzjJaf]*|--(?:list|verbose|gzip|bzip2|xz|zstd))$/,
    longValues: 'file strip-components exclude',
    needs: /^-?[vzjJaf]*t[vzjJaf]*$|^--list$/,
    noRisks: true,
  },
  // unzip(1), zipinfo(1): lists; -d, -o and the rest extract
  unzip: {flags: 'lvqZ1t', needs: /^-q*[lvZt]/, noRisks: true},
  zipinfo: {flags: '12smlvhtzT'},
  // gzip(1), xz(1), zstd(1), lz4(1)
  'gzip, gunzip, xz, unxz, zstd, lz4': COMPRESSED,
  // 7-Zip › l (List)
  '7z l, 7za l, 7zz l': {words: /^-(?:slt|ba|r)$/, ...BINUTILS},
  // ar(1) › t; jar(1) › --list
  'ar t, ar tv': {...BINUTILS},
  'jar tf, jar -tf, jar tvf, jar --list': {words: /^--file=\w[\w.-]*$/, ...BINUTILS},
  // nm(1), objdump(1), readelf(1), size(1), c++filt(1), otool(1): no plugin, no file of options
  nm: {
    flags: 'aAgDnrSuClPpovjs',
    long: 'demangle dynamic extern-only undefined-only defined-only print-size size-sort numeric-sort',
    ...BINUTILS,
  },
  objdump: {
    flags: 'adDfhprRsStTxCwzgGKl',
    values: 'jM',
    long: 'disassemble disassemble-all syms dynamic-syms headers section-headers all-headers demangle source line-numbers no-show-raw-insn',
    longValues: 'section start-address stop-address',
    ...BINUTILS,
  },
  'readelf, greadelf': {
    flags: 'aehlStsndruVgAWIC',
    values: 'xp',
    long: 'all file-header headers segments sections symbols dyn-syms notes relocs dynamic wide',
    ...BINUTILS,
  },
  size: {flags: 'ABdotGx', long: 'format common totals', ...BINUTILS},
  'c++filt': {flags: 'nirp', operands: 'names', ...BINUTILS},
  otool: {flags: 'LlhtvDIfao'},
  // getfacl(1), lsattr(1)
  getfacl: {flags: 'acdeEsRLPtpn', long: 'access default recursive omit-header tabular numeric'},
  lsattr: {flags: 'RVadlpv'},
  // exa(1), eza(1), lsd(1)
  'exa, eza, lsd': {
    flags: '1laAdFGhHimrRSstTUuxgB@',
    values: 'LI',
    long: 'all long tree git header oneline group-directories-first no-permissions no-user no-time icons grid across recurse only-dirs reverse',
    longValues: 'level sort ignore-glob color colour time time-style',
  },
  // cloc(1), tokei(1), scc(1)
  cloc: {
    long: 'by-file by-file-by-lang quiet json csv md yaml vcs progress-rate sum-one',
    longValues: 'exclude-dir include-lang exclude-lang exclude-ext include-ext',
    refuse: /^--vcs=(?!git$)/,
  },
  tokei: {flags: 'fh', values: 'est', long: 'files hidden', longValues: 'exclude sort type'},
  scc: {flags: 'abcdlmpwzS', values: 'iMns', long: 'by-file no-cocomo no-complexity wide', longValues: 'include-ext exclude-dir sort'},
};
