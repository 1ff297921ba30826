import type {Decision, PartDecision, Verdict} from '../decision.ts';
import {readLine} from './shell-line.ts';

/** One thing that a shell line does, as the judge saw it. */
export interface LineStep {
  readonly kind: 'command' | 'wrapper' | 'redirect' | 'assignment' | 'unclear' | 'guess';
  readonly text: string;
  /** Path to the part, from the line inwards. */
  readonly via: readonly string[];
  /** The words of a command after quote removal; null for a word that only the shell can expand. */
  readonly words?: readonly (string | null)[];
  /** Undefined if it is not decided on by itself: the command inside, or the line, decides. */
  readonly verdict?: Verdict | undefined;
  readonly reason?: string | undefined;
  readonly rule?: string | undefined;
  /** `cd`, `pushd`, `popd`: where the rest runs is another folder. */
  readonly movesTo?: string | undefined;
}

/** The parse of a line with the verdict on each of its parts, in the order of the line. */
export function explainLine(command: string, decision: Decision): readonly LineStep[] {
  const line = readLine(command);
  const parts = new Map(decision.parts.map((part) => [part.text, part]));
  return [
    ...line.assignments.map(({text, via}): LineStep => ({kind: 'assignment', text, via})),
    ...line.commands.flatMap(({text, via, words, role}): LineStep[] => {
      const known = parts.get(text);
      if (role === 'guess' && known === undefined) return [];
      const kind = role === 'plain' ? 'command' : role;
      const values = words.map((word) => word.value ?? null);
      return [{kind, text, via, words: values, movesTo: movesTo(values), ...verdictOf(known)}];
    }),
    ...line.redirects.map(({text, via}): LineStep => ({kind: 'redirect', text, via, ...verdictOf(parts.get(text))})),
    ...line.unresolved.map(({text, via, reason}): LineStep => ({kind: 'unclear', text, via, reason})),
  ];
}

function verdictOf(part: PartDecision | undefined): Pick<LineStep, 'verdict' | 'reason' | 'rule'> {
  if (part === undefined) return {};
  return {
    verdict: part.verdict,
    reason: part.reason,
    rule: part.rule === undefined ? undefined : `${part.rule.text} (${part.rule.source})`,
  };
}

function movesTo([program, ...args]: readonly (string | null)[]): string | undefined {
  if (program !== 'cd' && program !== 'pushd' && program !== 'popd') return undefined;
  return args.find((arg) => arg?.startsWith('-') !== true) ?? 'a folder that only the shell knows';
}
