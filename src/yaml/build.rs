//! From the parser's events to the tree, inside bounds.
//!
//! The parser is told our bounds too, so it stops before it works for a file that we would refuse.

use alloc::{borrow::Cow, collections::BTreeMap, format, string::String, vec::Vec};

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::{
    ALIAS_MAX, DEPTH_MAX, Key, Node, Place, Problems, SOURCE_MAX_BYTES, Style, Value,
    keys::{Slot, first_of_each, slot_of},
    quoted,
};

/// What stands before the source in its file: the tree's places count from the top of the file.
#[derive(Clone, Copy, Default)]
pub(super) struct Origin {
    pub(super) lines: usize,
    pub(super) bytes: usize,
}

/// Builds the tree of one document. `None`: it could not be read to its end.
pub(super) fn tree(source: &str, origin: Origin, problems: &mut Problems) -> Option<Node> {
    if source.len() > SOURCE_MAX_BYTES {
        let what = format!("the file has {} bytes; at most {SOURCE_MAX_BYTES} are read", source.len());
        problems.add(Place { line: 1, column: 1, start: 0, end: 0 }, what, "");
        return None;
    }
    let mut builder =
        Builder { source, origin, problems, open: Vec::new(), root: None, anchors: BTreeMap::new(), copied: 0 };
    let mut parser = Parser::new_from_str_with_options(source, options());
    match builder.take_all(&mut parser) {
        Ok(()) => Some(builder.root.unwrap_or_else(|| empty(origin))),
        Err(Unreadable) => {
            builder.check_open();
            None
        }
    }
}

fn options() -> Options {
    granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: DEPTH_MAX,
        block_nesting_limit: DEPTH_MAX,
    }
}

fn empty(origin: Origin) -> Node {
    let place = Place { line: origin.lines + 1, column: 1, start: origin.bytes, end: origin.bytes };
    Node { place, value: Value::Scalar { text: String::new(), style: Style::Plain } }
}

/// The rest of the file cannot be relied on; why is among the problems.
struct Unreadable;

struct Builder<'s, 'p> {
    source: &'s str,
    origin: Origin,
    problems: &'p mut Problems,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: BTreeMap<usize, Built>,
    copied: usize,
}

/// A list or map whose end was not seen yet.
struct Open {
    place: Place,
    anchor: usize,
    collection: Collection,
    weight: usize,
    height: usize,
}

enum Collection {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, key: Slot },
}

/// A finished node, and what a copy of it costs.
#[derive(Clone)]
struct Built {
    node: Node,
    /// Nodes and bytes of text in it.
    weight: usize,
    /// Levels of lists and maps in it.
    height: usize,
}

