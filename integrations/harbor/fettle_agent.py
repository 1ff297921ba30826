"""Fettle as an installed agent of Harbor (https://harborframework.com).

    PYTHONPATH=integrations/harbor harbor run --agent fettle_agent:FettleAgent --model anthropic/MODEL --path TASKS

Older versions of Harbor say `--agent-import-path`. Options, with `--ak NAME=VALUE`: `package` is what is installed, a name of the npm
registry or a file made with `npm run build && npm pack ./dist`; `toolset`, `max_turns` and `max_cost` are those of `fettle exec`. Keys of
providers come from the environment, or from `--ae NAME=VALUE`.

In the task's container Fettle runs without a person and without its own sandbox: the container is one. Its events go to
`agent/events.jsonl` of the trial, its trajectory (ATIF) to `agent/trajectory.json`.

The file is tested against a stand-in for Harbor's base class (test/e2e/harbor-agent.test.ts), not against Harbor itself.
"""

import json
import os
import shlex
from pathlib import Path

from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template

NODE_VERSION = "24.15.0"
INSTALLED = "/opt/fettle"
LOGS = "/logs/agent"
HOME = "/tmp/fettle-home"

# Variables of the host that a run may need. Those of other providers stay on the host.
PROVIDER_VARIABLES = {
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "gemini": ("GEMINI_API_KEY", "GEMINI_BASE_URL"),
    "mistral": ("MISTRAL_API_KEY", "MISTRAL_BASE_URL"),
    "openrouter": ("OPENROUTER_API_KEY",),
}

# Outcomes of a run that the tests of a task judge like any other: no answer, a denied call, a limit, a loop, blocked.
JUDGED_EXIT_CODES = (1, 3, 4, 5, 6)


