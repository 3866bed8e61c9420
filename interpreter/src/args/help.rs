//! What stands below the help of each command: examples, exit codes, the environment.

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done: advanced, held, ended, or nothing to do
  1  the run failed, a recording does not replay, or lint found something
  2  wrong usage, configuration or input; no model where a step needs one
  3  an outside service failed for good";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  nebuko run --local demo --model script:answers.json
  nebuko run --repo acme/site --issue 12 --model https://openrouter.ai/api/v1 --model-name some/model
  nebuko run --event-path \"$GITHUB_EVENT_PATH\" --single-step --model http://127.0.0.1:8000/v1
  nebuko run --thread thread.json --dry-run
  nebuko run --local demo --model script:answers.json --record run.jsonl && nebuko replay run.jsonl

Environment:
  GH_PAT, GITHUB_TOKEN, GH_TOKEN     the token for GitHub; the first that is set
  OPENROUTER_API_KEY                 the key for openrouter.ai, and for nobody else
  COMMANDCODE_API_KEY                the key for commandcode.ai, and for nobody else
  LOCAL_VLLM_API_TOKEN               the key for a service on this machine or in the own network
  NEBUKO_API_KEY                     the key for any other service; none is needed where none is asked for
  GITHUB_REPOSITORY, GITHUB_API_URL  the repository and the API's address, where no argument gives them
  HISTORY_COMMENT_COUNT              as --history
Tokens and keys go over https, or to this machine; only NEBUKO_API_KEY goes wherever --model says.";

pub(super) const LEDGER_EXAMPLES: &str = "\
Examples:
  nebuko ledger --local demo
  nebuko ledger --repo acme/site --issue 12 --json | jq '.records[] | select(.trusted)'
  nebuko ledger --thread thread.json --actor-login 'nebuko[bot]' --trigger-login dana";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  nebuko explain --local demo
  nebuko explain --repo acme/site --issue 12 --json | jq '.comments[] | {id, reason, why}'
  nebuko explain --thread thread.json --workflows flows";

pub(super) const PROMPT_EXAMPLES: &str = "\
Examples:
  nebuko prompt --local demo
  nebuko prompt --repo acme/site --issue 12 --blocks
  nebuko prompt --thread thread.json --history 5 --json";

pub(super) const STATE_SHOW_EXAMPLES: &str = "\
Examples:
  nebuko state show --local demo
  nebuko state show --repo acme/site --issue 12 --json";

pub(super) const STATE_EXTRACT_EXAMPLES: &str = "\
Examples:
  nebuko state extract comment.md
  gh api repos/acme/site/issues/comments/99 --jq .body | nebuko state extract -
  nebuko state extract --local demo";

pub(super) const METRICS_EXAMPLES: &str = "\
Examples:
  nebuko metrics --local demo
  nebuko metrics --repo acme/site --issue 12 --by agent
  nebuko metrics recordings --by issue
  nebuko metrics run.jsonl --json | jq '.total | {cost_usd, cache_hit_rate, repeated: .prompt.repeated_rate}'

CACHED is the share of prompt tokens that the service reports as cached. REPEATED is the share of prompt bytes that
repeat the request before; only recordings have the requests.";

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  nebuko replay run.jsonl
  nebuko replay recordings/*.jsonl --json

Exit codes: 0 all replay byte for byte, 1 a difference or a recording that was cut short, 2 unreadable";

pub(super) const SCHEMA_EXAMPLES: &str = "\
Examples:
  nebuko schema workflow > .nebuko/workflow.schema.json
In a workflow's first line, for the YAML language server:
  # yaml-language-server: $schema=../workflow.schema.json
In the first line of .nebuko/config.yaml, after `nebuko schema config > .nebuko/config.schema.json`:
  # yaml-language-server: $schema=config.schema.json";

pub(super) const CONFIG_SHOW_EXAMPLES: &str = "\
Examples:
  nebuko config show
  nebuko config show --origin
  nebuko config show dev --origin
  nebuko config show --json | jq '.settings[] | select(.origin != \"built-in\")'

With a role it shows what that agent works with at each tier. Of a key it tells whether its variable is set, and no more.";

pub(super) const LINT_EXAMPLES: &str = "\
Examples:
  nebuko lint
  nebuko lint flows/release.yaml --fix --dry-run
  nebuko lint --format github --deny-warnings
  git show HEAD:.nebuko/workflows/release.yaml | nebuko lint - --stdin-name .nebuko/workflows/release.yaml
  nebuko lint --explain L9

A comment `# nebuko: ignore[L5] the reason` lets a finding of that rule pass; --list has the rules.

Exit codes: 0 no findings, or warnings only; 1 errors, or warnings with --deny-warnings; 2 wrong usage, no such path";

pub(super) const GRAPH_EXAMPLES: &str = "\
Examples:
  nebuko graph default
  nebuko graph .nebuko/workflows/release.yaml --format svg -o release.svg
  nebuko graph release --depth 3 --format dot | dot -Tpng -o release.png
  nebuko graph release --json | jq '.edges[] | select(.loop)'";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  nebuko completions bash > ~/.local/share/bash-completion/completions/nebuko
  nebuko completions zsh > ~/.zfunc/_nebuko";
