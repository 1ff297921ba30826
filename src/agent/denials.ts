import type {PermissionResolved, ThreadCompleted} from '../protocol/events.ts';

/** A denied call, and the rule or mode that would have allowed it. */
export type Denial = NonNullable<ThreadCompleted['denied']>[number];

/** Returns undefined for an allowed call, and for a call that plan mode is meant to refuse. */
export function denialOf(event: PermissionResolved): Denial | undefined {
  if (event.decision !== 'deny' || event.decided_by === 'mode:plan') return undefined;
  const {tool_name, decided_by, rule, allow_rules, allow_mode} = event;
  return {
    tool_name,
    decided_by,
    ...(rule === undefined ? {} : {rule}),
    ...(allow_rules === undefined ? {} : {allow_rules}),
    ...(allow_mode === undefined ? {} : {allow_mode}),
  };
}

/** Returns a line that names the rule or mode that would have allowed the call, or the reason for its denial (design 6: exit code 3). */
export function remedyLine(denial: Denial): string {
  const ways = waysOf(denial);
  if (ways.length > 0) return `${denial.tool_name}: allow it with ${ways.join(', or with ')}`;
  return `${denial.tool_name}: ${whyNot(denial)}`;
}

/** The same as options of the command line; empty if no rule and no mode would have allowed it. */
export function waysOf({allow_rules: rules = [], allow_mode: mode}: Denial): readonly string[] {
  return [
    ...(rules.length === 0 ? [] : [rules.map((rule) => `--allow ${quoted(rule)}`).join(' ')]),
    ...(mode === undefined ? [] : [`--mode ${mode}`]),
  ];
}

function quoted(rule: string): string {
  return `'${rule.replaceAll("'", `'\\''`)}'`;
}

function whyNot({decided_by: by, rule}: Denial): string {
  if (by.startsWith('rule:')) return `the rule ${by.slice('rule:'.length)} denies it in every mode; take that rule away to allow it`;
  if (by === 'person') return 'you refused it';
  if (by === 'hook') return 'a hook denied it; no rule or mode overrides a hook';
  if (rule !== undefined) return `the rule ${rule} wants a person to be asked in every mode, and nobody was there`;
  return 'no rule and no mode allows it without a person; run it in a chat, where you can be asked';
}
