import type {RowCall} from '../rows.ts';

export interface Work {
  readonly plan: readonly RowCall[];
  /** Requests that came. */
  readonly requests: number;
  /** The body of the last one, which has the results of all calls. */
  readonly lastBody: Buffer;
  /** The file that the edits count in, as it is now. */
  readonly counter: string;
}

/** Returns why a run is no measurement: a call that was not done, or whose result did not come back. Nothing when all was done. */
export function undone({plan, requests, lastBody, counter}: Work): string | undefined {
  if (requests !== plan.length + 1) return `${requests} requests came instead of ${plan.length + 1}`;
  const edits = plan.filter(({name}) => name === 'edit').length;
  if (!counter.includes(`value = ${edits};`)) return `the file does not have the last of ${edits} edits`;
  const lost = plan.find((call) => !proofs(call).every((proof) => lastBody.includes(proof)));
  return lost && `the result of ${lost.name} ${JSON.stringify(lost.arguments)} did not come back`;
}

/** What only the result of a call has. */
function proofs({name, arguments: given}: RowCall): string[] {
  const number = /\d+/.exec(given['path'] ?? given['command'] ?? given['pattern'] ?? '')?.[0] ?? '';
  if (name === 'grep') return [`f${Number(number) * 100}.txt`];
  return name === 'edit' ? [] : [`line of file ${number} with some words`];
}
