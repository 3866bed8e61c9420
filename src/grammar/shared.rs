//! What workflow files and the settings both have: skills, fields of reports, the model and its sampling.

use super::{
    Bounds, Key, Kind, Preset, Scope,
    form::{ANY, FIELD, MODEL_NAME, SKILL},
};
use crate::workflow::TIMEOUT_MINUTES;

/// The tiers.
pub(crate) const COMPLEXITIES: [&str; 3] = ["low", "medium", "high"];

/// How long a program may take.
pub(crate) const MINUTES: Key = Key::new(
    "timeout_minutes",
    Kind::Number { least: 1, most: None },
    "How many minutes it may take. More than 60 counts as 60.",
)
.preset(Preset::Number(TIMEOUT_MINUTES as u64));

/// A model.
pub(crate) const MODEL: Key = Key::new(
    "model",
    Kind::Text(&MODEL_NAME),
    "The model: one of `models` in the settings, or a name as its service knows it.",
);

/// A reasoning effort.
pub(crate) const REASONING: Key = Key::new(
    "reasoning",
    Kind::Word(&["none", "low", "medium", "high", "xhigh"]),
    "How much the model thinks before it answers. `high` is the same as `xhigh`.",
);

/// An entry of a list of skills.
pub(crate) static SKILLS: Kind = Kind::Either(&[Kind::Text(&SKILL), Kind::Map(&SKILL_USE)]);
static SKILL_USE: Scope = Scope::new(
    "a skill entry",
    "skills",
    &[
        Key::new("inject", Kind::List(&Kind::Text(&SKILL), 1), "Skills whose text is put into the prompt."),
        Key::new("discover", Kind::List(&Kind::Text(&SKILL), 1), "Skills that are named, and read on demand."),
    ],
)
.exactly_one(&["inject", "discover"]);

/// What a report has to hold (reference: Step Output Fields).
pub(crate) static OUTPUT: Scope = Scope::new(
    "`output`",
    "output",
    &[Key::new(
        "fields",
        Kind::List(&Kind::Either(&[Kind::Text(&FIELD), Kind::Map(&FIELD_MAP)]), 1),
        "The fields of the report, in the order in which it shows them. A bare name is a required text.",
    )
    .required()],
);
static FIELD_MAP: Scope = Scope::new(
    "a field",
    "field",
    &[
        Key::new("name", Kind::Text(&FIELD), "The field's name, which no other field of the report has.").required(),
        Key::new("description", Kind::Text(&ANY), "What belongs into it, for the agent."),
        Key::new("required", Kind::Flag, "Whether a report without it is refused.").preset(Preset::Flag(true)),
        Key::new("kind", Kind::Word(&["text", "table", "json"]), "What its text is: markdown, a table of it, or JSON.")
            .preset(Preset::Word("text")),
    ],
);

/// How words are drawn.
pub(crate) static SAMPLING: Scope = Scope::new(
    "`sampling`",
    "sampling",
    &[TEMPERATURE, TOP_P, TOP_K, MIN_P, PRESENCE_PENALTY, REPETITION_PENALTY, MAX_OUTPUT_TOKENS],
);
pub(crate) const TEMPERATURE: Key =
    Key::new("temperature", Kind::Decimal(Bounds::of(0, 2)), "Sampling temperature; 0 draws the likeliest word.");
pub(crate) const TOP_P: Key = Key::new("top_p", Kind::Decimal(Bounds::of(0, 1)), "Nucleus sampling.");
pub(crate) const TOP_K: Key =
    Key::new("top_k", Kind::Number { least: 0, most: Some(1_000_000) }, "Draws from so many of the likeliest words.");
pub(crate) const MIN_P: Key = Key::new(
    "min_p",
    Kind::Decimal(Bounds::of(0, 1)),
    "Leaves out words below this share of the likeliest one's chance.",
);
pub(crate) const PRESENCE_PENALTY: Key =
    Key::new("presence_penalty", Kind::Decimal(Bounds::of(-2, 2)), "Makes words that were there before less likely.");
pub(crate) const REPETITION_PENALTY: Key = Key::new(
    "repetition_penalty",
    Kind::Decimal(Bounds { least: 0, above: true, most: 10 }),
    "Makes repeated words less likely: above 1.",
);
pub(crate) const MAX_OUTPUT_TOKENS: Key = Key::new(
    "max_output_tokens",
    Kind::Number { least: 1, most: Some(10_000_000) },
    "At most so many tokens in one answer.",
);
