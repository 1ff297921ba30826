import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {Rewritten} from './rewritten-call.ts';

/** Claude Code: MultiEdit. Its edits have the fields of patches, under other names. */
export function multiEdit({edits, ...rest}: JsonObject): Rewritten | undefined {
  const list = Array.isArray(edits) ? (edits as readonly Json[]).filter(isJsonObject) : [];
  return list.length === 0 ? undefined : {name: 'apply_patch', input: {...rest, patches: list}};
}

/** Gemini CLI: `replace` with the expected number of replacements, one by default. */
export function replaceCall({expected_replacements: expected, ...rest}: JsonObject): Rewritten | undefined {
  if (typeof expected !== 'number') return undefined;
  return {name: 'replace', input: expected > 1 ? {...rest, replace_all: true} : rest};
}

/** A search_replace with an old and a new text instead of blocks (Cursor). */
export function searchReplaceCall(input: JsonObject): Rewritten | undefined {
  const isEdit = !('content' in input) && ['old_string', 'oldString', 'old_str', 'old_text'].some((name) => name in input);
  return isEdit ? {name: 'edit', input} : undefined;
}

/** Cline: `replace_in_file`, Roo: `apply_diff`. Their marks are other lines with the same words. */
export function blocksCall({diff, path, file_path: filePath}: JsonObject): Rewritten | undefined {
  if (typeof diff !== 'string') return undefined;
  const content = diff
    .replaceAll(/^-{3,} SEARCH>?$/gm, '<<<<<<< SEARCH')
    .replaceAll(/^\+{3,} REPLACE>?$/gm, '>>>>>>> REPLACE')
    .replaceAll(/^(<{5,} SEARCH)>?\n(?::(?:start|end)_line:\s*\d+\n)*-{5,}\n/gm, '$1\n');
  return {name: 'search_replace', input: {file_path: path ?? filePath, content}};
}

/** Rewrites an append for a tool that cannot append: overwriting would lose the file. Likewise for a file that must not exist. */
export function appendCall({append, mode, ...rest}: JsonObject): Rewritten | undefined {
  if (append === true || mode === 'append') return {name: 'vibe__write_file', input: {...rest, append: true}};
  return typeof mode === 'string' && NEW_ONLY.has(mode) ? {name: 'vibe__write_file', input: rest} : undefined;
}

const NEW_ONLY: ReadonlySet<string> = new Set(['create', 'fail_if_exists', 'skip_if_exists']);

/** Anthropic: str_replace_based_edit_tool and str_replace_editor. `insert_line` is the line after which the text is inserted, 0 the top. */
export function editorCommand(input: JsonObject): Rewritten | undefined {
  const {command, path, view_range: range, ...rest} = input;
  switch (command) {
    case 'view': {
      const [first, last] = (Array.isArray(range) ? range : []) as readonly Json[];
      const limit = typeof first === 'number' && typeof last === 'number' && last >= first ? last - first + 1 : undefined;
      return {name: 'read', input: {path, ...(first === undefined ? {} : {offset: first}), ...(limit === undefined ? {} : {limit})}};
    }
    case 'create':
      return {name: 'write', input: {path, ...rest}};
    case 'str_replace':
      return {name: 'edit', input: {path, new_str: '', ...rest}};
    case 'insert':
      return insertCall(path, rest);
    default:
      return undefined;
  }
}

function insertCall(path: Json | undefined, {insert_line: line, insert_text: text, new_str: other}: JsonObject): Rewritten | undefined {
  const added = text ?? other;
  const after = typeof line === 'string' ? Number(line) : line;
  if (typeof added !== 'string' || typeof after !== 'number' || !Number.isInteger(after) || after < 0) return undefined;
  const lines = added.endsWith('\n') ? added : `${added}\n`;
  return {name: 'apply_patch', input: {path, patches: [{old_text: '', new_text: lines, start_line: after + 1}]}};
}

/** zblade: a patch of a symbol under the key `patch`. */
export function semanticCall(name: string, {patch, ...rest}: JsonObject): Rewritten | undefined {
  if (isJsonObject(patch) && !('semantic_patch' in rest)) return {name, input: {...rest, semantic_patch: patch}};
  return typeof patch === 'string' ? {name, input: {...rest, patch}} : undefined;
}
