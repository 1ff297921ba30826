/**
 * The prompt of a command with its arguments: `$ARGUMENTS` is all of them as they were typed, `$1` to `$9` one each (quotes keep words together).
 * Arguments are never expanded again. If the prompt has no place for them, they are appended.
 */
export function expandCommand(body: string, typed: string): string {
  const input = typed.trim();
  const words = wordsOf(input);
  let hasPlace = false;
  const text = body.replaceAll(PLACE, (_, number: string | undefined) => {
    hasPlace = true;
    return number === undefined ? input : (words[Number(number) - 1] ?? '');
  });
  return hasPlace || input === '' ? text : `${text}\n\n${input}`;
}

const PLACE = /\$(?:ARGUMENTS\b|([1-9])(?!\d))/g;

/** Splits words as a shell would, without any expansion; an unpaired quote is literal. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) => double ?? single ?? ''),
  );
}
