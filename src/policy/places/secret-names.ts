import {wordList} from '../word-list.ts';

/** Folders that hold keys, and nothing else that matters. */
export const SECRET_FOLDERS: ReadonlySet<string> = new Set(
  wordList('.ssh .gnupg .aws .azure .kube .password-store .gcloud .oci .secrets .bitcoin .ethereum .electrum'),
);

/** True for a name of a file that holds secrets by habit. Templates (`.env.example`) hold none. The name is a plain one. */
export function isSecretName(name: string): boolean {
  if (TEMPLATE.test(name) || CODE.test(name)) return false;
  return FILES.has(name) || SHAPES.some((shape) => shape.test(name));
}

/** Sample names that represent all of them, for comparison with a glob. */
export function secretNames(): readonly string[] {
  return [...FILES, ...EXAMPLES];
}

const FILES: ReadonlySet<string> = new Set(
  wordList(`
  .env .envrc .dev.vars .netrc _netrc .netrc.gpg .authinfo .authinfo.gpg .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials .pypirc
  .dockercfg .s3cfg .boto .vault-token .htpasswd .terraformrc terraform.rc credentials.tfrc.json .databrickscfg rclone.conf .ftpconfig
  .bash_history .zsh_history .sh_history .fish_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history
  .rediscli_history .irb_history .credentials.json credentials.json credentials.db credentials.yml credentials.yaml
  credentials.toml application_default_credentials.json master.key local.settings.json terraform.tfstate terraform.tfstate.backup
  .secret .secrets secrets.json secrets.yml secrets.yaml secrets.toml secrets.env secrets.ini secrets.properties secret.json
  secret.yml secret.yaml secret.key krb5.keytab login.keychain-db
`),
);

const SHAPES: readonly RegExp[] = [
  /^\.env[.\-_].+$/,
  /^[\w.-]*\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)\w*$/,
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx?|ppk|keytab|agekey|ovpn|tfstate|tfvars|keychain(?:-db)?)$/,
  /^\.?secrets?\..+\.(?:json|ya?ml|toml|env|ini|txt)$/,
  /^(?:client_secret|service[-_]account|firebase-adminsdk).*\.json$/,
];

const EXAMPLES: readonly string[] = wordList(
  '.env.local .env.production id_rsa id_ed25519 server.pem private.key prod.env terraform.tfvars',
);

/** Words by which code calls the environment: search terms, not files. */
const CODE = /^(?:process|(?:import\.)?meta|deno|bun)\.env$/;

/** At the end, or before the ending that says what kind of file it is. Public keys are not secret either. */
const TEMPLATE =
  /(?:[.\-_](?:example|sample|template|dist|tmpl|tpl)(?:\.(?:json|ya?ml|toml|ini|txt|env|properties|tfvars))?|^(?:example|sample|template)\.env|\.pub(?:\.pem|\.key)?|^public[\w-]*\.(?:pem|key))$/;
