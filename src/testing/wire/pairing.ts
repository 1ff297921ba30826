/** One turn of a conversation, reduced to tool calls: the calls made in it, or those that it answers. */
interface PairingTurn {
  readonly place: string;
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
}

/** The rule of all four formats: the turn after a reply with calls answers each of them once, and nothing else is answered. */
export function pairingProblems(turns: readonly PairingTurn[]): readonly string[] {
  const problems: string[] = [];
  let open: string[] = [];
  let caller = '';
  for (const {place, calls, results} of turns) {
    for (const id of results ?? []) {
      if (open.includes(id)) open.splice(open.indexOf(id), 1);
      else problems.push(`${place}: result ${id} belongs to no call of the reply before it`);
    }
    problems.push(...open.map((id) => `${caller}: call ${id} has no result in the turn after it`));
    open = [...(calls ?? [])];
    caller = place;
  }
  problems.push(...open.map((id) => `${caller}: call ${id} has no result in the turn after it`));
  return problems;
}
