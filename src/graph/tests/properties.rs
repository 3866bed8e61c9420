//! Whatever names a workflow has, its picture is whole in every format.

use quickcheck::{Arbitrary, Gen, quickcheck};

use super::*;
use crate::{
    graph::{
        layout::{Layout, Rect, Size, Sizes, layout},
        words::{label, line},
    },
    props::text,
    workflow::{Binding, GatePolicy, Hook, Input, InputKind, Script},
};

/// Workflows that mount each other, and how deep to look at the first.
#[derive(Clone, Debug)]
struct Drawn {
    workflows: Vec<Workflow>,
    depth: u32,
}

impl Arbitrary for Drawn {
    fn arbitrary(g: &mut Gen) -> Self {
        let names: Vec<_> = (0..3).map(|at| format!("{at}{}", hostile(g))).collect();
        let workflows = names.iter().map(|name| any_workflow(g, name, &names)).collect();
        Self { workflows, depth: 1 + u32::arbitrary(g) % 4 }
    }
}

impl Drawn {
    fn picture(&self) -> Picture {
        draw(&self.workflows[0], self.depth, &|_, work| match work {
            Work::Workflow(name) => self.workflows.iter().find(|one| one.name == *name),
            Work::Agent(_) | Work::Script(_) | Work::Repo(_) => None,
        })
    }
}

const PIECES: [&str; 24] = [
    "\"",
    "]",
    "end",
    ";",
    "#",
    "#35;",
    "<b>",
    "&amp;",
    "-->",
    "%%",
    "%%{init: {}}%%",
    "\\",
    "\\N",
    "|",
    "</svg>",
    "]]>",
    "subgraph x",
    "style a:#1;",
    "classDef",
    "`x`",
    "\u{202e}",
    "\u{ffff}",
    "ﬂ°34¶ß",
    "1. ",
];

fn hostile(g: &mut Gen) -> String {
    if bool::arbitrary(g) {
        text(g)
    } else {
        (0..u8::arbitrary(g) % 4).filter_map(|_| g.choose(&PIECES)).copied().collect()
    }
}

fn any_workflow(g: &mut Gen, name: &str, known: &[String]) -> Workflow {
    let names: Vec<_> = (0..1 + u8::arbitrary(g) % 6).map(|_| hostile(g)).collect();
    let steps = names.iter().map(|name| any_step(g, name, &names, known)).collect();
    let kind = if bool::arbitrary(g) { InputKind::Exec } else { InputKind::Str };
    Workflow {
        name: name.into(),
        description: hostile(g),
        inputs: vec![Input { name: hostile(g), kind, required: bool::arbitrary(g) }],
        outputs: vec![hostile(g)],
        gate: GatePolicy { not_by_initiator: bool::arbitrary(g), approvals: u32::arbitrary(g) % 3 },
        steps,
        location: hostile(g),
    }
}

fn any_step(g: &mut Gen, name: &str, names: &[String], known: &[String]) -> Step {
    let work = match u8::arbitrary(g) % 4 {
        0 => Work::Agent(hostile(g)),
        1 => Work::Script(Script { command: hostile(g), args: vec![hostile(g)], ..Script::default() }),
        2 => Work::Repo(hostile(g)),
        _ => Work::Workflow(g.choose(known).cloned().unwrap_or_default()),
    };
    let any_target = |g: &mut Gen| if u8::arbitrary(g) % 4 == 0 { None } else { g.choose(names).cloned() };
    let conditions =
        (0..u8::arbitrary(g) % 4).map(|_| Condition { on_result: hostile(g), next: any_target(g) }).collect();
    let hook = |g: &mut Gen| bool::arbitrary(g).then(|| Hook { path: hostile(g), ..Hook::default() });
    let bindings = [Binding::Exec(vec![hostile(g)]), Binding::Str(hostile(g)), Binding::Ref(hostile(g))];
    Step {
        name: name.into(),
        work,
        next: any_target(g),
        conditions,
        complexity: g.choose(&[None, Some(Complexity::High)]).copied().flatten(),
        human_gate: bool::arbitrary(g),
        inputs: bindings.into_iter().map(|binding| (hostile(g), binding)).collect::<BTreeMap<_, _>>(),
        pre_hook: hook(g),
        post_hook: hook(g),
        ..Step::default()
    }
}

/// The lines of a chart, without what stands in quotes.
const MERMAID: [&str; 9] = [
    r"flowchart TD",
    r"acc(Title|Descr): ([^;#%<>`{}\[\]|\\]|#[0-9]+;)+",
    r"subgraph g[0-9]+\[\]",
    r"end",
    r"s[0-9]+(\(\)|\{\{\}\}|\[\[\]\]|\[\(\)\]|\(\[\]\))",
    r"s[0-9]+ (-->|==>|-\.->)(\|\|)? s[0-9]+",
    r"classDef [a-z]+ [a-z0-9#:,-]+",
    r"class [sg][0-9]+(,[sg][0-9]+)* [a-z]+",
    r"linkStyle [0-9]+(,[0-9]+)* [a-z0-9#:,-]+",
];

/// Takes what stands in quotes out of a text; `None` where quotes do not pair.
fn without_quoted(text: &str, escape: Option<char>) -> Option<String> {
    let (mut rest, mut is_inside, mut signs) = (String::new(), false, text.chars());
    while let Some(sign) = signs.next() {
        match sign {
            '"' => is_inside = !is_inside,
            sign if is_inside && Some(sign) == escape => drop(signs.next()),
            sign if !is_inside => rest.push(sign),
            _ => {}
        }
    }
    (!is_inside).then_some(rest)
}

