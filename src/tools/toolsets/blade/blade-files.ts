import * as z from 'zod/mini';
import {counted} from '../../../base/counted.ts';
import {copyPath} from '../../operations/fs/copy-path.ts';
import {deletePath} from '../../operations/fs/delete-path.ts';
import {makeFolder} from '../../operations/fs/make-folder.ts';
import {movePath} from '../../operations/fs/move-path.ts';
import {pathInfo} from '../../operations/fs/path-info.ts';
import {readFile, type ReadFileResult} from '../../operations/fs/read-file.ts';
import {writeFile} from '../../operations/fs/write-file.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {alsoNamed, described, FILE_PARAMETER, wholeNumber} from './blade-parameters.ts';
import * as alias from '../../compat/parameter-aliases.ts';

/** A larger file is read in ranges; the shown part of any file is cut to the bound of the toolset. */
const MAX_FILE_BYTES = 20_000_000;

const FROM_TO = alias.aliasesOf({
  source: ['source_path', 'src', 'from', 'from_path', 'old_path'],
  destination: ['destination_path', 'dest', 'target', 'to', 'to_path', 'new_path'],
});

const readWholeFile = defineTool({
  name: 'read_file',
  description: 'Read the full contents of a file.',
  input: z.object({path: described('File path')}),
  aliases: FILE_PARAMETER,
  operation: readFile,
  toArgs: ({path}) => ({path, maxBytes: MAX_FILE_BYTES, whole: true}),
  render: ({path, file, content = '', lines}) => ({
    text: `=== File: ${file}${content === '' ? ' (empty)' : ''} ===\n${content}`,
    summary: `${path}: ${counted(lines.length, 'line')}`,
  }),
});

const readFileRange = defineTool({
  name: 'read_file_range',
  description: 'Read a range of lines from a file, optionally with lines around it.',
  input: z.object({
    path: described('File path'),
    start_line: wholeNumber('1-indexed, default 1', 0),
    end_line: wholeNumber('1-indexed, default end of file', 0),
    context_lines: wholeNumber('extra lines before and after, default 0', 0),
  }),
  aliases: FILE_PARAMETER,
  operation: readFile,
  toArgs: ({path, start_line: start, end_line: end, context_lines: context}) => ({
    path,
    firstLine: Math.max(1, start ?? 1),
    lastLine: end === undefined ? undefined : Math.max(1, end),
    contextLines: context ?? 0,
    maxBytes: MAX_FILE_BYTES,
  }),
  render({path, lines, totalLines, ...read}, input) {
    const firstLine = lines.length === 0 && totalLines !== null ? totalLines + 1 : read.firstLine;
    const last = firstLine + lines.length - 1;
    const heading = `File: ${path}\nLines ${firstLine}-${last} (of ${totalLines ?? `more than ${last}`}):`;
    const numbered = lines.map((line, index) => `${firstLine + index}: ${line}`);
    const more = isCut({lines, ...read}, input) ? [`[more follows: start_line ${last + 1}]`] : [];
    return {text: [heading, ...numbered, ...more].join('\n'), summary: `${path}: ${counted(lines.length, 'line')}`};
  },
});

/** True if lines of the range are missing, because it is longer than a read may be. */
function isCut(
  {lines, firstLine, truncated, lastLineCut}: Pick<ReadFileResult, 'lines' | 'firstLine' | 'truncated' | 'lastLineCut'>,
  input: {readonly end_line?: number | undefined; readonly context_lines?: number | undefined},
): boolean {
  const asked = Math.max(1, input.end_line ?? Infinity) + (input.context_lines ?? 0) - firstLine + 1;
  return lastLineCut || (truncated && lines.length < asked);
}

const writeFileTool = defineTool({
  name: 'write_file',
  description: 'Write content to a file, replacing what is there. Parent directories are created.',
  input: z.object({path: described('Target file path'), content: described('File contents')}),
  aliases: alias.aliasesOf({path: alias.FILE, content: alias.CONTENT}),
  operation: writeFile,
  toArgs: ({path, content}) => ({path, content, ifChanged: 'overwrite'}),
  render: ({path, file, created, bytes}) => ({
    text: `wrote ${counted(bytes, 'byte')} to ${file}`,
    summary: `wrote ${path} (${counted(bytes, 'byte')})`,
    changes: [{path: file, kind: created ? 'add' : 'update'}],
  }),
});

const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete a file, or a directory with recursive: true.',
  input: z.object({path: described('Path to delete'), recursive: z.optional(z.boolean().check(z.describe('required for a directory')))}),
  aliases: FILE_PARAMETER,
  operation: deletePath,
  toArgs: ({path, recursive}) => ({path, recursive: recursive ?? false}),
  render({path, kind, changes}) {
    const text = `Deleted ${kind === 'folder' ? 'directory' : kind} ${path}`;
    return {text, summary: text, changes};
  },
});

const moveFile = defineTool({
  name: 'move_file',
  description: 'Move or rename a file.',
  input: z.object({source: described('Source path'), destination: described('Destination path')}),
  aliases: FROM_TO,
  operation: movePath,
  toArgs: ({source, destination}) => ({source, destination}),
  render({source, destination, changes}) {
    const text = `Moved ${source} to ${destination}`;
    return {text, summary: text, changes};
  },
});

const copyFile = defineTool({
  name: 'copy_file',
  description: 'Copy a file, or a directory with all it holds.',
  input: z.object({source: described('Source path'), destination: described('Destination path')}),
  aliases: FROM_TO,
  operation: copyPath,
  toArgs: ({source, destination}) => ({source, destination}),
  render({source, destination, changes}) {
    const text = `Copied ${source} to ${destination}`;
    return {text, summary: text, changes};
  },
});

const createDirectory = defineTool({
  name: 'create_directory',
  description: 'Create a directory and any missing parent directories.',
  input: z.object({path: described('Directory path')}),
  aliases: alias.aliasesOf({path: alias.FOLDER}),
  operation: makeFolder,
  toArgs: ({path}) => ({path}),
  render({path, created}) {
    const text = created ? `Created directory ${path}` : `Directory ${path} already exists`;
    return {text, summary: text};
  },
});

const getFileInfo = defineTool({
  name: 'get_file_info',
  description: 'Return file system metadata as JSON: path, size, is_directory, is_file, modified (seconds since 1970), readonly.',
  input: z.object({path: described('Path to inspect')}),
  aliases: FILE_PARAMETER,
  operation: pathInfo,
  toArgs: ({path}) => ({path}),
  render({path, file, size, isDirectory, isFile, modified, readonly}) {
    const payload = {path: file, size, is_directory: isDirectory, is_file: isFile, modified, readonly};
    return {text: JSON.stringify(payload), isJson: true, summary: `${path}: ${counted(size, 'byte')}`, structured: payload};
  },
});

/** "File Tools" of "zblade tool calls", without the edits. */
export const FILE_TOOLS: readonly Tool[] = [
  readWholeFile,
  readFileRange,
  writeFileTool,
  alsoNamed('create_file', writeFileTool),
  deleteFile,
  moveFile,
  copyFile,
  createDirectory,
  getFileInfo,
];
