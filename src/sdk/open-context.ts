import {spentOn} from '../agent/budget.ts';
import type {Meter} from '../agent/meter.ts';
import type {Settings} from '../config/settings.ts';
import {createContextKeeper, type ContextKeeper, type ContextKeeperOptions} from '../context/compaction/context-keeper.ts';
import {modelInfo} from '../models/catalog.ts';

interface ContextParts extends Omit<ContextKeeperOptions, 'window' | 'compactAt' | 'byProvider' | 'onPaid'> {
  readonly settings: Settings;
  readonly meter: Meter;
}

/** The context of a thread, kept within the window of its model: as the catalogue knows it, or as the settings say. */
export function openContext({settings, meter, ...parts}: ContextParts): ContextKeeper {
  const {contextWindow, maxOutputTokens} = modelInfo(settings.model ?? '');
  const {compact_at: share, window_tokens: size = contextWindow, compaction} = settings.context;
  return createContextKeeper({
    ...parts,
    window: {size, maxOutput: maxOutputTokens},
    compactAt: share >= 1 ? undefined : share,
    byProvider: compaction === 'provider',
    onPaid: (paid) => meter.add(spentOn(paid)),
  });
}
