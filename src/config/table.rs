//! The table of the settings.

use super::form::{ACCOUNT, ADDRESS, KEY, LOGIN, PROVIDER};
use crate::{
    agent::WORKSPACE_TOOLS,
    grammar::{
        Bounds, COUNT_MAX, Key, Kind, Preset, Scope,
        form::{MODEL_NAME, NAME, PATH, ROLE, SAID},
        shared::{
            COMPLEXITIES, MAX_OUTPUT_TOKENS, MIN_P, MINUTES, MODEL, OUTPUT, PRESENCE_PENALTY, REASONING,
            REPETITION_PENALTY, SAMPLING, SKILLS, TEMPERATURE, TOP_K, TOP_P,
        },
    },
};

/// A file of settings.
pub(crate) static CONFIG: Scope = Scope::new(
    "the configuration",
    "config",
    &[
        Key::new("workflow", Kind::Text(&NAME), "The workflow of a thread that has none yet.")
            .preset(Preset::Word("default")),
        Key::new(
            "model",
            Kind::Text(&MODEL_NAME),
            "The model of agents that want no other: one of `models`, or a name as its service knows it.",
        )
        .preset(Preset::Word("default")),
        Key::new("models", Kind::Named(&MODEL_NAME, &Kind::Map(&MODEL_MAP)), "The models, by the name used here."),
        Key::new(
            "providers",
            Kind::Named(&PROVIDER, &Kind::Map(&PROVIDER_MAP)),
            "The services, by the name that `models` use. `openrouter`, `vllm` and `commandcode` are built in.",
        ),
        Key::new("defaults", Kind::Map(&DEFAULTS), "What is wanted of a model where nobody else says anything."),
        Key::new("tiers", Kind::Map(&TIERS), "The least temperature of each tier, unless one is explicit."),
        Key::new("agents", Kind::Named(&ROLE, &Kind::Map(&AGENT)), "The agents, by role."),
        Key::new("limits", Kind::Map(&LIMITS), "Bounds on what a thread may use up."),
        Key::new(
            "history",
            Kind::Number { least: 0, most: Some(10_000) },
            "How many of the last relevant comments an agent is shown; 0 shows all.",
        ),
        Key::new(
            "trusted_actors",
            Kind::List(&Kind::Text(&ACCOUNT), 0),
            "Accounts besides the engine's own whose state blocks count: ids, or logins as `\"@login\"`.",
        ),
        Key::new("engine_login", Kind::Text(&LOGIN), "The engine's account, where the service does not tell it."),
        Key::new(
            "trust",
            Kind::Word(&["initiator", "maintainers"]),
            "Whose words may be an agent's instructions: those of the person who started the run, or those of all \
             maintainers.",
        )
        .preset(Preset::Word("initiator")),
        Key::new("prompt", Kind::Map(&PROMPT), "How prompts are put together."),
        Key::new("llm", Kind::Map(&LLM), "How models are asked."),
    ],
);

static MODEL_MAP: Scope = Scope::new(
    "a model",
    "model",
    &[
        Key::new("provider", Kind::Text(&PROVIDER), "Who provides it; without one, the service of `--model`."),
        Key::new(
            "name",
            Kind::Text(&MODEL_NAME),
            "Its name, as its service knows it; without one, as it is called here.",
        ),
        Key::new(
            "context_tokens",
            Kind::Number { least: 1, most: Some(COUNT_MAX) },
            "How many tokens fit into its window.",
        ),
        Key::new("fixed_sampling", Kind::Flag, "Whether its service refuses a temperature and the like.")
            .preset(Preset::Flag(false)),
        Key::new("prices", Kind::Map(&PRICES), "What a million of its tokens cost, in dollars."),
    ],
);

static PRICES: Scope = Scope::new(
    "`prices`",
    "prices",
    &[
        Key::new("input", Kind::Dollars, "Dollars for a million tokens of a prompt.").required(),
        Key::new(
            "cached",
            Kind::Dollars,
            "Dollars for a million tokens of a prompt that the provider had cached; without one, as any other.",
        ),
        Key::new("output", Kind::Dollars, "Dollars for a million tokens of an answer, with its reasoning.").required(),
    ],
);

static PROVIDER_MAP: Scope = Scope::new(
    "a provider",
    "provider",
    &[
        Key::new(
            "kind",
            Kind::Word(&["openai", "openrouter", "vllm", "commandcode"]),
            "Which extras of the protocol it takes: `openai` is any service that is compatible.",
        )
        .preset(Preset::Word("openai")),
        Key::new("base_url", Kind::Text(&ADDRESS), "Its address, up to `/chat/completions`."),
        Key::new("key", Kind::Text(&KEY), "The name of the variable that holds its key. Never the key itself."),
    ],
);

static DEFAULTS: Scope = Scope::new(
    "`defaults`",
    "defaults",
    &[REASONING, TEMPERATURE, TOP_P, TOP_K, MIN_P, PRESENCE_PENALTY, REPETITION_PENALTY, MAX_OUTPUT_TOKENS],
);

static TIERS: Scope = Scope::new(
    "`tiers`",
    "tiers",
    &[
        Key::new("low", FLOOR, "The least temperature at `low`.").preset(Preset::Decimal(0.0)),
        Key::new("medium", FLOOR, "The least temperature at `medium`.").preset(Preset::Decimal(0.2)),
        Key::new("high", FLOOR, "The least temperature at `high`.").preset(Preset::Decimal(0.4)),
    ],
);
const FLOOR: Kind = Kind::Decimal(Bounds::of(0, 2));

