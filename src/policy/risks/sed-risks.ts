import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {Risk} from './risk.ts';

/**
 * sed: only the commands that print, delete, substitute and move lines; no `w`, `W`, `r`, `R`, `e`, no files of commands, no change in
 * place (CVE-2025-64755).
 */
export function sedRisks(words: readonly ShellWord[]): Risk[] {
  const risks: Risk[] = [];
  let scripts = 0;
  for (let index = 1; index < words.length; index += 1) {
    const value = textAt(words, index);
    if (SCRIPT_OPTION.test(value)) {
      const next = /^(?:-\w*e|--expression)$/.test(value);
      if (next) index += 1;
      checkScript(risks, index, next ? textAt(words, index) : value.replace(SCRIPT_OPTION, ''));
      scripts += 1;
    } else if (value.startsWith('-') && value !== '-') {
      if (!HARMLESS_OPTION.test(value)) risks.push({index, reason: `the option ${value}`});
    } else if (scripts === 0) {
      checkScript(risks, index, words[index]?.glob === true ? '' : value);
      scripts += 1;
    }
  }
  return risks;
}

const SCRIPT_OPTION = /^(?:-[nErsuz]*e|--expression=?)/;
const HARMLESS_OPTION = /^(?:--|-[nErsuz]+|--(?:quiet|silent|regexp-extended|posix|debug|sandbox|null-data|unbuffered|separate)|-l\d+)$/;

function checkScript(risks: Risk[], index: number, script: string): void {
  if (script === '' || !isHarmlessSed(script)) risks.push({index, reason: 'a sed script that may write or run something'});
}

/** Reads a script command by command; anything not known is not harmless. */
function isHarmlessSed(script: string): boolean {
  let rest = script;
  while (rest !== '') {
    const one = SED_COMMAND.exec(rest) ?? sedSubstitution(rest);
    if (one === null || one[0] === '') return false;
    rest = rest.slice(one[0].length);
  }
  return true;
}

const SED_ADDRESS = String.raw`(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*)(?:,[+~]?(?:\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?\s*!*\s*)?`;
const SED_COMMAND = new RegExp(
  String.raw`^[\s;{}]*${SED_ADDRESS}(?:[pdPDnNgGhHxz=lFqQ](?:\d*)|#[^\n]*|[bt]\s*\w*|:\s*\w+)?(?:[\s;}]+|$)|^[\s;{}]+`,
);
const SED_BEFORE = new RegExp(String.raw`^[\s;{}]*${SED_ADDRESS}([sy])([^\\\n\w\s])`);

/** `s/a/b/flags` with any delimiter; the flags `e` and `w` run and write. */
function sedSubstitution(text: string): {0: string} | null {
  const start = SED_BEFORE.exec(text);
  if (start === null) return null;
  let at = start[0].length;
  for (let part = 0; part < 2; part += 1) {
    while (at < text.length && text[at] !== start[2]) at += text[at] === '\\' ? 2 : 1;
    if (at >= text.length) return null;
    at += 1;
  }
  const flags = /^[gpIi\d]*(?:\s*[;}\n]\s*|\s*$)/.exec(text.slice(at));
  return flags === null ? null : {0: text.slice(0, at) + flags[0]};
}
