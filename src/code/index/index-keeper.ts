import type {DatabaseSync} from 'node:sqlite';
import {setImmediate} from 'node:timers/promises';
import type {IndexProgress} from '../code-graph.ts';
import {openParser} from '../extract/parser.ts';
import {languageNamed, languageOf} from '../languages/all.ts';
import {languageOfText} from '../languages/script-language.ts';
import {forgetAll, openForBuilding} from '../store/open-database.ts';
import {lockBuilding} from './builder-lock.ts';
import {changedSources, hasOtherSettings} from './changed-sources.ts';
import {createFolderWatch, type FolderWatch} from './folder-watch.ts';
import {listSources, SETTINGS, sourceFile, type Listing, type SourceFile} from './list-sources.ts';
import {settleOpen} from './settle-open.ts';
import {updateIndex, type Update, type UpTo} from './update-index.ts';

interface Place {
  readonly root: string;
  readonly database: string;
  /** What the threads that parse run. */
  readonly entry: URL;
  readonly rebuild: boolean;
}

/** Keeps the index of one workspace up to date, in a process of its own. */
export class IndexKeeper {
  private readonly place: Place;
  private readonly overlays = new Map<string, {readonly language: string; readonly text: string}>();
  /** Files that count as changed whatever the watch says: those whose overlay came or went, and those that changed before there was a watch. */
  private readonly suspects = new Set<string>();
  private watch: FolderWatch | undefined;
  private listing: (Pick<Listing, 'folders'> & {readonly language: string | undefined}) | undefined;
  private isForgotten: boolean;
  private isPrepared = false;
  /** Who waits for an update. */
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(place: Place) {
    this.place = place;
    this.isForgotten = place.rebuild;
  }

  overlay(path: string, text: string | undefined): void {
    const language = languageOfText(path, text ?? '');
    if (text === undefined) this.overlays.delete(path);
    else if (language === undefined) return;
    else this.overlays.set(path, {language, text});
    this.suspects.add(path);
  }

  /** Brings the index up to date; one update at a time. */
  async fresh(progress: (done: IndexProgress) => void, signal: AbortSignal, upTo?: UpTo): Promise<void> {
    this.waiting++;
    await this.inTurn(async () => {
      this.waiting--;
      await this.update({progress, upTo}, signal);
    });
  }

  /** Resolves what an update left open, until somebody asks for another. */
  async settle(signal: AbortSignal): Promise<void> {
    const isUnwanted = (): boolean => this.waiting > 0;
    await this.inTurn(async () => {
      if (isUnwanted()) return;
      await this.withDatabase(signal, async (database) => await settleOpen({...this.place, database, isUnwanted}, signal));
    });
  }

  /** Does what makes the next update quick, once, when nobody waits: the watch, and the parser of the language of most files. */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.isPrepared) return;
    this.isPrepared = true;
    await this.inTurn(() => this.look(signal));
    const language = this.listing?.language;
    if (language !== undefined) await openParser(languageNamed(language).grammar);
  }

  close(): void {
    this.watch?.close();
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => undefined);
    await mine;
  }

  private async update(wanted: Pick<Update, 'progress' | 'upTo'>, signal: AbortSignal): Promise<void> {
    const {root, entry} = this.place;
    await this.withDatabase(signal, async (database) => {
      if (this.isForgotten) forgetAll(database);
      this.isForgotten = false;
      const suspects = new Set(this.suspects);
      this.suspects.clear();
      const found = (await this.noted(suspects)) ?? (await this.everything(database));
      const overlays = new Map(this.overlays);
      await updateIndex({root, database, ...found, ...wanted, overlays, entry}, signal);
    });
  }

  /** Begins to watch. Nothing is parsed: nobody asked for it, and who writes a file in two steps would lose its last good parse. */
  private async look(signal: AbortSignal): Promise<void> {
    await this.withDatabase(signal, async (database) => {
      const found = await this.everything(database);
      if (hasOtherSettings(database, found.settings ?? [])) this.listing = undefined;
      const candidates = {sources: found.sources, overlays: this.overlays};
      for (const {path} of changedSources(database, candidates).todo) this.suspects.add(path);
      for (const path of found.removed) this.suspects.add(path);
    });
  }

  private async withDatabase(signal: AbortSignal, work: (database: DatabaseSync) => Promise<void>): Promise<void> {
    const {database: path} = this.place;
    const release = await lockBuilding(path, signal);
    let opened: DatabaseSync | undefined;
    try {
      opened = openForBuilding(path);
      await work(opened);
    } catch (thrown) {
      this.listing = undefined; // what was noted is not done: look at everything the next time
      throw thrown;
    } finally {
      opened?.close();
      release();
    }
  }

  /** What the watch has noted; undefined where everything must be looked at. */
  private async noted(suspects: ReadonlySet<string>): Promise<Found | undefined> {
    // What was written before the question is in the queue of the system: it is taken out first.
    for (let turn = 0; turn < 2; turn++) await setImmediate();
    const changes = this.watch?.take();
    if (changes === undefined || this.listing === undefined) return undefined;
    const sources: SourceFile[] = [];
    const removed: string[] = [];
    for (const path of new Set([...changes, ...suspects])) {
      const cut = path.lastIndexOf('/');
      const [folder, name] = [path.slice(0, Math.max(0, cut)), path.slice(cut + 1)];
      if (SETTINGS.test(name) || languageOf(path) === undefined) return undefined;
      if (this.listing.folders.get(folder)?.judge(name, false) === 'ignored') continue;
      const source = sourceFile(this.place.root, path);
      if (source === undefined) removed.push(path);
      else sources.push(source);
    }
    return {sources, removed};
  }

  /** The first time without a watch: who asks once needs none. */
  private async everything(database: DatabaseSync): Promise<Found> {
    if (this.listing !== undefined) this.watch ??= createFolderWatch(this.place.root);
    const {watch} = this;
    const {sources, settings, folders} = await listSources(this.place.root, (folder) => watch?.add(folder));
    this.listing = {folders, language: commonest(sources)};
    watch?.take();
    return {sources, settings, removed: this.removed(database, sources)};
  }

  /** What is stored and is not there any more. */
  private removed(database: DatabaseSync, sources: readonly SourceFile[]): readonly string[] {
    const present = new Set(this.overlays.keys());
    for (const {path} of sources) present.add(path);
    const removed: string[] = [];
    for (const row of database.prepare('SELECT path FROM file UNION SELECT path FROM skipped').iterate()) {
      const path = String(row['path']);
      if (!present.has(path)) removed.push(path);
    }
    return removed;
  }
}

function commonest(sources: readonly SourceFile[]): string | undefined {
  const counts = new Map<string, number>();
  for (const {language} of sources) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

interface Found {
  readonly sources: readonly SourceFile[];
  readonly removed: readonly string[];
  readonly settings?: readonly string[];
}
