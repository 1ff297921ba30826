import {GLOBS_AND_BRACES, PLAIN, PROGRAM_FORMS} from './line-pieces.ts';
import type {Random} from './random.ts';

/** A random line of shell text, from a grammar of bash. Programs are `p1` … `p4` and `d1`; behind wrappers `w1`, `w2` and `dw`. No slashes. */
export function randomLine(random: Random): string {
  return new LineMaker(random).list(2);
}

/** The bodies of here-documents stand after the end of their line: they wait here until one comes. */
class LineMaker {
  private bodies: string[] = [];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  list(depth: number): string {
    const {random} = this;
    let text = this.pipeline(depth);
    for (let more = random.below(3); more > 0; more -= 1) {
      const joint = random.pick(['; ', ' && ', ' || ', ' & ', '\n', ';', '&&', '||\n', ' # c\n', ';\n\n', ' #;d1 x\n', '\t&&\t']);
      text += (joint.includes('\n') ? this.flushed(joint) : joint) + this.pipeline(depth);
    }
    return text + (this.bodies.length > 0 ? this.flushed('\n') : random.pick(['', '', '', ';', ' &', '\n', ' # d1']));
  }

  private flushed(joint: string): string {
    const at = joint.indexOf('\n') + 1;
    const bodies = this.bodies.join('');
    this.bodies = [];
    return joint.slice(0, at) + bodies + joint.slice(at);
  }

  private pipeline(depth: number): string {
    const {random} = this;
    const start = random.pick(['', '', '', '', '', '', '! ', 'time ', 'time -p ', '! time ']);
    let text = start + this.command(depth);
    while (random.chance(5)) text += random.pick([' | ', ' |& ', '|', ' |\n']) + this.command(depth);
    return text;
  }

  private command(depth: number): string {
    const {random} = this;
    if (depth <= 0 || !random.chance(4)) return this.simple(depth);
    const inner = (): string => this.closed(depth - 1);
    const made = random.pick<() => string>([
      () => `{ ${inner()}\n}`,
      () => `(${inner()})`,
      () => `( ${inner()} )`,
      () => `if ${inner()}\nthen ${inner()}\nfi`,
      () => `if ${inner()}\nthen ${inner()}\nelif ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`,
      () => `while ${inner()}\ndo ${inner()}\nbreak; done`,
      () => `until ! ${this.simple(0)}; do ${inner()}\nbreak; done`,
      () => `for v in ${this.words(depth)}; do ${inner()}\ndone`,
      () => this.knownLoop(),
      () => this.knownLoop(),
      () => `for v\ndo ${inner()}\ndone`,
      () => `for ((i=0;i<1;i++)); do ${inner()}\ndone`,
      () => `case ${this.word(depth)} in ${this.word(0)}) ${inner()}\n;; (*) ${inner()}\n${random.pick([';;', ';&', ';;&', ''])} esac`,
      () => `case in in in) ${inner()}\nesac`,
      () => `[[ ${this.test(depth)} ]]`,
      () => `(( ${this.arithmetic(depth)} ))`,
      () => `f1() { ${inner()}\n}; f1 ${this.word(0)}`,
      () => `function f2 { ${inner()}\n}`,
      () => `select v in a; do ${inner()}\nbreak; done`,
      () => `coproc ${this.simple(0)}`,
      () => `coproc NAME { ${inner()}\n}`,
    ])();
    return made + (random.chance(6) ? this.redirect(depth) : '');
  }

