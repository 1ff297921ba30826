import type {SurfacePreference} from '../host-adapter.ts';
import {createAlternateSurface} from './alternate-surface.ts';
import {createInlineSurface} from './inline-surface.ts';
import type {Surface} from './surface.ts';
import type {TerminalOutput, TerminalTraits} from '../terminal/terminal-output.ts';

export interface Surfaces {
  /** Shows the conversation. */
  readonly surface: Surface;
  /** Opens a surface that covers the conversation. */
  readonly openPager: () => Surface;
}

/** Creates the surfaces of a session. There is one alternate screen: if the conversation is on it, the pager shares its surface. */
export function createSurfaces(preference: SurfacePreference, output: TerminalOutput, traits: TerminalTraits): Surfaces {
  if (preference !== 'alternate') {
    return {surface: createInlineSurface(output, traits), openPager: () => createAlternateSurface(output, traits)};
  }
  const surface = createAlternateSurface(output, traits);
  const shared: Surface = {
    get size() {
      return surface.size;
    },
    draw: surface.draw,
    redraw: surface.redraw,
    // The conversation goes on in the same surface.
    end: () => undefined,
  };
  return {surface, openPager: () => shared};
}