class FettleAgent(BaseInstalledAgent):
    SUPPORTS_ATIF = True

    def __init__(self, *args, package=None, toolset=None, max_turns=None, max_cost=None, **kwargs):
        super().__init__(*args, **kwargs)
        self._package = package
        self._options = {"--toolset": toolset, "--max-turns": max_turns, "--max-cost": max_cost}

    @staticmethod
    def name():
        return "fettle"

    def get_version_command(self):
        return f"{INSTALLED}/bin/fettle --version"

    async def install(self, environment):
        package = self._package or f"fettle@{getattr(self, '_version', None) or 'latest'}"
        if Path(package).is_file():
            await environment.upload_file(Path(package), "/tmp/fettle.tgz")
            package = "/tmp/fettle.tgz"
        await self.exec_as_root(environment, command=install_script(package))

    @with_prompt_template
    async def run(self, instruction, environment, context):
        env = {"FETTLE_HOME": HOME, **self._provider_variables()}
        prepare = ["set -e", f"mkdir -p {LOGS} {HOME}", f"cat > {HOME}/config.toml <<'END_OF_CONFIG'\n{self._config()}END_OF_CONFIG"]
        skills = getattr(self, "skills_dir", None)
        if skills:
            prepare.append(f"mkdir -p {HOME}/skills && cp -R {shlex.quote(str(skills))}/. {HOME}/skills/")
        await self.exec_as_agent(environment, command="\n".join(prepare), env=env)
        try:
            await self.exec_as_agent(environment, command=self._run_command(instruction), env=env)
        finally:
            # Also for a run that was stopped in the middle: its log is whole up to there.
            await self.exec_as_agent(environment, command=EXPORT, env=env)

    def populate_context_post_run(self, context):
        try:
            trajectory = json.loads((Path(self.logs_dir) / "trajectory.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return
        metrics = trajectory.get("final_metrics") or {}
        context.n_input_tokens = metrics.get("total_prompt_tokens")
        context.n_output_tokens = metrics.get("total_completion_tokens")
        context.n_cache_tokens = metrics.get("total_cached_tokens")
        context.cost_usd = metrics.get("total_cost_usd")

    def _run_command(self, instruction):
        words = [f"{INSTALLED}/bin/fettle", "exec", "--json", "--mode", "full-auto", "--no-sandbox"]
        if getattr(self, "model_name", None):
            words += ["--model", self.model_name]
        for option, value in self._options.items():
            words += [] if value is None else [option, str(value)]
        line = " ".join(shlex.quote(word) for word in [*words, "-"])
        judged = "|".join(str(code) for code in JUDGED_EXIT_CODES)
        return "\n".join(
            [
                f"printf %s {shlex.quote(instruction)} | {line} > {LOGS}/events.jsonl 2> {LOGS}/fettle.txt",
                f"code=$?; case $code in {judged}) code=0 ;; esac",
                f"[ $code = 0 ] || tail -n 20 {LOGS}/fettle.txt >&2",
                "exit $code",
            ]
        )

    def _config(self):
        """MCP servers of the task, as Fettle's configuration; TOML reads texts and lists of JSON."""
        lines = ["# Written for one trial."]
        for server in getattr(self, "mcp_servers", None) or []:
            transport = {"stdio": "stdio", "streamable-http": "http", "http": "http"}.get(server.transport)
            if transport is None:
                raise ValueError(f"Fettle has no MCP transport {server.transport} (server {server.name}).")
            lines += ["[[mcp_servers]]", f"name = {json.dumps(server.name)}", f"transport = {json.dumps(transport)}"]
            if transport == "stdio":
                lines += [f"command = {json.dumps(server.command)}", f"args = {json.dumps(list(server.args or []))}"]
            else:
                lines.append(f"url = {json.dumps(server.url)}")
        return "\n".join(lines) + "\n"

    def _provider_variables(self):
        provider = (getattr(self, "model_name", None) or "").split("/")[0]
        names = PROVIDER_VARIABLES.get(provider, ())
        return {name: os.environ[name] for name in names if os.environ.get(name)}


EXPORT = f"""
id=$(sed -n '1s/.*"thread_id":"\\([A-Za-z0-9_]*\\)".*/\\1/p' {LOGS}/events.jsonl)
[ -z "$id" ] || {INSTALLED}/bin/fettle sessions export "$id" --format atif > {LOGS}/trajectory.json.new
[ -z "$id" ] || mv {LOGS}/trajectory.json.new {LOGS}/trajectory.json
"""


def install_script(package):
    """Installs Node, if the image has none that is new enough, and Fettle, below one folder."""
    major, minor, _ = NODE_VERSION.split(".")
    is_new = f"const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > {major} || (a === {major} && b >= {minor}) ? 0 : 1)"
    return f"""
set -e
mkdir -p {INSTALLED}/bin
if [ ! -x {INSTALLED}/bin/fettle ]; then
  if ! command -v node > /dev/null || ! command -v npm > /dev/null || ! node -e {shlex.quote(is_new)}; then
    if ! command -v curl > /dev/null || ! command -v xz > /dev/null; then
      if command -v apt-get > /dev/null; then apt-get update -qq && apt-get install -y -qq curl xz-utils ca-certificates
      elif command -v apk > /dev/null; then apk add --no-cache curl xz
      elif command -v dnf > /dev/null; then dnf install -y -q curl xz
      fi
    fi
    case $(uname -m) in x86_64) machine=x64 ;; aarch64 | arm64) machine=arm64 ;; *) echo "no Node for $(uname -m)" >&2; exit 1 ;; esac
    curl -fsSL "https://nodejs.org/dist/v{NODE_VERSION}/node-v{NODE_VERSION}-linux-$machine.tar.xz" | tar -xJ -C {INSTALLED} --strip-components=1
    PATH={INSTALLED}/bin:$PATH
  fi
  npm install --no-audit --no-fund --prefix {INSTALLED}/package {shlex.quote(package)}
  # The launcher takes the Node that is beside it or on PATH; the agent's user may have another PATH.
  printf '#!/bin/sh\\nPATH=%s:$PATH exec %s/package/node_modules/.bin/fettle "$@"\\n' "$(dirname "$(command -v node)")" {INSTALLED} > {INSTALLED}/bin/fettle
  chmod 755 {INSTALLED}/bin/fettle
fi
{INSTALLED}/bin/fettle --version
"""