  /** A list with its here-documents ended: something may follow in the next line. */
  private closed(depth: number): string {
    const outer = this.bodies;
    this.bodies = [];
    const text = this.list(depth);
    this.bodies = outer;
    return text.replace(/ # d1$/, '');
  }

  private simple(depth: number): string {
    const {random} = this;
    let text = '';
    while (random.chance(8)) text += `${this.assignment(depth)} `;
    if (random.chance(12)) text += `${this.redirect(depth)} `;
    text += random.chance(12) ? this.wrapped(depth) : `${this.program()} ${this.words(depth)}`;
    if (random.chance(40)) return this.assignment(depth);
    while (random.chance(6)) text += this.redirect(depth);
    if (random.chance(10)) text += ` ${this.word(depth)}`;
    return text;
  }

  private program(): string {
    const {random} = this;
    if (random.chance(14)) {
      return random.pick(PROGRAM_FORMS);
    }
    return random.pick(['p1', 'p1', 'p2', 'p3', 'p4', 'd1', 'echo', 'true', 'test']);
  }

  private wrapped(depth: number): string {
    const {random} = this;
    const program = random.pick(['w1', 'w1', 'w2', 'dw']);
    const tail = `${program} ${this.words(0)}`;
    const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
    const made = random.pick<() => string>([
      () => `env A=b ${tail}`,
      () => `env ${random.pick(['-i PATH=$PATH n=$n ', '-u X ', '-- ', '-uX ', 'lc=1 B=2 '])}${tail}`,
      () => `env -S ${quoted(`${program} a`)}`,
      () => `env -S${quoted(`${program} a`)}`,
      () => `nice ${random.pick(['', '-n 5 ', '-5 ', '--adjustment=5 ', '-n5 ', '-- '])}${tail}`,
      () => `timeout ${random.pick(['5', '-k 1 5', '-s INT 5', '--signal=INT 5', '--foreground 5', '-k1 5s', '-v 5'])} ${tail}`,
      () => `nohup ${tail}`,
      () => `setsid ${random.pick(['', '-w ', '--wait '])}${tail}`,
      () => `stdbuf ${random.pick(['-o0', '-oL', '-o L', '--output=L', '-i0 -e0'])} ${tail}`,
      () => `command ${random.pick(['', '-p ', '-- '])}p1 ${this.words(0)}`,
      () => `command command d1 ${this.words(0)}`,
      () => `builtin command p2 ${this.words(0)}`,
      () => `exec ${random.pick(['', '-a z ', '-c ', '-l ', '-- '])}${tail}`,
      () => `eval ${quoted(this.closed(depth - 1))}`,
      () => `eval p1 ${this.words(0)}`,
      () => `bash ${random.pick(['-c', '-ec', '-c --', '-o pipefail -c', '--norc -c', '-xc', '+e -c'])} ${quoted(this.closed(depth - 1))}`,
      () => `sh -c "${program} a"`,
      () =>
        `xargs ${random.pick(['', '-n1 ', '-n 1 ', '-I{} ', '-I {} ', '-0 ', '-t ', '-P2 ', '-L 1 ', '-d x ', '-r ', '-i ', '-I% '])}${program} ${random.pick(['', 'a', '{}', '-x', '%'])} <<< ${this.word(0)}`,
      () => `find . -maxdepth 0 -exec ${program} a {} ${random.pick(['\\;', '+', "';'"])}`,
      () => `trap ${quoted('p1 trap')} EXIT`,
      () => `alias p1=d1`,
      () => `set -- d1 a`,
      () => `${random.pick(['export', 'declare', 'local', 'readonly', 'typeset'])} ${this.assignment(depth)}`,
      () => `printf -v x d1`,
      () => `read -r x <<< d1`,
      () => `cd ${random.pick(['.', 'sub', '..'])}`,
    ]);
    return made();
  }

  private assignment(depth: number): string {
    const {random} = this;
    return random.pick<() => string>([
      () => `x=${random.chance(2) ? this.word(depth) : ''}`,
      () => `lc=${this.word(depth)}`,
      () => `x+=${this.word(0)}`,
      () => `a=(${this.words(depth)})`,
      () => `a[${random.pick(['0', '1', 'x', '$x'])}]=${this.word(0)}`,
      () => `LC_ALL=${this.word(0)}`,
    ])();
  }

  /** A loop whose values the policy may put in. */
  private knownLoop(): string {
    const {random} = this;
    const value = (): string =>
      random.pick([
        'a',
        'p2',
        'd1',
        "'x y'",
        '"p3"',
        '-n',
        'o*',
        "'*'",
        '{k,l}',
        "''",
        '\\ ',
        'é',
        '~',
        '1',
        "d'1'",
        '$x',
        '"$@"',
        '[a]',
        '\\*',
      ]);
    const use = (): string =>
      random.pick([
        '$w',
        '"$w"',
        '${w}',
        '"${w}"',
        '$w.x',
        '"a$w"',
        '"$w$w"',
        '$w$w',
        'd$w',
        '"d${w}"',
        '${w}1',
        '"$u$w"',
        "'$w'",
        '${w:-q}',
        '${w#d}',
        '\\$w',
        'w',
        '-w',
        './w',
      ]);
    const change = random.chance(4)
      ? random.pick([
          'w=d1; ',
          'w+=1; ',
          'declare "w"=d1; ',
          "declare 'w'=p2; ",
          'export w; ',
          'read w <<< d1; ',
          'printf -v w d1; ',
          'let w=1; ',
          '((w=1)); ',
          ': ${w:=d1}; ',
          'unset w; ',
          'eval w"="d1; ',
          "w'x'=1; ",
          'w\\\n=d1; ',
        ])
      : '';
    const body = random.pick([
      `p1 ${use()} ${use()}`,
      `${use()} b`,
      `p3 ${use()} >${random.pick(['o1', '$w', '"$w"'])}`,
      `for u in ${value()}; do p4 ${use()} $u; done`,
    ]);
    return `for w in ${value()} ${value()} ${value()}; do ${change}${body}\ndone`;
  }

  private redirect(depth: number): string {
    const {random} = this;
    const file = (): string => random.pick(['o1', 'o2', '"o 3"', "'o4'", 'o\\5', 'o{6,7}', '$x', '"$lc"', 'o8*', '$(p1)', 'ö9']);
    return random.pick<() => string>([
      () => ` >${file()}`,
      () => ` > ${file()}`,
      () => ` 2>${file()}`,
      () => ` >>${file()}`,
      () => ` &>${file()}`,
      () => ` >&${file()}`,
      () => ` >|${file()}`,
      () => ` <>${file()}`,
      () => ` {fd}>${file()}`,
      () => ` 2>&1`,
      () => ` >&2`,
      () => ` 2>&-`,
      () => ` <${file()}`,
      () => ` >/dev/null`,
      () => ` &>>${file()}`,
      () => ` <<< ${this.word(depth)}`,
      () => this.heredoc(depth),
      () => this.heredoc(depth),
    ])();
  }

  private heredoc(depth: number): string {
    const {random} = this;
    const mark = random.pick(['E', "'E'", '"E"', '\\E', "E''", 'E$x', '"E F"', '$E']);
    const dash = random.chance(3);
    const end = mark.replaceAll(/['"\\]/g, '');
    const lines = random.pick<() => string>([
      () => 'text',
      () => '$(p3 here)',
      () => '`p3 here`',
      () => '$x ${lc:-$(p2 h)} $((1+1))',
      () => `E \n E\n\tE x`,
      () => '\\$(d1) \\`d1\\`',
      () => `a\\\nE`,
      () => `'$(p4 q)'`,
      () => (depth > 0 ? `$(${this.closed(depth - 1)})` : ')'),
    ])();
    const tab = dash && random.chance(2) ? '\t' : '';
    this.bodies.push(`${tab}${lines}\n${tab}${end}\n`);
    return ` <<${dash ? '-' : ''}${random.pick(['', ' '])}${mark}`;
  }

  private words(depth: number): string {
    let text = '';
    for (let more = this.random.below(4); more > 0; more -= 1)
      text += `${this.word(depth)}${this.random.pick([' ', ' ', ' ', '  ', '\t', ' \\\n '])}`;
    return text.trimEnd();
  }

  private word(depth: number): string {
    let text = this.atom(depth);
    while (this.random.chance(3)) text += this.atom(depth);
    return text;
  }

  private atom(depth: number): string {
    const {random} = this;
    if (random.chance(2)) {
      return random.pick(PLAIN);
    }
    if (random.chance(2)) return this.quoted(depth);
    if (random.chance(3)) {
      return random.pick(GLOBS_AND_BRACES);
    }
    return this.expansion(depth);
  }

  private quoted(depth: number): string {
    const {random} = this;
    return random.pick<() => string>([
      () => "'a b'",
      () => "''",
      () => '""',
      () => "'; d1 x #'",
      () => '"; d1 x #"',
      () => '"a $x b"',
      () => '"$(p2 q)"',
      () => '"`p2 q`"',
      () => '"\\$(d1) \\"d1\\" \\\\"',
      () => '"${x:-"a b"}"',
      () => `"\${x:-'a b'}"`,
      () => '"${x%\'}\'"',
      () => "$'a\\nb'",
      () => "$'\\x41\\101\\u00e9\\'\\cA'",
      () => "$'a\\x00b'",
      () => '$"loc $x"',
      () => '$"loc"',
      () => '\\ ',
      () => '\\;',
      () => '\\$x',
      () => '\\"',
      () => "\\'",
      () => '\\\\',
      () => '\\\n',
      () => "'it'\\''s'",
      () => '"a\\\nb"',
      () => '"$"',
      () => '"a"\'b\'c',
      () => '"$@"',
      () => '"${a[@]}"',
      () => '"x$@y"',
      () => (depth > 0 ? `"$(${this.closed(depth - 1)})"` : '"!"'),
      () => "'$(d1)'",
      () => "'`d1`'",
      () => '"\'"',
      () => "'\"'",
      () => '"\'$(p4 z)\'"',
      () => '"\\`p1\\`"',
      () => "$'\\'; d1 x; $\\''",
      () => '"#"',
      () => '"a\nb"',
      () => "'a\nb'",
    ])();
  }

  private expansion(depth: number): string {
    const {random} = this;
    const sub = (): string => (depth > 0 ? this.closed(depth - 1) : 'p2 s');
    return random.pick<() => string>([
      () => '$x',
      () => '${x}',
      () => `\${x:-${this.word(0)}}`,
      () => `\${x:+${this.word(0)}}`,
      () => `\${x:=${this.word(0)}}`,
      () => '${x#a*}',
      () => `\${x%${this.quoted(0)}}`,
      () => '${x//a/b}',
      () => `\${x/${this.quoted(0)}/${this.quoted(0)}}`,
      () => '${#x}',
      () => '${x:1:2}',
      () => '${x: -1}',
      () => '${x^^}',
      () => '$1',
      () => '$#',
      () => '$?',
      () => '$$',
      () => '$@',
      () => '$*',
      () => '$-',
      () => '$',
      () => '$%',
      () => '${x@Q}',
      () => '${!x}',
      () => '${a[0]}',
      () => '${a[@]}',
      () => '${x:-$(p2 dflt)}',
      () => '${x:-`p2 dflt`}',
      () => `$(${sub()})`,
      () => `$( ${sub()} )`,
      () => `$((${this.arithmetic(depth)}))`,
      () => '$[1+2]',
      () => '`p2 bq`',
      () => '`p2 \\`p3 nested\\``',
      () => '`p2 "\\$x" \\\\$x`',
      () => `<(${sub()})`,
      () => `>(${sub()})`,
      () => `$(p2 ')' ")" \\) # )\n)`,
      () => '$(case x in x) p2 c;; esac)',
      () => '$(case x in (x) p2 c;; esac)',
      () => '$(p2 <<E\n)\nE\n)',
      () => '$(<o1)',
      () => '$( (p2 s) )',
      () => '$((p2 s); p3 t)',
      () => '${x:-)}',
      () => '${x:-\\}}',
      () => "${x:-'}'}",
      () => '${x:-"}"}',
    ])();
  }

  private arithmetic(depth: number): string {
    return this.random.pick<() => string>([
      () => '1+1',
      () => '1 << 2',
      () => 'i < 3',
      () => '(1+2)*3',
      () => 'x=1',
      () => '$x+1',
      () => `$(p3 ar)+1`,
      () => '`p3 ar`',
      () => 'a[0]',
      () => 'a[$(p3 sub)]',
      () => '1 ? 2 : 3',
      () => '16#ff',
      () => (depth > 0 ? `\${x:-$(${this.closed(depth - 1)})}` : '0'),
      () => '1, 2',
      () => '" 1 "',
    ])();
  }

  private test(depth: number): string {
    return this.random.pick<() => string>([
      () => '-n x',
      () => `-f ${this.word(0)}`,
      () => '$x == a*',
      () => 'a = b && c != d',
      () => '( -z x ) || ! -e y',
      () => '$x =~ ^a+$',
      () => 'x =~ (a|b)',
      () => '1 -eq 2',
      () => `$(p4 tst) == ${this.word(depth)}`,
      () => 'a < b',
      () => "-v 'a[$(p4 sub)]'",
      () => "'a[$(p4 sub)]' -eq 1",
      () => 'x == "a b"*',
      () => 'x =~ [[:space:]]"a b"',
    ])();
  }
}
