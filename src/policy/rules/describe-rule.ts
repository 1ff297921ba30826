import {isFettleError} from '../../base/errors.ts';
import {parseRule} from './parse-rule.ts';

/** Describes what an offered rule would allow besides the call at hand; one line for a person. */
export function describeRule(text: string): string {
  const {words, pattern, tool} = read(text);
  if (pattern === '*') return `every use of ${tool}`;
  if (!pattern.includes('*')) return words.length > 0 ? 'exactly this' : '';
  if (words.at(-1) === '*' && words.slice(0, -1).every((word) => !word.includes('*'))) {
    return `any \`${words.slice(0, -1).join(' ')}\` command, except with options that run or write something else`;
  }
  return `everything that matches \`${pattern}\``;
}

function read(text: string): {words: readonly string[]; pattern: string; tool: string} {
  try {
    const {words, pattern} = parseRule({text, effect: 'allow', source: 'offer'});
    return {words, pattern, tool: text.split(':', 1)[0] ?? text};
  } catch (thrown) {
    if (!isFettleError(thrown)) throw thrown;
    return {words: [], pattern: '', tool: ''};
  }
}
