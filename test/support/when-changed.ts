import {watch} from 'node:fs';

/** Resolves as soon as `isSo` holds: it is asked now, and whenever something in the folder (not below its subfolders) changes. */
export async function whenChanged(folder: string, isSo: () => boolean): Promise<void> {
  const held = Promise.withResolvers<void>();
  const look = (): void => {
    try {
      if (isSo()) held.resolve();
    } catch (thrown) {
      held.reject(thrown);
    }
  };
  const watcher = watch(folder, look);
  watcher.on('error', held.reject);
  try {
    look();
    await held.promise;
  } finally {
    watcher.close();
  }
}
