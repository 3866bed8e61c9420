//! A picture in the language of Graphviz.

use alloc::{format, string::String};

use super::{
    GroupId, Node, Picture, What, WorkKind,
    words::{self, face, group_title, label},
};

/// Writes a picture in the language of Graphviz.
pub fn dot(picture: &Picture) -> String {
    let mut text = format!("digraph \"{}\" {{\n{HEAD}", escaped(&words::name(&picture.workflow)));
    inside(picture, None, 1, &mut text);
    for edge in &picture.edges {
        let label = match label(edge) {
            label if label.is_empty() => String::new(),
            label => format!("label=\"{}\", ", escaped(&label)),
        };
        let style = match (edge.release, edge.back) {
            (false, false) => "style=solid",
            (true, false) => "style=dashed, color=\"#d97706\", fontcolor=\"#d97706\"",
            (false, true) => "style=bold, color=\"#db2777\", fontcolor=\"#db2777\"",
            (true, true) => "style=\"bold,dashed\", color=\"#db2777\", fontcolor=\"#db2777\"",
        };
        // Turned round, a loop does not turn round the order of the steps.
        let (upper, lower, turn) =
            if edge.back { (edge.to, edge.from, "dir=back, ") } else { (edge.from, edge.to, "") };
        text.push_str(&format!("  {upper} -> {lower} [{turn}{label}{style}];\n"));
    }
    text.push_str("}\n");
    text
}

/// Writes the nodes and groups that stand directly in a group.
fn inside(picture: &Picture, group: Option<GroupId>, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let mut groups = picture.groups.iter().filter(|inner| inner.parent == group).peekable();
    for node in picture.nodes.iter().filter(|node| node.group == group) {
        // Groups stand among the nodes as their steps do.
        while let Some(inner) = groups.next_if(|inner| inner.start < node.id) {
            let title = escaped(&group_title(inner));
            let style = if inner.step.gate.is_some() { "color=\"#d97706\", penwidth=3" } else { "color=\"#7c3aed\"" };
            text.push_str(&format!("{indent}subgraph \"cluster_{}\" {{\n", inner.id));
            text.push_str(&format!("{indent}  graph [label=\"{title}\", labeljust=l, style=rounded, {style}];\n"));
            inside(picture, Some(inner.id), depth + 1, text);
            text.push_str(&format!("{indent}}}\n"));
        }
        text.push_str(&format!("{indent}{}\n", declared(picture, node)));
    }
}

fn declared(picture: &Picture, node: &Node) -> String {
    let look = match (&node.what, node.step().map(|facts| facts.work)) {
        (What::Step(_), Some(WorkKind::Agent)) => {
            "shape=box, style=\"rounded,filled\", fillcolor=\"#dbeafe\", color=\"#2563eb\""
        }
        (What::Step(_), Some(WorkKind::Script)) => {
            "shape=octagon, style=filled, fillcolor=\"#dcfce7\", color=\"#15803d\""
        }
        (What::Step(_), Some(WorkKind::Workflow)) => {
            "shape=folder, style=filled, fillcolor=\"#ede9fe\", color=\"#7c3aed\""
        }
        (What::Step(_), Some(WorkKind::Repo)) => {
            "shape=cylinder, style=filled, fillcolor=\"#fae8ff\", color=\"#a21caf\""
        }
        (What::Start { .. } | What::End { .. } | What::Step(_), _) => {
            "shape=oval, style=filled, fillcolor=\"#e5e7eb\", color=\"#4b5563\""
        }
    };
    // The later colour of two counts.
    let gate = node.step().and_then(|facts| facts.gate.as_ref());
    let gate = gate.map_or("", |_| ", color=\"#d97706\", penwidth=3, peripheries=2");
    let face = face(picture, node.id);
    let words = face.lines.iter().fold(escaped(&face.name), |words, line| words + "\\n" + &escaped(line));
    format!("{} [label=\"{words}\", {look}{gate}];", node.id)
}

/// Writes a text inside quotes. Graphviz reads escapes and entities of HTML in it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}

/// Words and lines of a middle tone serve on light and dark pages.
const HEAD: &str = "\
  graph [rankdir=TB, bgcolor=\"transparent\", fontname=\"Helvetica\", fontcolor=\"#6b7280\", compound=true];
  node [fontname=\"Helvetica\", fontsize=12, fontcolor=\"#111827\"];
  edge [fontname=\"Helvetica\", fontsize=11, fontcolor=\"#6b7280\", color=\"#6b7280\"];
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sign_of_a_text_ends_it() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected, "{text}");
        check("plain", "plain");
        check("\"", "\\\"");
        check("\\", "\\\\");
        check("\\\"", "\\\\\\\"");
        check("\\N \\n", "\\\\N \\\\n");
        check("&lt;", "&amp;lt;");
    }
}
