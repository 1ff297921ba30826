/** Patterns that a search excludes by default ("vibe tool system › Grep Tool": exclude patterns), in the syntax of .gitignore. */
export const DEFAULT_EXCLUDES: readonly string[] =
  `.venv/ venv/ .env/ env/ node_modules/ .git/ __pycache__/ .pytest_cache/ .mypy_cache/ .tox/ .nox/ .coverage/ htmlcov/ dist/ build/ .idea/
  .vscode/ *.egg-info *.pyc *.pyo *.pyd .DS_Store Thumbs.db`.split(/\s+/);
