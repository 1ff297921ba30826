import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readLine} from '../../../src/policy/shell/shell-line.ts';

const commandsOf = (line: string): string[] =>
  readLine(line).commands.map(
    ({words, role}) => `${role === 'plain' ? '' : `${role} `}${words.map((word) => word.value ?? '?').join('|')}`,
  );
const unclearOf = (line: string): string[] => readLine(line).unresolved.map(({hides, reason}) => `${hides}: ${reason}`);

describe('readLine', () => {
  it.each([
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for x in $(a); do b; done; while c; do d; done; until e; do f; done', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['case $(a) in b) c;; *) d;; esac', ['a', 'c', 'd']],
    ['{ a; }; ( b ); ! c; time d', ['a', 'b', 'c', 'd']],
    ['f() { a; }; coproc b; c <(d) >(e)', ['a', 'b', 'c|/dev/fd/63|?', 'd', 'e']],
    ['a "$(b `c`)" ${x:-$(d)} $(( $(e) )) <<< $(f)', ['a|?|?|?', 'b|?', 'c', 'd', 'e', 'f']],
    ['a <<E\n$(b)\nE', ['a', 'b']],
    ["a <<'E'\n$(b)\nE", ['a']],
    [`l\\s "a b" $'c\\td' 'e'f`, ['ls|a b|c\td|ef']],
    ['{a,b} x{c,d}', ['a|b|xc|xd']],
    ['a # b; c', ['a']],
  ])('finds the commands of %j', (line, commands) => {
    expect(commandsOf(line)).toEqual(commands);
  });

  it.each([
    ['env -i A=1 a b', ['wrapper env|-i|A=1|a|b', 'a|b']],
    ['env %A=1 =2 é+=3 a b', ['wrapper env|%A=1|=2|é+=3|a|b', 'a|b']],
    ['timeout -k 1 5m nice -n5 nohup a', ['wrapper timeout|-k|1|5m|nice|-n5|nohup|a', 'wrapper nice|-n5|nohup|a', 'wrapper nohup|a', 'a']],
    ['command exec -a x builtin a', ['wrapper command|exec|-a|x|builtin|a', 'wrapper exec|-a|x|builtin|a', 'wrapper builtin|a', 'a']],
    ['xargs -0 -n 1 a', ['wrapper xargs|-0|-n|1|a', 'a|?']],
    ['xargs -I{} a {} b', ['wrapper xargs|-I{}|a|{}|b', 'a|?|b']],
    ['sudo -u root A=1 a', ['sudo|-u|root|A=1|a', 'a']],
    ['bash --norc -euc "a; b" x', ['wrapper bash|--norc|-euc|a; b|x', 'a', 'b']],
    ['eval a "b; c"', ['wrapper eval|a|b; c', 'a|b', 'c']],
    ['find . -exec a {} + -ok b \\;', ['find|.|-exec|a|{}|+|-ok|b|;', 'guess a|?', 'guess b']],
    ['flock -n f a; script -qc "b c" /dev/null', ['flock|-n|f|a', 'a', 'script|-qc|b c|/dev/null', 'b|c']],
    ['tmux new a', ['tmux|new|a', 'guess new|a', 'guess a']],
    ['command -v a', ['command|-v|a']],
  ])('looks behind the wrappers of %j', (line, commands) => {
    expect(commandsOf(line)).toEqual(commands);
  });

  it.each([
    ['$a b', ['command: which program runs is known to the shell alone']],
    ['a"$b" c', ['command: which program runs is known to the shell alone']],
    ['/b?n/s*do', ['command: which program runs is known to the shell alone']],
    ['a "b', ['command: cannot be read: unterminated double quote']],
    ['a | bash', ['command: a shell that runs what it is fed']],
    ['bash -i -c a', ['command: the option -i of a shell']],
    ['eval $a', ['command: the line that eval runs is not known']],
    ['env -S "a b"', ['command: an option of env that is not known here']],
    ['env %A=1 a', ['command: sets %A, which can change what runs']],
    ['source a', ['command: runs a file as a part of this line']],
    ['a() { b; }', ['command: defines a function, which can replace a command']],
    ['PATH=. a', ['value: sets PATH, which can change what runs']],
    ['echo ${a@P} ${!b} ${c[$d]} ${e:=f}', expect.arrayContaining([expect.stringContaining('value: ')])],
    ["[[ -v 'a[$(b)]' ]]", ['value: asks for a variable, whose subscript is run as code']],
    ['cat <<E\n$a\nE', ['value: a here-document that the shell expands']],
    ['ls \u202ea', ['command: has an invisible or control character (U+202E)']],
    ['ls\u00a0a', ['command: has an invisible or control character (U+00A0)']],
    ['echo ok 🚀 ⚠️ 👩‍💻 é', []],
    ['x=1; echo "$x" ${x:-y} ${#x} $((1 + 2)) > /dev/null', []],
    ['set -euo pipefail', []],
  ])('says what cannot be known of %j', (line, unresolved) => {
    expect(unclearOf(line)).toEqual(unresolved);
  });

  it('reads back every word that is quoted', () => {
    const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(fc.string({unit: 'grapheme-ascii', minLength: 1}), {minLength: 1, maxLength: 6}), (words) => {
        expect(readLine(`x ${words.map(quoted).join(' ')}`).commands[0]?.words.map((word) => word.value)).toEqual(['x', ...words]);
      }),
    );
  });

  // Else a rule would be compared with the wrong words; found by test/fuzz.
  it.each([
    ['a x"$@"', ''],
    ['a x"${y%$@}"', ''],
    ['a x"${y:-"${z[@]}"}"', ''],
    ['a x"${y%@*}"', 'x'],
    ['a x"$y"', 'x'],
  ])('%s: the beginning of a word is known where it becomes one word', (line, prefix) => {
    expect(readLine(line).commands[0]?.words.map((word) => word.prefix)).toEqual(['a', prefix]);
  });

  it.each([
    ["$'a\\\nb'", undefined],
    ["$'a\nb'", 'a\nb'],
    ["$'a\\tb'", 'a\tb'],
    ['"a\\\nb"', 'ab'],
  ])("bash keeps the backslash at the end of a line in `$'…'` alone: %j", (word, value) => {
    expect(readLine(`x ${word}`).commands[0]?.words[1]?.value).toBe(value);
  });

  it.each([
    [String.raw`$'\u00e9'`, undefined],
    [String.raw`$'\U0001f600'`, undefined],
    [String.raw`$'\u41'`, 'A'],
    ["$'é'", 'é'],
  ])('a letter given by its number is known where every locale has it: %s', (word, value) => {
    expect(readLine(`x ${word}`).commands[0]?.words[1]?.value).toBe(value);
  });

  it.each([
    ['((a |& b;\n <<"E F" c\n`d`\nE F\n) )', true],
    ['((1 << 2))\na', false],
    ['( (a <<E\nb\nE\n) )', false],
    ['echo $((1 << 2))\na', false],
  ])('bash loses a here-document in `((` that is not arithmetic: %j', (line, lost) => {
    expect(unclearOf(line).some((text) => text.includes('reads first as arithmetic'))).toBe(lost);
  });

  it.each([
    ['a $\'b\'$\\\n"c"', 'a line break after $'],
    [`a "\${x%'}'"`, 'quotes in the pattern of a variable'],
    ['a \\ <(b)', 'an escaped blank before a substitution'],
    ['a=(b)c d', 'text that joins a list in brackets'],
  ])('%j is taken apart by bash in its own way', (line, reason) => {
    expect(unclearOf(line)).toContain(`command: ${reason}`);
  });

  it('a dash ends the options of a shell', () => {
    expect(commandsOf("bash -c - 'a b'")).toEqual(['wrapper bash|-c|-|a b', 'a|b']);
  });
});
