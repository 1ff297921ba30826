import type {Decision, PartDecision} from '../../src/policy/decision.ts';
import {shown} from '../../src/policy/evaluate/evaluation-context.ts';

/**
 * Returns every reason why a call is asked or denied, without the words of the call: what a table compares, so that a row cannot pass for
 * another reason than the one it stands for. Rules and programs that no rule allows are named.
 */
export function reasonClass({verdict, parts}: Decision): string {
  if (verdict === 'allow') return 'allow';
  return [...new Set(parts.filter((part) => part.verdict === verdict).map(classOf))].join(' & ');
}

function classOf({reason, rule, text}: PartDecision): string {
  if (rule !== undefined) return `${/^it cannot be known|: it cannot be known/.test(reason) ? 'perhaps ' : ''}${rule.text}`;
  const head = `${shown(text)}: `;
  const bare = reason.startsWith(head) ? reason.slice(head.length) : reason;
  if (bare === 'no rule allows it') return `no rule allows ${/^\s*([\w./-]+)/.exec(text)?.[1] ?? '…'}`;
  return bare.replace(INNER_TEXT, '').replace(WORDS_BEHIND, '$1 …').replace(WORDS_BEFORE, '… ');
}

/** `f.txt: it is outside`: the reason stands behind the path. */
const INNER_TEXT = /^.*: (?=(?:it|the|git|\S+) [^:]*$)/s;
const WORDS_BEHIND =
  /\b(option|word|subcommand|action|letters|the content of|writes to|sets|export|unexpected token|character) (?!another|what|the|how|a |any).*?(?= of git| of a shell| may run| cannot be|, which| can change| is not evaluated|$)/s;
const WORDS_BEFORE =
  /^.* (?=is outside|may become|may be|names a program|is an option for|cannot be taken back|holds? |is loaded by|runs what it is fed|runs other programs)/s;