quickcheck! {
    fn every_id_is_declared_once_and_every_edge_joins_two_of_them(drawn: Drawn) -> bool {
        let picture = drawn.picture();
        let nodes = picture.nodes.len();
        let in_place = picture.nodes.iter().enumerate().all(|(place, node)| node.id.0 == place)
            && picture.groups.iter().enumerate().all(|(place, group)| group.id.0 == place);
        let whole = picture.groups.iter().all(|group| {
            let inside = |id: NodeId| picture.nodes[id.0].group == Some(group.id);
            inside(group.start) && inside(group.end) && group.parent.is_none_or(|parent| parent < group.id)
        });
        in_place && whole && picture.edges.iter().all(|edge| edge.from.0 < nodes && edge.to.0 < nodes)
    }

    fn mermaid_is_lines_of_known_shapes(drawn: Drawn) -> bool {
        let picture = drawn.picture();
        let text = mermaid(&picture);
        let shape = Regex::new(&format!("^ *({})$", MERMAID.join("|"))).expect("the pattern is fixed");
        let quoted = Regex::new("\"[^\"]*\"").expect("the pattern is fixed");
        let inside = Regex::new(r"^([^;#%<>`{}\[\]|\\]|#[0-9]+;|<br/>)*$").expect("the pattern is fixed");
        let lines = text.lines().all(|line| {
            quoted.find_iter(line).all(|one| inside.is_match(one.as_str()))
                && without_quoted(line, None).is_some_and(|rest| shape.is_match(&rest))
        });
        let starting = |word: &str| text.lines().filter(|line| line.trim_start().starts_with(word)).count();
        let ends = text.lines().filter(|line| line.trim() == "end").count();
        lines && starting("subgraph ") == ends && ends == picture.groups.len()
    }

    fn dot_is_balanced(drawn: Drawn) -> bool {
        let picture = drawn.picture();
        let Some(rest) = without_quoted(&dot(&picture), Some('\\')) else { return false };
        let count = |sign: char| rest.matches(sign).count();
        let plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || " \n{}[]=,;->_".contains(c));
        let groups = 1 + picture.groups.len();
        plain && count('{') == groups && count('}') == groups && count('[') == count(']')
            && rest.matches(" -> ").count() == picture.edges.len()
    }

    fn svg_is_well_formed_and_shows_every_name(drawn: Drawn) -> bool {
        let picture = drawn.picture();
        let text = svg(&picture).expect("a generated workflow is small");
        let Ok(document) = roxmltree::Document::parse(&text) else { return false };
        let of_class = |class: &str| {
            let is = |node: &roxmltree::Node| node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class));
            document.descendants().filter(is).collect::<Vec<_>>()
        };
        let shown: Vec<_> = of_class("name").iter().map(|node| node.text().unwrap_or_default().to_string()).collect();
        let names: Vec<_> = picture.nodes.iter().map(|node| words::face(&picture, node.id).name).collect();
        shown == names && of_class("way").iter().filter(|node| node.has_tag_name("path")).count() == picture.edges.len()
            && !document.descendants().any(|node| matches!(node.tag_name().name(), "script" | "foreignObject" | "image" | "a"))
    }

    fn nothing_stands_on_anything_else(drawn: Drawn) -> bool {
        let picture = drawn.picture();
        let size = |text: &str| Size { width: 60 + 7 * text.chars().count() as i64, height: 40 };
        let sizes = Sizes {
            head: Size { width: 100, height: 20 },
            nodes: picture.nodes.iter().map(|node| size(&words::face(&picture, node.id).name)).collect(),
            titles: picture.groups.iter().map(|_| Size { width: 80, height: 26 }).collect(),
            labels: picture.edges.iter().map(|edge| match label(edge) {
                label if label.is_empty() => Size::default(),
                label => Size { width: 7 * line(&label, 99).chars().count() as i64, height: 18 },
            }).collect(),
        };
        let found = layout(&picture, &sizes, 100_000).expect("a generated workflow is small");
        all_apart(&picture, &found)
    }

    fn the_same_workflow_gives_the_same_bytes(drawn: Drawn) -> bool {
        let (one, other) = (drawn.picture(), drawn.clone().picture());
        mermaid(&one) == mermaid(&other) && dot(&one) == dot(&other) && svg(&one) == svg(&other)
    }
}

/// Tells whether nodes and labels are on the page, apart from each other, and inside their groups alone.
fn all_apart(picture: &Picture, layout: &Layout) -> bool {
    let labels = layout.lines.iter().map(|line| line.label).filter(|label| label.width > 0);
    let boxes: Vec<Rect> = layout.nodes.iter().copied().chain(labels).collect();
    let apart = |one: &Rect, other: &Rect| {
        one.x + one.width <= other.x
            || other.x + other.width <= one.x
            || one.y + one.height <= other.y
            || other.y + other.height <= one.y
    };
    let within = |inner: &Rect, outer: &Rect| {
        inner.x >= outer.x
            && inner.y >= outer.y
            && inner.x + inner.width <= outer.x + outer.width
            && inner.y + inner.height <= outer.y + outer.height
    };
    let page = Rect { x: 0, y: 0, width: layout.size.width, height: layout.size.height };
    let on_page = boxes.iter().all(|one| within(one, &page));
    let pairs = boxes.iter().enumerate().all(|(at, one)| boxes[at + 1..].iter().all(|other| apart(one, other)));
    let grouped = picture.groups.iter().zip(&layout.groups).all(|(group, rect)| {
        picture.nodes.iter().zip(&layout.nodes).all(|(node, one)| {
            let mut around = node.group;
            while around.is_some_and(|inner| inner != group.id) {
                around = around.and_then(|inner| picture.groups[inner.0].parent);
            }
            if around.is_some() { within(one, rect) } else { apart(one, rect) }
        })
    });
    on_page && pairs && grouped
}
