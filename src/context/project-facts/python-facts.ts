import {isJsonObject, type JsonObject} from '../../base/json.ts';
import {parseToml} from '../../config/parse-toml.ts';
import type {FactFiles, Facts, NamedCommand} from './fact-files.ts';

/** Reads facts from pyproject.toml and the files beside it. */
export async function pythonFacts(files: FactFiles, names: readonly string[]): Promise<Facts> {
  const signs = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini', 'manage.py'];
  if (!signs.some((name) => names.includes(name))) return {commands: [], conventions: []};
  const tool = toolsOf(names.includes('pyproject.toml') ? await files.text('pyproject.toml') : undefined);
  const uses = (name: string, ...files: readonly string[]): boolean =>
    tool[name] !== undefined || files.some((file) => names.includes(file));
  const {install, run} = RUNNERS.find(({lock, table}) => names.includes(lock) || tool[table] !== undefined) ?? PIP;
  const commands: NamedCommand[] = [{what: 'Install', command: names.includes('requirements.txt') && run === '' ? REQUIREMENTS : install}];
  const add = (what: string, command: string, isUsed: boolean): void => {
    if (isUsed) commands.push({what, command: `${run}${command}`});
  };
  add('Test', 'pytest', uses('pytest', 'pytest.ini', 'conftest.py') || names.includes('tests'));
  add('Test', 'tox', names.includes('tox.ini'));
  add('Lint', 'ruff check .', uses('ruff', 'ruff.toml', '.ruff.toml'));
  add('Lint', 'flake8', names.includes('.flake8'));
  add('Types', 'mypy .', uses('mypy', 'mypy.ini'));
  add('Types', 'pyright', uses('pyright', 'pyrightconfig.json'));
  add('Format', 'black .', uses('black'));
  return {commands, conventions: [`Python${run === '' ? '' : `, packages: ${run.split(' ')[0]}`}.`]};
}

interface Runner {
  readonly lock: string;
  readonly table: string;
  readonly install: string;
  readonly run: string;
}

const RUNNERS: readonly Runner[] = [
  {lock: 'uv.lock', table: 'uv', install: 'uv sync', run: 'uv run '},
  {lock: 'poetry.lock', table: 'poetry', install: 'poetry install', run: 'poetry run '},
  {lock: 'pdm.lock', table: 'pdm', install: 'pdm install', run: 'pdm run '},
  {lock: 'Pipfile.lock', table: 'pipenv', install: 'pipenv install --dev', run: 'pipenv run '},
];
const PIP = {install: 'pip install -e .', run: ''};
const REQUIREMENTS = 'pip install -r requirements.txt';

function toolsOf(text: string | undefined): JsonObject {
  if (text === undefined) return {};
  const parsed = parseToml(new TextEncoder().encode(text));
  const tool = parsed.ok ? parsed.value['tool'] : undefined;
  return isJsonObject(tool) ? tool : {};
}
