/** Lines that nobody writes, by what is too much of. Each is built as long as it is asked for, in characters. */
export function hostileLines(size: number): readonly (readonly [name: string, line: string])[] {
  return [
    ...REPEATED.map((piece) => [piece, fill(piece, size)] as const),
    ...INSIDE.map(([head, piece, tail]) => [`${head}${piece}…${tail}`, `${head}${fill(piece, size - head.length - tail.length)}${tail}`] as const),
    ...NESTED.map(([open, close]) => [`${open}…${close}`, nested(open, close, size)] as const),
    ...Object.entries(COUNTED).map(([name, piece]) => [name, counted(piece, size)] as const),
  ];
}

function fill(piece: string, size: number): string {
  return piece.repeat(Math.max(1, Math.floor(size / piece.length)));
}

function nested(open: string, close: string, size: number): string {
  const times = Math.floor(size / (open.length + close.length));
  return `${open.repeat(times)}a${close.repeat(times)}`;
}

function counted(piece: (at: number) => string, size: number): string {
  let text = '';
  for (let at = 0; text.length < size; at += 1) text += piece(at);
  return text.slice(0, size);
}

const REPEATED = [
  '$(', '((', '(', '{', '{ ', '[[ ', '[[ a && ', 'a[', '`', '"', "'", '\\', '"$(', '${', '${a:-', '$((', '<(', '>(', '$[', '$"', "$'",
  'if ', 'if a; then ', 'while a; do ', 'for a in b; do ', 'for ((;;)); do ', 'case a in b) ', 'select a in b; do ', 'a() { ', 'function a { ', 'coproc ', '! ', 'time ',
  'a;', 'a&', 'a|', 'a&&', 'a||b;', 'a\n', ';', '&', '|', '\n', ' ', '#', '#\n', 'a #b\n', '\\\n', 'a \\\n', '\t', '\r', '\0',
  ' > x', ' 2>&1', ' <<<a', ' >&a', ' {a}>b', ' &>x', ' <a', ' <>a', '>', '<', '<<', '<<A ', '<<A\n', '<<A <<B ', '<<-A\nA\n', 'cat <<A\n$(a)\nA\n', "cat <<'A'\nb\nA\n",
  'a=b ', 'a=b;', 'a+=b ', 'a=(b) ', 'a[1]=b ', 'a[b]=c ', 'a=$b ', 'a=$(b) ', 'PATH=a ', 'export a=b;', ';export A=b', 'declare -x a=b;', 'local a=b ', 'readonly a;',
  '*', '?', '[', '[a-z]', '[!a]', '@(a|b)', '+(a)', '!(a)', ' *', ' .e*', ' .?nv', ' [.]env', ' */*', ' **/', ' .*/.*', ' ~/a', ' ~a', ' ~', ' ~/.s*', ' ../', ' ../a', ' /a', ' /', ' //', ' ./', 'a/', '../', './', '/..',
  '{a,b}', '{a,b} ', '{a,b,c,d} ', '{1..9}', '{1..9} ', '{{{a,b},c},d} ', ' {a}', '{a', 'a}', ',', '{,', '{,}', '{,},', '{a},b} ', 'a{b,c}d{e,f}g{h,i} ',
  '$x ', '$x', '$@', '"$@" ', '$1', '$$', '$?', '${x} ', '${x}', '${x:-a}', '${x:-$y} ', '${x//a/b} ', '${x@P}', '${!x} ', '${#x}', '${a[b]} ', '${a[@]}', '${x:1:2}', '$((1+1)) ', '$((a[b]))', '$(a) ', '$(a)', '`a` ', '"$(a)"', '"`a`" ', '"$x" ', "'a' ", '"a" ', "$'\\n' ", '\\a', '\\ ', "a'b'", '"a"b', "''", '""',
  'sh -c a;', 'sh -c "a" ', "sh -c '", "bash -c 'a;b';", 'eval a;', "eval 'a b';", 'env ', 'env a=b ', 'env -S "a b" ', 'env -i ', 'sudo ', 'sudo -u a ', 'nice ', 'nice timeout 5 ', 'nohup ', 'xargs ', 'xargs -n 1 ', 'xargs -I {} ', 'timeout 1 ', 'command ', 'exec ', 'builtin ', 'stdbuf -o0 ', 'setsid ', 'ssh ', 'ssh a ', 'docker run a ', 'npm exec ', 'npx ', 'poetry run ', 'busybox ', 'watch ', 'trap a EXIT;', "trap 'a' EXIT;", 'parallel ', 'script ', 'su ', 'chroot a ', 'time -p ', 'doas ', 'strace ', 'flock a ', 'ionice ', 'unshare ', 'find . -exec ', 'find . -exec a {} ; ', 'git -c a=b ', 'git -c alias.a=!b ', 'git -C a ', 'make -C a ',
  'cat ../', 'cat .env ', 'cat .env;', 'cat *.e*;', 'rm -rf /;', 'rm -rf ../..;', 'rm -rf *;', 'cd a;', ';cd a', 'cd ..;', 'pushd a;', 'cd /;cat ../a b ../c;', 'ls a b c;', 'ls a b c d e f g h;', 'grep -r a b;', 'grep -rn a .;', 'cp -r a b;', 'tar cf a b;', 'sed s/a/b/;', "sed -e 's/a/b/' ", "sed 's/a/b/;w x' c;", "awk '{print}' a;", "awk 'BEGIN{system(1)}';", 'find a -name b;', 'git log;', 'git commit -m "x; y";', 'git push origin a;', 'npm i a;', 'chmod 777 a;', 'curl -d@a b;', 'dd if=a of=b;', 'python -c "a";', 'node -e "a";', 'perl -e "a";', 'a --file=b ', 'a -Ix ', '-a ', '--a ', '--a=b ', '--recursive ', '-rf ', '-- ', 'a@b ', 'a=b=c ', 'a:b ',
  ';for v in a b c d e f; do cat "$v"; done', ';for v in a b; do for w in c d; do cat "$v$w"; done; done', ';for v in $x; do a; done', ';for v in *.ts; do cat $v; done', ';while a; do b; done', ';until a; do b; done', ';if a; then b; fi', ';case a in b) c;; *) d;; esac', ';[[ a == b ]]', ';[[ -f a && -d b ]]', ';[ -f a ]', ';test a -eq b', ';(a)', ';{ a; }', ';a() { b; }', ';((a=1))', ';let a=1', ';for ((i=0;i<1;i++)); do a; done', ';coproc a', ';a <(b)', ';a > >(b)', ';select a in b; do c; done',
  ' . -print0 | xargs -0 cat | find', ' -print0 | xargs -0 cat | find a b c d', ';find . -print0 | xargs -0 cat', ';rg -l0 a | xargs -0 cat',
  'é', '😀', 'e\u0301', '\u200b', '\u202e', '\ud800', 'é;', ' é', '\u00a0', '\u{e0041}', '👨‍👩‍👧 ', 'ﬀ ', 'ENV~1 ', '.ENV~1/',
  ' HEAD~1', ' a..b', ' :(a)b', ' @{u}', ' --grep=a', ' -m a', ' -e a', ' -f a', ' -name a', ' -name *', ' -o -name a', ' ( -name a )', ' \\( -a \\)', ' ! -name a', ' -newer a', ' +', ' ;', ' \\;', ' -I{}', ' -exec ls {} +', " -exec sh -c 'a' \\;", ' -ok a',
] as const;

