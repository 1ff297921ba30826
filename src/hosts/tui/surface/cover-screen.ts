import type {Frame, Surface} from './surface.ts';

/** The screen of its own on which something covers the conversation; it is opened and left as needed. */
export interface CoverScreen {
  show(cover: Omit<Frame, 'above'>): void;
  /** Shows it from scratch. */
  redraw(cover: Omit<Frame, 'above'>): void;
  leave(): void;
}

export function createCoverScreen(open: () => Surface): CoverScreen {
  let surface: Surface | undefined;
  return {
    show(cover) {
      surface ??= open();
      surface.draw({...cover, above: []});
    },
    redraw(cover) {
      surface ??= open();
      surface.redraw(cover, []);
    },
    leave() {
      surface?.end({erase: true});
      surface = undefined;
    },
  };
}
