//! The rules, in the order of their numbers.

use super::{
    Rule, findings::Findings, l01_unique_steps, l02_known_targets, l03_one_work, l04_file_name, l05_unreachable,
    l06_no_end, l07_mounts, l08_bound_inputs, l09_input_kinds, l10_references, l11_catch_all, l12_fail_route,
    l13_jumped_gate, l14_tainted, l15_pinned, l16_unbounded, l17_roles, l18_skills, l19_keys, l20_values, l21_ignores,
    l22_syntax, l23_timeout, l24_dead_route, l25_idle_gate, l26_command_line, reading::Reading,
};

static RULES: [Rule; 26] = [
    l01_unique_steps::RULE,
    l02_known_targets::RULE,
    l03_one_work::RULE,
    l04_file_name::RULE,
    l05_unreachable::RULE,
    l06_no_end::RULE,
    l07_mounts::RULE,
    l08_bound_inputs::RULE,
    l09_input_kinds::RULE,
    l10_references::RULE,
    l11_catch_all::RULE,
    l12_fail_route::RULE,
    l13_jumped_gate::RULE,
    l14_tainted::RULE,
    l15_pinned::RULE,
    l16_unbounded::RULE,
    l17_roles::RULE,
    l18_skills::RULE,
    l19_keys::RULE,
    l20_values::RULE,
    l21_ignores::RULE,
    l22_syntax::RULE,
    l23_timeout::RULE,
    l24_dead_route::RULE,
    l25_idle_gate::RULE,
    l26_command_line::RULE,
];

/// What looks for the rules that the parser does not know. Those that a run holds come first, so that what else is
/// wrong with a file never fills the list before them.
pub(super) static CHECKS: [fn(&Reading<'_>, &mut Findings); 18] = [
    l07_mounts::check,
    l08_bound_inputs::check,
    l09_input_kinds::check,
    l10_references::check,
    l17_roles::check,
    l05_unreachable::check,
    l06_no_end::check,
    l11_catch_all::check,
    l12_fail_route::check,
    l13_jumped_gate::check,
    l14_tainted::check,
    l15_pinned::check,
    l16_unbounded::check,
    l18_skills::check,
    l23_timeout::check,
    l24_dead_route::check,
    l25_idle_gate::check,
    l26_command_line::check,
];

/// Gives the rules, in the order of their numbers.
pub fn rules() -> &'static [Rule] {
    &RULES
}

/// Finds a rule by its id or its name; case does not count.
pub fn rule(id_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| [rule.id, rule.name].iter().any(|own| own.eq_ignore_ascii_case(id_or_name)))
}
