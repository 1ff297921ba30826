import type {Rule} from '../decision.ts';
import type {ParsedRule} from './parse-rule.ts';
import {wordList} from '../word-list.ts';

/**
 * The rules that apply if none are configured. Source of each is `default`.
 * microcode: what `microcode init` writes (microcode tools › bash). All other toolsets share one sensible set: look around, never touch
 * the system, ask before secrets are read.
 */
export function defaultRules(toolset: string): readonly Rule[] {
  return toolset === 'microcode' ? MICROCODE : SENSIBLE;
}

/** Returns the rules for commands that may run even if nothing may change. */
export function readOnlyRules(): readonly Rule[] {
  return LOOKING;
}

/** True for the rule that represents the tables of read-only programs (`looking.ts`): no pattern could say which of their options are meant. */
export function isReadOnlyRule({pattern}: ParsedRule): boolean {
  return pattern === TABLES;
}

/** No program has this name: a shell would read redirects. */
const TABLES = '<commands-that-only-look>';

function rules(effect: Rule['effect'], texts: readonly string[]): Rule[] {
  return texts.map((text) => ({text, effect, source: 'default'}));
}

const MICROCODE: readonly Rule[] = [...rules('allow', ['bash:cargo *', 'bash:rg *']), ...rules('deny', ['bash:sudo *', 'bash:rm -rf /*'])];

/** Commands that only look, as long as no risky option of theirs is used. */
const LOOKING: readonly Rule[] = rules('allow', [
  ...anyUse('ls cat head tail wc grep egrep fgrep rg find sort uniq cut tr nl tac rev comm diff cmp'),
  ...anyUse('echo printf pwd which file stat du tree basename dirname realpath date uname whoami seq sleep test ['),
  ...wordList('log diff show status blame ls-files rev-parse describe shortlog grep').map((command) => `bash:git ${command} *`),
  `bash:${TABLES}`,
]);

const SENSIBLE: readonly Rule[] = [
  ...LOOKING,
  ...rules('ask', wordList('read:*/.env read:*/.env.local read:*/.env.*.local read:*/.env.production read:*.pem read:*/credentials.json')),
  ...rules('deny', [...anyUse('sudo doas su shutdown reboot mkfs'), 'bash:mkfs.*', 'bash:rm -rf /*', 'bash:rm -rf ~*']),
];

function anyUse(programs: string): string[] {
  return wordList(programs).map((program) => `bash:${program} *`);
}
