//! `list_files`: what is in one folder, sorted, with the sizes of files.

use super::{
    Bounds, Ground,
    folder::{Entries, Kind, entries},
    place::plain,
};

/// Lists a folder.
///
/// # Errors
/// Says why it cannot be listed.
pub(super) fn list(ground: &Ground, path: &str, bounds: &Bounds<'_>) -> Result<String, String> {
    let real = ground.to_read(if path.is_empty() { "." } else { path })?;
    let shown = ground.shown(&real);
    if !real.is_dir() {
        return Err(format!("`{shown}` is no folder; read_file shows what is in it"));
    }
    let Entries { names, mut left_out, is_cut } = entries(&real, &shown, NAMES_MAX, bounds)?;
    let (mut lines, mut count) = (String::new(), 0_usize);
    for (name, kind) in &names {
        let line = line(&plain(name), *kind, || real.join(name).symlink_metadata().map_or(0, |about| about.len()));
        if lines.len() + line.len() > bounds.room() {
            break;
        }
        lines.push_str(&line);
        count += 1;
    }
    left_out += (names.len() - count) as u64;
    let mut said = match (count, left_out) {
        (0, 0) => format!("{shown}/ is empty"),
        (1, 0) => format!("{shown}/ holds 1 entry:\n{lines}"),
        (count, 0) => format!("{shown}/ holds {count} entries:\n{lines}"),
        (count, left_out) => format!(
            "{shown}/ holds {} entries; the first {count}:\n{lines}[{left_out} more are left out here; list a folder \
             below, or use search_text]\n",
            count as u64 + left_out
        ),
    };
    if is_cut {
        said.push_str(&format!("\n[the time of {} s was over before all of it was seen]\n", bounds.seconds));
    }
    Ok(said)
}

fn line(name: &str, kind: Kind, size: impl Fn() -> u64) -> String {
    match kind {
        Kind::Folder => format!("{name}/\n"),
        Kind::File => format!("{name} ({} bytes)\n", size()),
        Kind::Link => format!("{name} (link)\n"),
        Kind::Other => format!("{name} (no regular file)\n"),
    }
}

/// More names than a model can look through; the rest is counted.
const NAMES_MAX: usize = 20_000;
