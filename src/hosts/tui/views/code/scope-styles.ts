import type {StyleName} from '../../cells/line.ts';

/** The look of a scope of highlight.js (`title.function`): its own, else that of its first part; undefined for plain code. */
export function styleOfScope(scope: string): readonly StyleName[] | undefined {
  return STYLES.get(scope) ?? STYLES.get(scope.split('.', 1)[0] ?? '');
}

const SCOPES: readonly (readonly [StyleName, string])[] = [
  ['keyword', 'keyword meta selector-tag name bullet selector-pseudo'],
  ['type', 'type class title.class built_in selector-class selector-id'],
  ['function', 'title function'],
  ['string', 'string regexp char'],
  ['number', 'number literal symbol'],
  ['comment', 'comment quote doctag'],
  ['variable', 'variable template-variable attr attribute property'],
  ['added', 'addition'],
  ['removed', 'deletion'],
  ['heading', 'section'],
  ['link', 'link'],
  ['code', 'code'],
  ['bold', 'strong'],
  ['italic', 'emphasis'],
];

const STYLES: ReadonlyMap<string, readonly StyleName[]> = new Map(
  SCOPES.flatMap(([style, scopes]) => {
    const look = [style];
    return scopes.split(' ').map((scope) => [scope, look] as const);
  }),
);
