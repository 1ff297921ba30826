declare const __FETTLE_VERSION__: string | undefined;

/** The version of the package; `0.0.0-source` when the sources run without a build. */
export const VERSION: string = typeof __FETTLE_VERSION__ === 'string' ? __FETTLE_VERSION__ : '0.0.0-source';
