import {describe, expect, it} from 'vitest';
import {editText} from '../../../src/tools/operations/edit/edit-text.ts';
import {listFolderOperation} from '../../../src/tools/operations/fs/list-folder.ts';
import {readFile} from '../../../src/tools/operations/fs/read-file.ts';
import {writeFile} from '../../../src/tools/operations/fs/write-file.ts';
import {findFilesOperation} from '../../../src/tools/operations/search/find-files.ts';
import {searchText} from '../../../src/tools/operations/search/search-text.ts';
import {findSymbols} from '../../../src/tools/operations/symbols/find-symbols.ts';
import type {RunnableOperation} from '../../../src/tools/late-operation.ts';
import * as late from '../../../src/tools/toolsets/late-operations.ts';

type Loaded = Omit<RunnableOperation<never, unknown>, 'args' | 'result'>;

/** What a tool reads of an operation without awaiting anything. */
function facts({id, permission, sideEffect, isKeyed, isLine, effectiveCall, background, cacheKey}: Loaded): object {
  return {
    id,
    permission,
    sideEffect,
    isKeyed: isKeyed === true,
    others: [isLine, effectiveCall, background, cacheKey].map((member) => member !== undefined),
  };
}

describe('operations that are loaded by their first call', () => {
  it.each<[string, Loaded, Loaded]>([
    ['readFile', late.readFile, readFile],
    ['listFolder', late.listFolder, listFolderOperation],
    ['findFiles', late.findFiles, findFilesOperation],
    ['searchText', late.searchText, searchText],
    ['findSymbols', late.findSymbols, findSymbols],
    ['editText', late.editText, editText],
    ['writeFile', late.writeFile, writeFile],
  ])('%s says of itself what the operation does', (_, lateOne, operation) => {
    expect(facts(lateOne)).toEqual(facts(operation));
  });

  it('are all of them compared', () => {
    expect(Object.keys(late).toSorted()).toEqual([
      'editText',
      'findFiles',
      'findSymbols',
      'listFolder',
      'readFile',
      'searchText',
      'writeFile',
    ]);
  });
});
