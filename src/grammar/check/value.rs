//! What stands behind one key, by its kind.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    super::{
        Bounds, DOLLARS_MAX, Form, Kind,
        form::{ARGUMENT, COMMAND, VARIABLE},
        scalar,
        spot::Spot,
    },
    Checker, one_of,
};
use crate::yaml::{Key, Node, Value, quoted};

impl<'n> Checker<'n, '_> {
    pub(super) fn value(&mut self, node: &'n Node, kind: &'static Kind, spot: Spot<'n>) {
        match kind {
            Kind::Anything => {}
            Kind::Text(form) => self.text(node, form, spot),
            Kind::Word(words) => self.word(node, words, spot),
            Kind::Target => self.target(node, spot),
            Kind::Flag => self.flag(node, spot),
            Kind::Number { least, most } => self.number(node, *least, *most, spot),
            Kind::Decimal(bounds) => self.decimal(node, *bounds, spot),
            Kind::Dollars => self.dollars(node, spot),
            Kind::Arguments => self.arguments(node, false, spot),
            Kind::Command => self.arguments(node, true, spot),
            Kind::Variables => self.variables(node, spot),
            Kind::Map(scope) => self.within(spot.key, |checker| checker.map(node, scope)),
            Kind::List(item, least) => self.list(node, item, *least, spot),
            Kind::Named(form, value) => self.named(node, form, value, spot),
            Kind::Either(kinds) => match kinds.iter().find(|kind| has_shape(node, kind)) {
                Some(kind) => self.value(node, kind, spot),
                None => self.wrong_kind(node, shapes(kinds), "", spot),
            },
        }
    }

    fn within(&mut self, key: &'n str, look: impl FnOnce(&mut Self)) {
        self.trail.keys.push(key);
        look(self);
        self.trail.keys.pop();
    }

    fn text(&mut self, node: &Node, form: &Form, spot: Spot<'_>) {
        let Some(text) = node.text() else {
            let hint = if node.is_null() { "write a text, quoted if it is meant to say null" } else { "" };
            return self.wrong_kind(node, "a text", hint, spot);
        };
        if text.trim().is_empty() {
            if !form.may_be_blank {
                self.empty(node, spot);
            }
        } else if let Err(hint) = form.check(text) {
            let what = if form.is_shown {
                format!("{} cannot be {}", quoted(text), form.of)
            } else {
                format!("what stands behind {} cannot be {}, and is not shown here", self.trail.name(spot), form.of)
            };
            self.problems.add(node.place, what, hint).rule("L20");
        }
    }

    fn word(&mut self, node: &Node, words: &'static [&'static str], spot: Spot<'_>) {
        let Some(text) = node.text() else { return self.wrong_kind(node, "a text", "", spot) };
        if !words.contains(&text) {
            let near = self.did_you_mean(text, words.iter().copied());
            let hint = if near.is_empty() { format!("write {}", one_of(words)) } else { near };
            self.problems
                .add(node.place, format!("{} cannot be {}", self.trail.name(spot), quoted(text)), hint)
                .rule("L20");
        }
    }

    fn target(&mut self, node: &Node, spot: Spot<'_>) {
        if !matches!(node.value, Value::Scalar { .. }) {
            self.wrong_kind(node, "a step's name or null", "for several routes use `conditions`", spot);
        }
    }

    fn flag(&mut self, node: &Node, spot: Spot<'_>) {
        if scalar::flag(node).is_none() {
            self.wrong_kind(node, "a flag", "write `true` or `false`, without quotes", spot);
        }
    }

    fn number(&mut self, node: &Node, least: u64, most: Option<u64>, spot: Spot<'_>) {
        let range =
            most.map_or(format!("write one of at least {least}"), |most| format!("write one from {least} to {most}"));
        match scalar::number(node) {
            None => self.wrong_kind(node, "a whole number", &range, spot),
            Some(number) if number < least || most.is_some_and(|most| number > most) => {
                let what = format!("{} cannot be {}", self.trail.name(spot), quoted(node.text().unwrap_or_default()));
                self.problems.add(node.place, what, range).rule("L20");
            }
            Some(_) => {}
        }
    }

    fn decimal(&mut self, node: &Node, bounds: Bounds, spot: Spot<'_>) {
        let least = if bounds.above { format!("above {}", bounds.least) } else { format!("from {}", bounds.least) };
        let range =
            format!("write one {least} to {}, such as `{}`", bounds.most, if bounds.most > 1 { "1.1" } else { "0.9" });
        match scalar::decimal(node) {
            None => self.wrong_kind(node, "a number", &range, spot),
            Some(number) if !bounds.hold(number) => {
                let what = format!("{} cannot be {}", self.trail.name(spot), quoted(node.text().unwrap_or_default()));
                self.problems.add(node.place, what, range).rule("L20");
            }
            Some(_) => {}
        }
    }

    fn dollars(&mut self, node: &Node, spot: Spot<'_>) {
        if scalar::dollars(node).is_none() {
            let hint = format!("write it as `1.25`: at most six digits behind the point, at most {DOLLARS_MAX}");
            self.wrong_kind(node, "an amount of dollars", &hint, spot);
        }
    }

    fn arguments(&mut self, node: &'n Node, with_program: bool, spot: Spot<'n>) {
        let Some(items) = self.items(node, usize::from(with_program), spot) else { return };
        for (index, item) in items.iter().enumerate() {
            let form = if with_program && index == 0 { &COMMAND } else { &ARGUMENT };
            self.part(item, form, spot.item(index));
        }
    }

    fn variables(&mut self, node: &'n Node, spot: Spot<'n>) {
        let Some(entries) = node.entries() else { return self.wrong_kind(node, "a map of variables", "", spot) };
        for (name, value) in entries {
            self.name(name, &VARIABLE, spot);
            self.part(value, &ARGUMENT, spot.named(&name.text));
        }
    }

    /// Checks a text that a program is given; which, its place alone does not tell.
    fn part(&mut self, node: &Node, form: &Form, spot: Spot<'_>) {
        match node.text() {
            Some(text) if text.trim().is_empty() && !form.may_be_blank => self.empty(node, spot),
            Some(text) => {
                if let Err(hint) = form.check(text) {
                    let what = format!("{} cannot be {}, in {}", quoted(text), form.of, self.trail.name(spot));
                    self.problems.add(node.place, what, hint).rule("L20");
                }
            }
            None if node.is_null() => {
                self.wrong_kind(node, "a text", "quote what is meant as text; `''` is an empty one", spot);
            }
            None => self.wrong_kind(node, "a text", "", spot),
        }
    }

    fn list(&mut self, node: &'n Node, kind: &'static Kind, least: usize, spot: Spot<'n>) {
        for (index, item) in self.items(node, least, spot).unwrap_or_default().iter().enumerate() {
            self.value(item, kind, spot.item(index));
        }
    }

    fn items(&mut self, node: &'n Node, least: usize, spot: Spot<'_>) -> Option<&'n [Node]> {
        let Some(items) = node.items() else {
            self.wrong_kind(node, "a list", "start each item with `- `", spot);
            return None;
        };
        if items.len() < least {
            self.empty(node, spot);
        }
        Some(items)
    }

    fn named(&mut self, node: &'n Node, form: &Form, kind: &'static Kind, spot: Spot<'n>) {
        let Some(entries) = node.entries() else { return self.wrong_kind(node, "a map", "", spot) };
        for (name, value) in entries {
            self.name(name, form, spot);
            self.within(spot.key, |checker| checker.value(value, kind, Spot::of(&name.text)));
        }
    }

    fn name(&mut self, name: &Key, form: &Form, spot: Spot<'_>) {
        let checked = if name.text.trim().is_empty() { Err("it is empty".into()) } else { form.check(&name.text) };
        if let Err(hint) = checked {
            let what = format!("{} cannot be {}, in {}", quoted(&name.text), form.of, self.trail.name(spot));
            self.problems.add(name.place, what, hint).rule("L20");
        }
    }

    fn empty(&mut self, node: &Node, spot: Spot<'_>) {
        self.problems.add(node.place, format!("{} is empty", self.trail.name(spot)), "").rule("L20");
    }

    fn wrong_kind(&mut self, node: &Node, wanted: impl Into<String>, hint: &str, spot: Spot<'_>) {
        let wanted = wanted.into();
        let found = match node.text() {
            Some(text) if wanted != "a list" && !wanted.starts_with("a map") => quoted(text),
            _ => node.kind().to_string(),
        };
        self.problems
            .add(node.place, format!("{} must be {wanted}, not {found}", self.trail.name(spot)), hint)
            .rule("L20");
    }
}

fn has_shape(node: &Node, kind: &Kind) -> bool {
    match kind {
        Kind::Text(_) | Kind::Word(_) => node.text().is_some(),
        Kind::List(..) => node.items().is_some(),
        Kind::Map(_) | Kind::Named(..) => node.entries().is_some(),
        _ => false,
    }
}

fn shapes(kinds: &[Kind]) -> String {
    let shape = |kind: &Kind| match kind {
        Kind::List(..) => "a list",
        Kind::Map(_) | Kind::Named(..) => "a map",
        _ => "a text",
    };
    kinds.iter().map(shape).collect::<Vec<_>>().join(" or ")
}