const INSIDE: readonly (readonly [string, string, string])[] = [
  ['echo ', 'a', ''], ['', 'a', ''], ['cat ', '/', ''], ['cat ', '*', ''], ['cat ', 'a*', ''], ['cat ', 'a/', ''], ['cat ', '../', ''], ['cat ', '?', ''], ['cat ', '[', ''], ['cat ', '[a', ']'], ['cat ', '*a', 'b'], ['cat .', '*', 'env'], ['cat ', '.*/', ''],
  ['x=', 'a', ''], ['x=(', 'a ', ')'], ['x=(', '$(a) ', ')'], ['x=(', '[1]=a ', ')'], ['declare -A x=(', '[a]=b ', ')'], ['x="', 'a', '"'], ['x="', '$(a)', '"'], ['x=$(', 'a;', ')'], ['PATH=', 'a:', ' b'], ['x=', '~/:', ''],
  ['echo "', 'a', '"'], ['echo "', '\\"', '"'], ['echo "', '$x', '"'], ['echo "', '`a`', '"'], ["echo '", 'a ', "'"], ["echo '", '(', "'"], ["echo $'", '\\x41', "'"], ["echo $'", '\\u00e9', "'"], ['echo "${x:-', '{', '}"'],
  ['echo {', 'a,', '}'], ['echo {', '{a,b},', '}'], ['echo ', '{a,b}', ' {1..100000}'], ['echo {', '1..', '9}'], ['', '{echo,', '}'],
  ['echo $((', '1+', '1))'], ['echo $((', '(', '1))'], ['echo $((', 'a[b]+', '1))'], ['((', 'a=1,', 'b=2))'], ['((', '!', '1))'], ['((', '1?2:', '3))'], ['let ', 'a=1 ', ''],
  ['[[ a ', '&& b ', ']]'], ['[[ a ', '|| ! b ', ']]'], ['[[ a =~ ', '(', ' ]]'], ['[[ a =~ ', '(a|b)', ' ]]'], ['[[ ', '( ', 'a ]]'], ['[ a ', '-a b ', ']'],
  ['case a in ', 'b) c;; ', 'esac'], ['case a in ', 'b|', 'c) d;; esac'], ['case a in ', 'b) $(c);; ', 'esac'], ['case ', 'a', ' in b) c;; esac'],
  ['for a in ', 'b ', '; do c; done'], ['for a in ', '$(b) ', '; do c; done'], ['for a in b; do ', 'c;', 'done'], ['for a in b c d e; do ', 'cat $a;', 'done'], ['for a in a b c d e f g h i j k l m n o p; do cat ', '$a ', '; done'], ['for abc in a b c d e f g h i j k l m n o p; do ', 'ls "$abc" ../x;', 'done'],
  ['if a; then b; ', 'elif c; then d; ', 'fi'], ['while a; do ', 'b;', 'done'], ['a() { ', 'b;', '}'], ['( ', 'a;', ')'], ['{ ', 'a;', '}'],
  ['cat <<A\n', 'a', '\nA'], ['cat <<A\n', 'a\n', 'A'], ['cat <<A\n', '$(b)\n', 'A'], ['cat <<A\n', '$x ', '\nA'], ['cat <<A\n', '`b`', '\nA'], ["cat <<'A'\n", '$(b)\n', 'A'], ['cat <<-A\n', '\ta\n', '\tA'], ['bash <<A\n', 'a;', '\nA'], ['cat <<A\n', '$((1+', '\nA'], ['cat <<A\n', '${a:-', '\nA'],
  ['a <(', 'b;', ')'], ['a <(', 'b <(c);', ')'], ['diff ', '<(a) ', ''], ['tee ', '>(a) ', ''],
  ["sh -c '", 'a;', "'"], ["sh -c '", 'ls ../a;', "'"], ['sh -c "', '$(a);', '"'], ["eval '", 'a;', "'"], ['sudo sh -c "', 'a;', '"'], ["ssh h '", 'a;', "'"], ["ssh h '", 'a b c d;', "'"], ["ssh h ", "'a b' ", ''], ['ssh h ', "'ls ../a; rm b' ", ''], ['docker run x ', "'a;b;c' ", ''], ["git -c alias.x='!", 'a;', "' x"], ["find . -exec sh -c '", 'a;', "' \\;"], ["xargs sh -c '", 'a;', "'"], ["trap '", 'a;', "' EXIT"], ["env -S '", 'a ', "'"], ["watch '", 'a;', "'"], ["npx -c '", 'a;', "'"], ["parallel '", 'a b;', "'"], ["poetry run '", 'ssh "a b" ', "'"],
  ['ls ', '-a ', ''], ['ls ', '-', 'a'], ['ls -', 'a', ''], ['rm -', 'rf', ' /'], ['rm ', '-r ', '/'], ['rm ', '-rf ', '/ ../../..'], ['rm ', 'a ', '../..'], ['rm ', '../a ', ''], ['rm ', '/a ', ''], ['rm ', '/a* ', ''], ['rm ', '*/ ', ''], ['rm --', 'a', ''], ['git ', '-C a ', 'push'], ['git ', '-c a=b ', 'push'], ['git ', '--no-pager ', 'log'], ['git log ', '-- ', ''], ['git log ', '--format=a ', ''], ['npm ', '--prefix a ', 'i'], ['docker ', '--context a ', 'push'], ['kubectl ', '-n a ', 'delete'],
  ['find ', 'a ', '-print0 | xargs -0 cat'], ['find . ', '-name a ', ''], ['find . ', '-exec a ', ';'], ['find . ', '-o ', ''], ['find ', '../a ', '-delete'], ['find . ', "-exec 'a b' ", ';'], ['find . -exec ', 'a ', '{} +'], ['find . -exec ', '{} ', ';'], ['find . ', '-exec ls ../a {} + ', ''],
  ['xargs ', '-a ', 'b'], ['xargs -I a ', 'a ', ''], ['xargs -I a cat ', 'aa', ''], ['env ', 'a=b ', 'c'], ['env ', '-u a ', 'c'], ['env ', '-i ', 'sh -c a'], ['sudo ', '-u a ', 'b'], ['sudo ', 'a=b ', 'c'], ['timeout ', '-k 5 ', '5 a'], ['nice ', '-n 5 ', 'a'],
  ['sed ', '-e s/a/b/ ', 'c'], ["sed '", 's/a/b/;', "' c"], ["sed '", '{', "' c"], ["sed 's/", 'a', "/b/' c"], ["sed '", 'y/a/b/\n', "' c"], ["awk '", '{a}', "' c"], ["awk '", 'system(', "' c"], ["awk '", '"a" | ', "' c"], ['grep ', '-e a ', 'b'], ['grep ', '--include=a ', 'b'], ['grep -r ', 'a ', '..'], ['grep -r a ', '.e* ', ''], ['cat ', '.e* ', ''], ['cat ', '../.e* ', ''], ['cat ', '../*/.??v ', ''], ['cat ', '[.]*/a* ', ''], ['cat ', 'a/../../b ', ''], ['cat ', '~/.ssh/* ', ''], ['cp ', '*/.git* ', 'a'],
  ['cd a;', 'cat ../b;', ''], ['cd a; cd b; ', 'cat ../b ../c;', ''], ['cd a; cd b; cat ', '../b ', ''], ['cd a; cd b; cat ', '*/../b* ', ''], ['cd a;cd b;rm ', '../*a ', ''], ['cd ', 'a/', ';cat b'], ['cd a; echo ', '> ../b ', ''], ['cd a; cd b; ', '> ../b* ', ''],
  ['echo a ', '> b ', ''], ['echo a ', '>> ../b ', ''], ['echo a ', '< b* ', ''], ['echo a > ', '../', ''], ['echo a > ', 'b', ''], ['echo a ', '2>&1 ', ''], ['echo a > ', '*', ''],
  ['tar xf a ', '-C b ', ''], ['tar ', '--to-command=a ', ''], ['rsync ', '-e a ', 'b c'], ['curl ', '-o a ', 'b'], ['curl ', '-d@a ', 'b'], ['curl ', '-H a:b ', 'c'], ['dd ', 'of=a ', ''], ['chmod ', '777 ', 'a'], ['chmod ', 'a+rwx,', ' a'], ['make ', '-C a ', ''], ['npm ', 'i ', ''], ['python ', '-m a ', ''], ['node ', '-r a ', ''], ['export ', 'a=b ', ''], ['export ', 'a=$b ', ''], ['export ', 'a ', ''], ['declare ', '-x a=b ', ''], ['alias ', 'a=b ', ''], ['unset ', 'a ', ''], ['set ', '-o a ', ''], ['source ', 'a ', ''], ['printf ', '%s ', ''], ['test ', 'a = b ', ''], ['read ', 'a ', ''], ['echo ', '$x ', ''], ['echo ', '"$x" ', ''], ['rm ', '"$x" ', ''], ['rm ', '$x ', ''], ['', '$x ', ''], ['git push ', '$x ', ''],
];

