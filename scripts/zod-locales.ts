import type {Plugin} from 'esbuild';

/** Messages in fifty languages hang on a name that zod exports and nobody here uses; a bundler cannot know that. They are a third of what a start loads. */
export const withoutZodLocales: Plugin = {
  name: 'without-zod-locales',
  setup({onResolve, onLoad}) {
    onResolve({filter: /\/locales\/index\.js$/}, ({importer}) =>
      /[\\/]zod[\\/]v4[\\/]/.test(importer) ? {path: 'zod-locales', namespace: 'none'} : undefined,
    );
    onLoad({filter: /.*/, namespace: 'none'}, () => ({contents: 'export {};'}));
  },
};
