import type {RestoreReport} from './checkpoints.ts';

/** Describes an undo or redo for a person, one line each. */
export function describeRestore(report: RestoreReport, {dryRun}: {readonly dryRun: boolean}): readonly string[] {
  const {restored, refused, notes, rewound, target, id, seen} = report;
  const conflicts = refused.some(({isConflict}) => isConflict);
  return [
    ...seen.slice(0, MOST_SEEN).map(({path, at}) => `changed while a command ran, until ${at.slice(0, 19).replace('T', ' ')}: ${path}`),
    ...(seen.length > MOST_SEEN ? [`… and ${seen.length - MOST_SEEN} more changed while commands ran.`] : []),
    headline(report, dryRun),
    ...refused.map(({path, reason}) => `left as it is: ${path} (${reason})`),
    ...(conflicts ? [`\`fettle checkpoints restore --force ${target.id} FILE…\` replaces what somebody changed since.`] : []),
    ...notes,
    ...(rewound ? ['The conversation goes on from there.'] : []),
    ...(id !== undefined && restored.length > 0 ? [`To take this back: fettle checkpoints restore ${id}`] : []),
  ];
}

/** A command may have changed thousands. */
const MOST_SEEN = 50;

function headline({restored, refused, target, rewound}: RestoreReport, dryRun: boolean): string {
  const entries = `${restored.length} ${restored.length === 1 ? 'entry' : 'entries'}`;
  if (restored.length === 0 && refused.length === 0) return rewound ? 'No file was different.' : 'Everything is as it was already.';
  return dryRun ? `Would restore ${entries}.` : `Restored ${entries} to before "${target.title.replaceAll('\n', ' ').slice(0, 70)}".`;
}
