import {describe, expect, it} from 'vitest';
import {isPlainAwk} from '../../../src/policy/risks/awk-program.ts';

const PLAIN = [
  '{print}',
  '{print $1}',
  '/system/ {print}',
  '/getline|close/ {print $2 "system(1)"}',
  '$3 > 100 {print $1, $3}',
  '$1 >= 5 && $2 != "x" || !($3 ~ /a\\/b/) {n++} END {print n+0}',
  '{s += $1} END {print s/NR, s / 2 / 3}',
  '{print ($1 > 2) ? "a" : "b"}',
  'BEGIN {FS=":"; OFS="\\t"} {print $1, $NF}',
  '{if ($1 > 5) /x/; print length($0)}',
  '{for (i = 1; i <= NF; i++) if ($i ~ /^[a-z]+$/) c[$i]++} END {for (w in c) print w, c[w]}',
  '{gsub(/[[:space:]]+/, " "); print}\n# done\nEND {printf "%d %s\\n", NR, FILENAME}',
  'NR==FNR {seen[$1]; next} !($1 in seen)',
  '!/^#/ && NF {print substr($0, index($0, "=") + 1)}',
  '{x = $2 > 3; print x}',
  // A slash behind a value divides: the rest is text.
  '{x = 1 /"/; system("id") #"\n}',
];

const RISKY = [
  '',
  '{system($1)}',
  '{system ("id")}',
  '{print > "f"}',
  '{print $1 >> "f"}',
  '{print $1, $2 > $3}',
  '{print ($1) > "f"}',
  '{print (1)(2) > "f"}',
  '{print a,\n b > "f"}',
  '{print a ||\n b > "f"}',
  '{if (x) print a > "f"}',
  '{if (x) /"/; system("id") #"\n}',
  '{f() /"/; system("id"); "/"}',
  '{x[1] /"/; system("id"); "/"}',
  '{i++ /"/; system("id"); "/"}',
  '/[/]/; {system("id")} /]/',
  '/a[/"]/ {print} {system("id")} "/',
  '{a = b /=/; system("id")}',
  '{print | "sh"}',
  '{print |& "sh"}',
  '{"id" | getline}',
  '{getline < "f"}',
  'BEGIN {while ((getline l < "f") > 0) print l}',
  '{x = "system"; @x("id")}',
  '@load "filefuncs"',
  '@include "x"',
  '{print ENVIRON["A"]}',
  'BEGIN {ARGV[1] = "f"}',
  '{print PROCINFO["pid"]}',
  '{print SYMTAB["x"]}',
  '{close("x")}',
  '{print a \\\n > "f"}',
  '# x \\\n {print}',
  '{awk::system("id")}',
  'function f(x) {return x} {print f(1)}',
  '{print "a" "b"} "unclosed',
  '{print `id`}',
  '{print)}',
];

describe('awk programs that only compute and print (issue 13.5; POSIX › awk)', () => {
  it.each(PLAIN)('plain: %j', (program) => {
    expect(isPlainAwk(program)).toBe(true);
  });

  it.each(RISKY)('not plain: %j', (program) => {
    expect(isPlainAwk(program)).toBe(false);
  });
});