const NESTED: readonly (readonly [string, string])[] = [
  ['$(', ')'], ['(', ')'], ['{ ', ';}'], ['"$(', ')"'], ['<(', ')'], ['echo $(echo ', ')'], ['${a:-', '}'], ['"${a:-', '}"'], ['$((', '))'], ['((', '))'], ['$[', ']'], ['[[ ( ', ' ) ]]'], ['{a,', '}'], ['{', ',b}'], ['@(', ')'], ['if a; then ', ';fi'], ['while a; do ', ';done'], ['for a in b; do ', ';done'], ['for x in $(', ');do y;done'], ['case a in b) ', ';;esac'], ['case $(', ') in a) ;;esac'], ['a() { ', ';}'], ["sh -c '", "'"], ['sh -c "', '"'], ["eval $'", "'"], ['x=(', ')'], ['x=$(', ')'], ['! ( ', ' )'], ['time ( ', ' )'], ['coproc { ', ';}'], ['`', '`'], ["'", "'"], ['a[', ']=b'], ['$((a[', ']))'], ['function f { ', ';}'], ['( ( ', ' ) )'], ['a <<A\n$(', ')\nA\n'],
];

const COUNTED: Readonly<Record<string, (at: number) => string>> = {
  'other words': (at) => `w${at} `,
  'other commands': (at) => `c${at};`,
  'other commands with paths': (at) => `c${at} ../p${at} q${at};`,
  'other globs': (at) => `*${at}? `,
  'other assignments': (at) => `v${at}=${at} `,
  'other variables': (at) => `$v${at} `,
  'other folders': (at) => `cd d${at};cat f${at};`,
  'other documents': (at) => `cat <<E${at}\nx\nE${at}\n`,
  'other loops': (at) => `for v${at} in a b c d; do cat $v${at}; done;`,
  'other redirects': (at) => `echo a > f${at};`,
  'other functions': (at) => `f${at}() { g${at}; };`,
  'other options': (at) => `-o${at} --opt${at}=v${at} `,
  'growing words': (at) => `${'a'.repeat(at % 300)} `,
  'growing quotes': (at) => `"${'a'.repeat(at % 300)}" '${'b'.repeat(at % 200)}' `,
};
