/**
 * The prompt of a command with its arguments: `$ARGUMENTS` is all of them as they were typed, `$1` to `$9` one each (quotes keep words together).
 * What arguments hold is never expanded again. Where the prompt has no place for them they stand behind it.
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

/** Words as a shell would see them, but nothing is expanded; a quote without its partner stands for itself. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) => double ?? single ?? ''),
  );
}
