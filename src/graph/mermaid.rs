//! A picture as a mermaid flowchart, as GitHub renders it.
//!
//! Every text goes in quotes, and every sign in it that mermaid, its markdown reader or HTML could obey goes in by
//! number. Fills are light with dark words on them, and lines of a middle tone, so that both of GitHub's modes serve.

use alloc::{format, string::String, vec::Vec};

use super::{
    GroupId, Node, NodeId, Picture, What, WorkKind,
    words::{self, face, group_title, label, line},
};

/// GitHub shows nothing of a chart whose source is longer (mermaid: `maxTextSize`).
pub const GITHUB_CHARS_MAX: usize = 50_000;
/// GitHub shows nothing of a chart with more edges (mermaid: `maxEdges`).
pub const GITHUB_EDGES_MAX: usize = 500;

/// Writes a picture as a mermaid flowchart.
pub fn mermaid(picture: &Picture) -> String {
    let mut chart = Chart { text: String::new(), indent: 1 };
    chart.text.push_str("flowchart TD\n");
    chart.line(&format!("accTitle: {}", escaped(&words::name(&picture.workflow))));
    let about = line(&picture.description, DESCRIPTION_CHARS);
    if !about.is_empty() {
        chart.line(&format!("accDescr: {}", escaped(&about)));
    }
    chart.inside(picture, None);
    chart.edges(picture);
    chart.styles(picture);
    chart.text
}

struct Chart {
    text: String,
    indent: usize,
}

impl Chart {
    fn line(&mut self, line: &str) {
        (0..self.indent).for_each(|_| self.text.push_str("    "));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes the nodes and groups that stand directly in a group.
    fn inside(&mut self, picture: &Picture, group: Option<GroupId>) {
        let mut groups = picture.groups.iter().filter(|inner| inner.parent == group).peekable();
        for node in picture.nodes.iter().filter(|node| node.group == group) {
            // Groups stand among the nodes as their steps do.
            while let Some(inner) = groups.next_if(|inner| inner.start < node.id) {
                self.group(picture, inner.id);
            }
            self.line(&shaped(picture, node));
        }
    }

    fn group(&mut self, picture: &Picture, id: GroupId) {
        let group = &picture.groups[id.0];
        let lock = group.step.gate.as_ref().map_or("", |_| LOCK);
        self.line(&format!("subgraph {id}[\"{lock}{}\"]", escaped(&group_title(group))));
        self.indent += 1;
        self.inside(picture, Some(id));
        self.indent -= 1;
        self.line("end");
    }

    fn edges(&mut self, picture: &Picture) {
        for edge in &picture.edges {
            let arrow = match (edge.release, edge.back) {
                (true, _) => "-.->",
                (false, true) => "==>",
                (false, false) => "-->",
            };
            let lock = if edge.release { LOCK } else { "" };
            let label = match label(edge) {
                label if label.is_empty() => String::new(),
                label => format!("|\"{lock}{}\"|", escaped(&label)),
            };
            self.line(&format!("{} {arrow}{label} {}", edge.from, edge.to));
        }
    }

    fn styles(&mut self, picture: &Picture) {
        let nodes = |is: &dyn Fn(&Node) -> bool| ids(picture.nodes.iter().filter(|node| is(node)).map(|node| node.id));
        for (class, style) in STYLES {
            let members = match *class {
                "opened" => ids(picture.groups.iter().filter(|group| group.step.gate.is_none()).map(|group| group.id)),
                "locked" => ids(picture.groups.iter().filter(|group| group.step.gate.is_some()).map(|group| group.id)),
                "gate" => nodes(&|node| node.step().is_some_and(|facts| facts.gate.is_some())),
                kind => nodes(&|node| class_of(node) == kind),
            };
            if !members.is_empty() {
                self.line(&format!("classDef {class} {style}"));
                self.line(&format!("class {members} {class}"));
            }
        }
        let lines = |release: bool, back: bool| {
            let edges = picture.edges.iter().enumerate();
            ids(edges.filter(|(_, edge)| (edge.release, edge.back) == (release, back)).map(|(place, _)| place))
        };
        for (release, back, style) in LINKS {
            let members = lines(*release, *back);
            if !members.is_empty() {
                self.line(&format!("linkStyle {members} {style}"));
            }
        }
    }
}

fn ids(ids: impl Iterator<Item = impl alloc::string::ToString>) -> String {
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(",")
}

fn class_of(node: &Node) -> &'static str {
    match (&node.what, node.step().map(|facts| facts.work)) {
        (What::Start { .. } | What::End { .. }, _) | (What::Step(_), None) => "edge",
        (What::Step(_), Some(WorkKind::Agent)) => "agent",
        (What::Step(_), Some(WorkKind::Script)) => "script",
        (What::Step(_), Some(WorkKind::Workflow)) => "mount",
        (What::Step(_), Some(WorkKind::Repo)) => "repo",
    }
}

