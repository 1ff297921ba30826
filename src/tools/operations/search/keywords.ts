/**
 * Returns the words of a sentence that are worth searching for: from four letters on, names of code first and
 * unchanged, in lower case, each once.
 */
export function keywordsOf(sentence: string): readonly string[] {
  const words = sentence.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu) ?? [];
  const ordered = [...words.filter(isCodeName), ...words.filter((word) => !isCodeName(word))];
  return [...new Set(ordered.map((word) => word.toLowerCase()))].filter((word) => !STOP_WORDS.has(word));
}

/** True for `snake_case`, `camelCase`, `PascalCase`. */
function isCodeName(word: string): boolean {
  return /_|\p{Ll}\p{Lu}/u.test(word);
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'about above after also always another anything back because been before being below between both code codebase come could describe ' +
    'does done down each either else every everything explain file files find first from gets give goes have here how identify into ' +
    'investigate just know like list locate look made make makes many might more most much must need only other ours over part project ' +
    'repository same says search shall should show some such take tell than that their them then there these they thing this those ' +
    'through under understand until upon used uses using very want well were what when where whether which while will with within ' +
    'without work works would write your'
  ).split(' '),
);