static AGENT: Scope = Scope::new(
    "an agent",
    "agent",
    &[
        Key::new(
            "prompt",
            Kind::Text(&PATH),
            "The path of its prompt in the repository; without one, `agents/ROLE.md` beside the workflows.",
        ),
        MODEL,
        REASONING,
        Key::new("sampling", Kind::Map(&SAMPLING), "How its model's words are drawn."),
        Key::new("complexity_overrides", Kind::Map(&OVERRIDES), "What it wants instead at a tier."),
        Key::new("skills", Kind::List(&SKILLS, 0), "Skills of the agent. A bare name is put into the prompt."),
        Key::new(
            "tools",
            Kind::List(&Kind::Word(&WORKSPACE_TOOLS), 0),
            "The workspace tools it may use; none unless listed.",
        ),
        Key::new(
            "commands",
            Kind::List(&Kind::Command, 1),
            "The commands that `run_command` may run: those that begin with one of these.",
        ),
        Key::new(
            "runtime",
            Kind::Either(&[Kind::Word(&["model"]), Kind::Map(&RUNTIME)]),
            "What does its work: a model, or a program.",
        )
        .preset(Preset::Word("model")),
        Key::new("phase", Kind::Text(&SAID), "The phase that its steps are in."),
        Key::new("output", Kind::Map(&OUTPUT), "What its reports have to hold, where a step says nothing."),
    ],
);

static OVERRIDES: Scope = Scope::new(
    "`complexity_overrides`",
    "complexity_overrides",
    &[
        Key::new(COMPLEXITIES[0], Kind::Map(&OVERRIDE), "At `low`."),
        Key::new(COMPLEXITIES[1], Kind::Map(&OVERRIDE), "At `medium`."),
        Key::new(COMPLEXITIES[2], Kind::Map(&OVERRIDE), "At `high`."),
    ],
);
static OVERRIDE: Scope = Scope::new(
    "an override",
    "override",
    &[MODEL, REASONING, Key::new("sampling", Kind::Map(&SAMPLING), "How the model's words are drawn at this tier.")],
);

static RUNTIME: Scope = Scope::new(
    "a program that is an agent",
    "runtime",
    &[
        Key::new(
            "command",
            Kind::Command,
            "The program and its arguments. It is given the prompt, and its output is the report.",
        )
        .required(),
        MINUTES,
    ],
);

static LIMITS: Scope = Scope::new(
    "`limits`",
    "limits",
    &[
        count("rounds", 25, "Agent comments since a person last wrote."),
        count("same_step", 5, "Runs of one step in a row."),
        count("gate_rework", 3, "How often people may send one step back at its gate."),
        count("refine_rounds", 5, "Rounds of refinement in a thread."),
        count("step_turns", 40, "Turns of a model in one step."),
        chars("record_chars", 16_000, "Characters of a comment that is not pinned, before it is cut with a note."),
        chars("input_chars", 60_000, "Characters of one input's value in a prompt."),
        Key::new(
            "tool_bytes",
            Kind::Number { least: 1, most: Some(TOOL_BYTES_MAX) },
            "Bytes of what one use of a workspace tool gives back.",
        )
        .preset(Preset::Number(65_536)),
        Key::new(
            "tool_seconds",
            Kind::Number { least: 1, most: Some(SECONDS_MAX) },
            "Seconds that one use of a workspace tool may take.",
        )
        .preset(Preset::Number(60)),
        budget("run_turns", "Turns of models in one run."),
        budget("issue_turns", "Turns of models in one thread."),
        budget("step_tokens", "Tokens in one step."),
        budget("run_tokens", "Tokens in one run."),
        budget("issue_tokens", "Tokens in one thread."),
        budget("step_minutes", "Minutes of models and their tools in one step."),
        budget("run_minutes", "Minutes of models and their tools in one run."),
        budget("issue_minutes", "Minutes of models and their tools in one thread."),
        Key::new("step_cost_usd", Kind::Dollars, "Dollars that one step may cost."),
        Key::new("run_cost_usd", Kind::Dollars, "Dollars that one run may cost."),
        Key::new("issue_cost_usd", Kind::Dollars, "Dollars that one thread may cost."),
    ],
);

const fn count(name: &'static str, preset: u64, words: &'static str) -> Key {
    Key::new(name, Kind::Number { least: 1, most: Some(COUNTS_MAX) }, words).preset(Preset::Number(preset))
}

const fn chars(name: &'static str, preset: u64, words: &'static str) -> Key {
    Key::new(name, Kind::Number { least: 1, most: Some(CHARS_MAX) }, words).preset(Preset::Number(preset))
}

const fn budget(name: &'static str, words: &'static str) -> Key {
    Key::new(name, Kind::Number { least: 1, most: Some(COUNT_MAX) }, words)
}

static PROMPT: Scope = Scope::new(
    "`prompt`",
    "prompt",
    &[Key::new(
        "order",
        Kind::Word(&["thread-first", "role-first"]),
        "What stands first: what all steps share, so that providers can cache it, or the role.",
    )
    .preset(Preset::Word("thread-first"))],
);

static LLM: Scope = Scope::new(
    "`llm`",
    "llm",
    &[
        Key::new("stream", Kind::Flag, "Whether answers come piece by piece, with progress.")
            .preset(Preset::Flag(false)),
        Key::new(
            "timeout_seconds",
            Kind::Number { least: 1, most: Some(SECONDS_MAX) },
            "How long one request to a model may take.",
        )
        .preset(Preset::Number(600)),
    ],
);

/// A thread has no more comments than a quarter of this.
const COUNTS_MAX: u64 = 10_000;
/// More than a window of a million tokens holds.
const CHARS_MAX: u64 = 4_000_000;
/// More would fill a window.
const TOOL_BYTES_MAX: u64 = 1024 * 1024;
/// An hour.
const SECONDS_MAX: u64 = 3_600;
