import type {RestoreReport} from '../../sdk/checkpoints.ts';

/** What a person is told of an undo or redo, a line each. */
export function describeRestore(report: RestoreReport, {dryRun}: {readonly dryRun: boolean}): readonly string[] {
  const {restored, refused, notes, rewound, target, id} = report;
  const conflicts = refused.some(({isConflict}) => isConflict);
  return [
    headline(report, dryRun),
    ...refused.map(({path, reason}) => `left as it is: ${path} (${reason})`),
    ...(conflicts ? [`\`fettle checkpoints restore --force ${target.id} FILE…\` replaces what somebody changed since.`] : []),
    ...notes,
    ...(rewound ? ['The conversation goes on from there.'] : []),
    ...(id !== undefined && restored.length > 0 ? [`To take this back: fettle checkpoints restore ${id}`] : []),
  ];
}

function headline({restored, refused, target, rewound}: RestoreReport, dryRun: boolean): string {
  const entries = `${restored.length} ${restored.length === 1 ? 'entry' : 'entries'}`;
  if (restored.length === 0 && refused.length === 0) return rewound ? 'No file was different.' : 'Everything is as it was already.';
  return dryRun ? `Would restore ${entries}.` : `Restored ${entries} to before "${target.title.replaceAll('\n', ' ').slice(0, 70)}".`;
}
