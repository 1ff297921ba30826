import type {ServerSpec} from './server-spec.ts';

const SCRIPTS = ['typescript', 'tsx', 'javascript'];

/**
 * Servers that are used where they are installed; the first of a language that is found. Options keep them from running code of the project:
 * an edit must not become a command that nobody was asked about.
 */
export const KNOWN_SERVERS: readonly ServerSpec[] = [
  {
    name: 'tsc',
    languages: SCRIPTS,
    command: 'tsc',
    args: ['--lsp', '-stdio'],
    // Older ones are no servers.
    versionArgs: ['--version'],
    versionPattern: /^Version (?:[7-9]|\d\d)\./,
  },
  {
    name: 'typescript-language-server',
    languages: SCRIPTS,
    command: 'typescript-language-server',
    args: ['--stdio'],
    options: {plugins: []},
  },
  {name: 'pyright', languages: ['python'], command: 'pyright-langserver', args: ['--stdio']},
  {
    name: 'rust-analyzer',
    languages: ['rust'],
    command: 'rust-analyzer',
    args: [],
    options: {cargo: {buildScripts: {enable: false}}, procMacro: {enable: false}, checkOnSave: false},
  },
  {name: 'gopls', languages: ['go'], command: 'gopls', args: []},
  {name: 'clangd', languages: ['c', 'cpp'], command: 'clangd', args: ['--background-index=false']},
];
