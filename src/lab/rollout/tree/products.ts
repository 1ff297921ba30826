import {basename} from 'node:path';

/** Caches of interpreters and test runners, by the name of their folder: nobody wrote them, and they change with every run. */
const FOLDERS = ['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.nyc_output', '.parcel-cache'];
const IN_PACKAGES = 'node_modules/.cache';

/** The folders that {@link isProduct} names, as patterns for git (gitignore(5)). */
export const PRODUCT_PATTERNS: readonly string[] = [...FOLDERS.map((name) => `${name}/`), `**/${IN_PACKAGES}/`];

/**
 * True for a folder that running programs have made, and that is therefore in no patch.
 * @param folder - relative to the tree
 */
export function isProduct(folder: string): boolean {
  return FOLDERS.includes(basename(folder)) || `/${folder}`.endsWith(`/${IN_PACKAGES}`);
}
