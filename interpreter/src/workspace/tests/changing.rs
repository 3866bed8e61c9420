//! What is written and edited, to the byte.

use std::{fs, os::unix::fs::PermissionsExt};

use quickcheck::{Arbitrary, Gen};

use super::*;

#[test]
fn a_file_is_written_whole_and_keeps_its_mode() {
    let ground = Ground::with(&[("run.sh", "old\n"), ("only.txt", "x"), ("sub/c.txt", "c\n")]).link("a.txt", "link");
    let ground = ground.link("sub", "there");
    let path = |name: &str| ground.scratch.path().join("in").join(name);
    for (name, mode) in [("run.sh", 0o4750), ("only.txt", 0o444)] {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("a file of ours");
    }
    ground.check(write("run.sh", "new\nlines\n"), Ok("run.sh was written anew: 10 bytes, 2 lines; before, 4 bytes"));
    assert_eq!(fs::metadata(path("run.sh")).expect("it is there").permissions().mode() & 0o7777, 0o750);
    ground.check(write("deep/er/new.txt", "é"), Ok("deep/er/new.txt is new: 2 bytes, 1 lines"));
    ground.check(write("there/d.txt", ""), Ok("sub/d.txt is new: 0 bytes, 0 lines"));
    ground.check(write("only.txt", "y"), Err("is read-only here"));
    ground.check(write("link", "y"), Err("is a link, and nothing is written through one"));
    ground.check(write("sub", "y"), Err("is a folder"));
    ground.check(write("a.txt/b", "y"), Err("a.txt is no folder"));
    ground.check(write("", "y"), Err("names no file"));
    ground.check(write(".", "y"), Err("names no file"));
    ground.check(write("new/", "y"), Err("names no file"));
    let long = "x".repeat(300);
    ground.check(write(&long, "y"), Err("name too long"));
    ground.check(write("big", &"x".repeat(17 * 1024 * 1024)), Err("16777216 is the most"));
    assert_eq!(ground.text("in/a.txt"), b"one\ntwo\nthree\n");
    ground.check(list("sub"), Ok("sub/ holds 2 entries:\nc.txt (2 bytes)\nd.txt (0 bytes)\n"));
}

#[test]
fn a_piece_is_replaced_where_it_is_the_only_one() {
    let check = |before: &str, old: &str, new: &str, after: Result<&str, &str>| {
        let ground = Ground::with(&[("f", before)]);
        let ToolDone { ok, text, .. } = ground.uses(edit("f", old, new), 65_536);
        let now = ground.text("in/f");
        match after {
            Ok(after) => assert_eq!((ok, now.as_slice()), (true, after.as_bytes()), "{before:?}: {text}"),
            Err(part) => assert!(!ok && text.contains(part) && now == before.as_bytes(), "{before:?}: {text}"),
        }
    };
    check("a\nb\nc\n", "b", "x\ny", Ok("a\nx\ny\nc\n"));
    check("a\nb\nc\n", "b\n", "", Ok("a\nc\n"));
    check("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", Ok("x\r\ny\r\nz\r\nc\r\n"));
    check("a\r\nb\r\n", "b", "x\r\ny", Ok("a\r\nx\r\ny\r\n"));
    check("a\r\nb\nc\n", "a\r\nb", "x\ny", Ok("x\ny\nc\n"));
    check("a\r\nb\nc\n", "a\nb", "x", Err("some lines there end with CRLF"));
    check("aaa", "aa", "b", Err("old stands 2 times in `f`, at the lines 1, 1"));
    check("x\ny\nx\n", "x", "b", Err("at the lines 1, 3; give more"));
    check(&"x\n".repeat(300), "x", "b", Err("at least 100 times in `f`, at the lines 1, 2, 3, 4, 5 and further on"));
    check("fn a() {\n    let total = 1;\n}\n", "let total = 1;\nlet b", "x", Err("     2\t    let total = 1;"));
    check("a total here\n", "total_sum += total;", "x", Err("no line of it is like"));
    check("a total_sum here\n", "total_sum += 1;", "x", Err("     1\ta total_sum here"));
    check("a\n", "b", "c", Err("old does not stand in `f`; read the file again"));
    check("a\n", "", "c", Err("nothing would change"));
    check("a\n", "a", "a", Err("nothing would change"));
    let ground = Ground::with(&[("zero", "a\0b")]);
    ground.check(edit("zero", "a", "b"), Err("is no text file"));
    ground.check(edit("none", "a", "b"), Err("there is no file `none`; write_file makes one"));
    ground.check(
        edit("a.txt", "two", "2"),
        Ok("a.txt was edited at line 2: 1 lines of it became 1; it has 12 bytes now"),
    );
    fs::write(ground.scratch.path().join("in/bad"), b"\xff a \xfe\n").expect("a file of ours");
    ground.check(edit("bad", "a", "é"), Ok("bad was edited at line 1: 1 lines of it became 1; it has 7 bytes now"));
    assert_eq!(ground.text("in/bad"), b"\xff \xc3\xa9 \xfe\n", "no other byte changes");
}

#[test]
fn an_edit_is_made_exactly_where_the_piece_is_the_only_one() {
    let ground = Ground::with(&[]);
    let (mut made, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut given = Gen::from_size_and_seed(12, seed);
        let mut text = |most: usize| -> String {
            let letters =
                (0..usize::arbitrary(&mut given) % most).map(|_| *given.choose(&['a', 'b', '\n', 'é']).expect("some"));
            letters.collect()
        };
        let (before, old, new) = (text(12), text(4), text(4));
        ground.scratch.write("in/f", &before);
        let ToolDone { ok, text, .. } = ground.uses(edit("f", &old, &new), 65_536);
        let count = (0..before.len()).filter(|at| before.as_bytes()[*at..].starts_with(old.as_bytes())).count();
        let is_one = !old.is_empty() && old != new && count == 1;
        assert_eq!(ok, is_one, "seed {seed}: {before:?} {old:?} {new:?}: {text}");
        let after = if is_one { before.replacen(&old, &new, 1) } else { before };
        assert_eq!(String::from_utf8_lossy(&ground.text("in/f")), after, "seed {seed}");
        *(if ok { &mut made } else { &mut refused }) += 1;
    }
    assert!(made > 50 && refused > 50, "{made} {refused}");
}
