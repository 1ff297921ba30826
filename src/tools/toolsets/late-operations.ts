import {lateOperation} from '../late-operation.ts';

/** The operations of the default toolset that a first request does not need. */
export const readFile = lateOperation(
  {id: 'fs.read', permission: 'read', sideEffect: 'read'},
  async () => (await import('../operations/fs/read-file.ts')).readFile,
);

export const listFolder = lateOperation(
  {id: 'fs.list', permission: 'ls', sideEffect: 'read'},
  async () => (await import('../operations/fs/list-folder.ts')).listFolderOperation,
);

export const findFiles = lateOperation(
  {id: 'find.glob', permission: 'glob', sideEffect: 'read'},
  async () => (await import('../operations/search/find-files.ts')).findFilesOperation,
);

export const searchText = lateOperation(
  {id: 'search.text', permission: 'grep', sideEffect: 'read'},
  async () => (await import('../operations/search/search-text.ts')).searchText,
);

export const findSymbols = lateOperation(
  {id: 'sym.find', permission: 'read', sideEffect: 'read'},
  async () => (await import('../operations/symbols/find-symbols.ts')).findSymbols,
);

export const editText = lateOperation(
  {id: 'edit.text', permission: 'edit', sideEffect: 'write', isKeyed: true},
  async () => (await import('../operations/edit/edit-text.ts')).editText,
);

export const writeFile = lateOperation(
  {id: 'fs.write', permission: 'write', sideEffect: 'write', isKeyed: true},
  async () => (await import('../operations/fs/write-file.ts')).writeFile,
);