/// Writes a node in the shape of its kind.
fn shaped(picture: &Picture, node: &Node) -> String {
    let (open, close) = match (&node.what, node.step().map(|facts| facts.work)) {
        (What::Step(_), Some(WorkKind::Agent)) => ("(", ")"),
        (What::Step(_), Some(WorkKind::Script)) => ("{{", "}}"),
        (What::Step(_), Some(WorkKind::Workflow)) => ("[[", "]]"),
        (What::Step(_), Some(WorkKind::Repo)) => ("[(", ")]"),
        (What::Start { .. } | What::End { .. } | What::Step(_), _) => ("([", "])"),
    };
    let lock = node.step().and_then(|facts| facts.gate.as_ref()).map_or("", |_| LOCK);
    format!("{}{open}\"{lock}{}\"{close}", node.id, node_words(picture, node.id))
}

fn node_words(picture: &Picture, id: NodeId) -> String {
    let face = face(picture, id);
    face.lines.iter().fold(escaped(&face.name), |text, line| text + "<br/>" + &escaped(line))
}

/// Writes a text so that mermaid shows just it. Some signs can stand as they are where no markdown begins with them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    let mut before = ' ';
    while let Some(sign) = signs.next() {
        let is_inside = before.is_alphanumeric() && signs.peek().copied().is_some_and(char::is_alphanumeric);
        let is_plain = match sign {
            ' ' | ',' | '/' => true,
            // At the start of a line they make lists and headings.
            '-' | '=' => !escaped.is_empty(),
            // A number before it makes a list, `www` before it a link.
            '.' => !escaped.ends_with(['w', 'W']) && !escaped.bytes().all(|byte| byte.is_ascii_digit()),
            '_' => is_inside,
            // Mermaid writes an entity with these two for itself on the way.
            'ﬂ' | '¶' => false,
            sign => sign.is_alphanumeric() || !sign.is_ascii(),
        };
        if sign == '$' && before == '$' {
            // Two of them begin a formula; nobody sees what is between them here.
            escaped.push_str("#8203;");
        }
        if is_plain {
            escaped.push(sign);
        } else {
            escaped.push_str(&format!("#{};", u32::from(sign)));
        }
        before = sign;
    }
    escaped
}

const DESCRIPTION_CHARS: usize = 200;
const LOCK: &str = "🔒 ";

/// Classes and their styles, in the order in which they are laid over each other.
const STYLES: &[(&str, &str)] = &[
    ("edge", "fill:#e5e7eb,stroke:#4b5563,color:#111827"),
    ("agent", "fill:#dbeafe,stroke:#2563eb,color:#111827"),
    ("script", "fill:#dcfce7,stroke:#15803d,color:#111827"),
    ("mount", "fill:#ede9fe,stroke:#7c3aed,color:#111827"),
    ("repo", "fill:#fae8ff,stroke:#a21caf,color:#111827"),
    ("gate", "stroke:#d97706,stroke-width:4px"),
    ("opened", "fill:none,stroke:#7c3aed,stroke-width:1px"),
    ("locked", "fill:none,stroke:#d97706,stroke-width:4px"),
];

/// Styles of edges: whether they are released by people, whether they go back.
const LINKS: &[(bool, bool, &str)] = &[
    (true, false, "stroke:#d97706,stroke-width:2px"),
    (false, true, "stroke:#db2777,stroke-width:3px"),
    (true, true, "stroke:#db2777,stroke-width:3px"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sign_of_a_text_is_obeyed() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected, "{text}");
        check("run tests, twice", "run tests, twice");
        check("scripts/test-all.sh", "scripts/test-all.sh");
        check("\"]", "#34;#93;");
        check("a;b#c", "a#59;b#35;c");
        check("<b>&amp;", "#60;b#62;#38;amp#59;");
        check("- x", "#45; x");
        check("1. x", "1#46; x");
        check("run -q --fast .", "run -q --fast .");
        check("a = b_c", "a = b_c");
        check("=", "#61;");
        check("_x_ *y* `z`", "#95;x#95; #42;y#42; #96;z#96;");
        check("www.acme.com", "www#46;acme.com");
        check("https://a", "https#58;//a");
        check("%%{init}%%", "#37;#37;#123;init#125;#37;#37;");
        check("ﬂ°34¶ß", "#64258;°34#182;ß");
        check("$$x", "#36;#8203;#36;x");
        check("日本 é", "日本 é");
        check("end", "end");
    }
}
