import {expect, it} from 'vitest';
import {allRelations, textsOf} from '../all-relations.ts';

it('Bash: functions and variables of files that are sourced (issue: relations are resolved across files by imports and scopes, not by name alone)', async () => {
  const relations = await allRelations(
    textsOf({
      'lib/log.sh': ['LEVEL=info', 'log() {', '  local text="$1"', '  echo "$LEVEL $text"', '}'],
      'lib/other.sh': ['log() { echo other; }'],
      'run.sh': [
        '#!/usr/bin/env bash',
        'source "$(dirname "$0")/lib/log.sh"',
        '. ./lib/missing.sh',
        '',
        'main() {',
        '  local LEVEL=debug',
        '  log "start $LEVEL"',
        '  git status',
        '}',
        '',
        'echo "$LEVEL"',
        'main "$@"',
      ],
    }),
  );
  expect(relations).toMatchInlineSnapshot(`
    [
      "lib/log.sh:4 call echo -> ?",
      "lib/log.sh:4 reference LEVEL -> ::LEVEL#variable",
      "lib/other.sh:1 call echo -> ?",
      "run.sh:2 import lib/log.sh -> lib/log.sh",
      "run.sh:2 call dirname -> ?",
      "run.sh:3 import ./lib/missing.sh -> ?",
      "run.sh:7 call log -> lib/log.sh::log#function",
      "run.sh:8 call git -> ?",
      "run.sh:11 call echo -> ?",
      "run.sh:11 reference LEVEL -> lib/log.sh::LEVEL#variable",
      "run.sh:12 call main -> ::main#function",
    ]
  `);
});
