//! The table of workflow files (reference: Workflow YAML Grammar; `gate` is of decision 4).

use super::APPROVALS_MAX;
use crate::grammar::{
    Key, Kind, Preset, Scope, With,
    form::{ANY, COMMAND, MOUNT, NAME, PARAMETER, PATH, REFERENCE, REPO, ROLE, SAID},
    shared::{COMPLEXITIES, MINUTES, MODEL, OUTPUT, REASONING, SAMPLING, SKILLS},
};

const ARGS: Key = Key::new("args", Kind::Arguments, "Its arguments, each handed over as it is written; no shell.");

/// A file.
pub(crate) static WORKFLOW: Scope = Scope::new(
    "a workflow",
    "workflow",
    &[
        Key::new("name", Kind::Text(&SAID), "The workflow's name: that of its file, without the ending.").required(),
        Key::new("description", Kind::Text(&ANY), "What the workflow is for, for people."),
        Key::new("trigger", Kind::Anything, "From older files. It is accepted and means nothing."),
        Key::new(
            "inputs",
            Kind::List(&Kind::Map(&INPUT), 0),
            "The parameters that every step which mounts this workflow gives it.",
        ),
        Key::new(
            "outputs",
            Kind::Either(&[Kind::Text(&NAME), Kind::List(&Kind::Text(&NAME), 0)]),
            "The steps whose comments are the workflow's results.",
        ),
        Key::new("gate", Kind::Map(&GATE), "What it takes to release this workflow's gates, besides write permission."),
        Key::new("steps", Kind::List(&Kind::Map(&STEP), 1), "The steps. The first is where the workflow is entered.")
            .required(),
    ],
);

static INPUT: Scope = Scope::new(
    "an input",
    "input",
    &[
        Key::new("name", Kind::Text(&PARAMETER), "The parameter's name. Steps refer to it as `input.NAME`.").required(),
        Key::new(
            "kind",
            Kind::Word(&["exec", "str"]),
            "`exec`: the output of a command that runs when the value is needed. `str`: a constant text.",
        )
        .required(),
        Key::new("required", Kind::Flag, "Whether a step that uses it fails where it has no value.")
            .preset(Preset::Flag(true)),
    ],
);

static GATE: Scope = Scope::new(
    "`gate`",
    "gate",
    &[
        Key::new(
            "not_by",
            Kind::Word(&["initiator"]),
            "Who may not release: `initiator` is the person who started the run.",
        ),
        Key::new(
            "approvals",
            Kind::Number { least: 1, most: Some(APPROVALS_MAX as u64) },
            "How many people must approve.",
        )
        .preset(Preset::Number(1)),
    ],
);

/// A step.
pub(super) static STEP: Scope = Scope::new(
    "a step",
    "step",
    &[
        Key::new("name", Kind::Text(&NAME), "The step's name, which no other step of the file has.").required(),
        Key::new("agent", Kind::Text(&ROLE), "The role that does the step's work."),
        Key::new(
            "workflow",
            Kind::Text(&MOUNT),
            "A workflow that does the step's work: its name, or its path such as `part/build.yaml`.",
        ),
        Key::new(
            "repo",
            Kind::Text(&REPO),
            "A workflow of another repository: `owner/name//path/to/file.yaml@ref`, best with a full commit.",
        ),
        Key::new("script", Kind::Map(&SCRIPT), "A program that does the step's work: `pass` or `fail` is its result."),
        Key::new("pre_hook", Kind::Map(&HOOK), "A program before the agent. The step fails if it fails.")
            .with(With::Agent),
        Key::new("post_hook", Kind::Map(&HOOK), "A program after the agent, whatever came of it. It decides nothing.")
            .with(With::Agent),
        Key::new(
            "inputs",
            Kind::Either(&[Kind::Named(&PARAMETER, &BINDING), Kind::List(&Kind::Text(&NAME), 0)]),
            "What the step is given, by name: the parameters of a mounted workflow, or values for an agent. \
             A list of steps stands for the comments of each.",
        )
        .with(With::AgentOrMount),
        Key::new("skill", Kind::List(&SKILLS, 0), "Skills for the agent. A bare name is put into the prompt.")
            .with(With::Agent),
        Key::new(
            "prompt",
            Kind::Text(&ANY),
            "What the agent is told at this step. `{{ STEP }}` stands for the newest comment of that step.",
        )
        .with(With::Agent),
        Key::new("complexity", Kind::Word(&COMPLEXITIES), "How hard the work is: it picks the tier.").with(With::Agent),
        MODEL.with(With::Agent),
        REASONING.with(With::Agent),
        Key::new("sampling", Kind::Map(&SAMPLING), "How the model's words are drawn at this step.").with(With::Agent),
        Key::new("output", Kind::Map(&OUTPUT), "What the agent's report has to hold at this step.").with(With::Agent),
        Key::new("human_gate", Kind::Flag, "Whether a person has to release every advance out of the step.")
            .preset(Preset::Flag(false)),
        Key::new(
            "conditions",
            Kind::List(&Kind::Map(&CONDITION), 0),
            "Where each result leads, looked at in order and before `next`.",
        ),
        Key::new("next", Kind::Target, "The step after this one; null is the end of the workflow."),
    ],
)
.exactly_one(&["agent", "workflow", "repo", "script"])
.choice_rule("L3")
.has_name();

static SCRIPT: Scope = Scope::new(
    "a script",
    "script",
    &[
        Key::new("command", Kind::Text(&COMMAND), "A program's name, or the path of a script of the repository.")
            .required(),
        ARGS,
        Key::new("working_dir", Kind::Text(&PATH), "The folder to run in; without it, the top of the checkout."),
        Key::new("env", Kind::Variables, "Variables for the program, in place of inherited ones of the same name."),
        MINUTES,
    ],
);

static HOOK: Scope = Scope::new(
    "a hook",
    "hook",
    &[Key::new("path", Kind::Text(&PATH), "The path of a script of the repository.").required(), ARGS, MINUTES],
);

static CONDITION: Scope = Scope::new(
    "a condition",
    "condition",
    &[
        Key::new("on_result", Kind::Text(&SAID), "The result it waits for; `default` takes what no other took.")
            .required(),
        Key::new("next", Kind::Target, "The step that the result leads to; null is the end of the workflow.")
            .required(),
    ],
);

static BINDING: Kind = Kind::Either(&[Kind::Text(&REFERENCE), Kind::Map(&VALUE)]);
static VALUE: Scope = Scope::new(
    "a value",
    "value",
    &[
        Key::new("exec", Kind::Command, "A command; its output is the value. It runs when the value is needed."),
        Key::new("str", Kind::Text(&ANY), "The text itself."),
    ],
)
.exactly_one(&["exec", "str"]);