impl<'s> Builder<'s, '_> {
    fn take_all(&mut self, parser: &mut Parser<'s, StrInput<'s>>) -> Result<(), Unreadable> {
        let mut documents = 0;
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| self.report_syntax(&error))?;
            if matches!(event, Event::DocumentStart(..)) {
                documents += 1;
                if documents > 1 {
                    let place = self.place(&span);
                    self.problems.add(place, "a second document starts here", "one file holds one document");
                    return Ok(());
                }
            }
            self.take(event, &span)?;
        }
        Ok(())
    }

    fn take(&mut self, event: Event<'s>, span: &Span) -> Result<(), Unreadable> {
        self.refuse_tag(&event, span);
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, anchor, _) => self.finish(self.scalar(text, style, span), anchor),
            Event::SequenceStart(_, anchor, _) => self.begin(place, anchor, Collection::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => {
                self.begin(place, anchor, Collection::Map { entries: Vec::new(), key: Slot::Key })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(place),
            Event::Alias(anchor) => self.expand(anchor, place),
            Event::UnresolvedAlias(name) => {
                self.problems.add(place, format!("no anchor {} stands before this alias", quoted(&name)), "");
                self.finish(self.scalar(Cow::Borrowed(""), ScalarStyle::Plain, span), 0)
            }
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd => Ok(()),
            // A kind of event that was not asked for might be a node, and then all that follows would shift.
            _ => {
                self.problems.add(place, "this cannot be read as YAML of a known kind", "");
                Err(Unreadable)
            }
        }
    }

    fn scalar(&self, text: Cow<'s, str>, style: ScalarStyle, span: &Span) -> Built {
        let style = if style == ScalarStyle::Plain { Style::Plain } else { Style::Quoted };
        // Where nothing is written the parser says `~`.
        let absent = style == Style::Plain && span.is_empty();
        let text = if absent { String::new() } else { text.into_owned() };
        let weight = 1 + text.len();
        Built { node: Node { place: self.place(span), value: Value::Scalar { text, style } }, weight, height: 0 }
    }

    fn begin(&mut self, place: Place, anchor: usize, collection: Collection) -> Result<(), Unreadable> {
        if self.open.len() >= DEPTH_MAX {
            return Err(self.report_depth(place));
        }
        self.open.push(Open { place, anchor, collection, weight: 1, height: 1 });
        Ok(())
    }

    fn end(&mut self, at: Place) -> Result<(), Unreadable> {
        let Some(Open { place, anchor, collection, weight, height }) = self.open.pop() else { return Ok(()) };
        let value = match collection {
            Collection::List(items) => Value::List(items),
            Collection::Map { entries, .. } => Value::Map(first_of_each(entries, self.problems)),
        };
        let node = Node { place: Place { end: at.end, ..place }, value };
        self.finish(Built { node, weight, height }, anchor)
    }

    /// Finds the repeated keys of maps that never ended.
    fn check_open(&mut self) {
        for open in self.open.drain(..) {
            if let Collection::Map { entries, .. } = open.collection {
                first_of_each(entries, self.problems);
            }
        }
    }

    /// Keeps a copy of an anchored node, and puts the node where it belongs.
    fn finish(&mut self, built: Built, anchor: usize) -> Result<(), Unreadable> {
        if anchor != 0 {
            self.pay(built.weight, built.node.place)?;
            self.anchors.insert(anchor, built.clone());
        }
        self.put(built);
        Ok(())
    }

    fn expand(&mut self, anchor: usize, place: Place) -> Result<(), Unreadable> {
        let Some((weight, height)) = self.anchors.get(&anchor).map(|built| (built.weight, built.height)) else {
            self.problems.add(place, "this alias stands inside what it stands for", "");
            return Err(Unreadable);
        };
        if self.open.len() + height > DEPTH_MAX {
            return Err(self.report_depth(place));
        }
        self.pay(weight, place)?;
        let mut copy = self.anchors[&anchor].clone();
        copy.node.place = place;
        self.put(copy);
        Ok(())
    }

    fn pay(&mut self, weight: usize, place: Place) -> Result<(), Unreadable> {
        self.copied = self.copied.saturating_add(weight);
        if self.copied <= ALIAS_MAX {
            return Ok(());
        }
        let what = format!("the anchors and aliases up to here copy more than {ALIAS_MAX} nodes and bytes");
        self.problems.add(place, what, "write the values out, or use fewer aliases inside anchors");
        Err(Unreadable)
    }

    fn put(&mut self, built: Built) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(built.node);
            return;
        };
        open.weight = open.weight.saturating_add(built.weight);
        open.height = open.height.max(built.height + 1);
        match &mut open.collection {
            Collection::List(items) => items.push(built.node),
            Collection::Map { entries, key } => match core::mem::replace(key, Slot::Key) {
                Slot::Key => *key = slot_of(built.node, self.problems),
                Slot::ValueOf(key) => entries.push((key, built.node)),
                Slot::Dropped => {}
            },
        }
    }

    fn refuse_tag(&mut self, event: &Event<'s>, span: &Span) {
        if event.tag().is_none() {
            return;
        }
        let tag = span.tag_span();
        let place = self.place(tag.as_ref().unwrap_or(span));
        let name = self.source.get(place.start - self.origin.bytes..place.end - self.origin.bytes).unwrap_or("!");
        self.problems.add(place, format!("the tag {} is not read here", quoted(name)), "quote what is meant as text");
    }

    fn report_depth(&mut self, place: Place) -> Unreadable {
        let what = format!("lists and maps nest deeper than {DEPTH_MAX} levels");
        self.problems.add(place, what, "");
        Unreadable
    }

    fn report_syntax(&mut self, error: &ScanError) -> Unreadable {
        let place = self.place(&Span::empty(*error.marker()));
        let hint = match error.kind() {
            ErrorKind::RecursionLimitExceeded => return self.report_depth(place),
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar => "indent with spaces",
            ErrorKind::MappingValueNotAllowed => "quote a text that holds `: `",
            ErrorKind::UnexpectedCharacter { .. } => "quote a text that starts with it",
            _ => "",
        };
        self.problems.add(place, error.info(), hint);
        Unreadable
    }

    fn place(&self, span: &Span) -> Place {
        let bytes = span.byte_range().unwrap_or_default();
        Place {
            line: self.origin.lines + span.start.line(),
            column: span.start.col() + 1,
            start: self.origin.bytes + bytes.start,
            end: self.origin.bytes + bytes.end,
        }
    }
}
