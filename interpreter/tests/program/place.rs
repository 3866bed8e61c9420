//! A folder to run the program in, with a thread and written answers in it.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A folder of its own for each test: the program's working directory.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn empty() -> Self {
        let name = |number: u32| std::env::temp_dir().join(format!("nebuko-program-{}-{number}", std::process::id()));
        // Tests run side by side: whoever makes the folder has it.
        let folder = (0..).map(name).find(|folder| fs::create_dir(folder).is_ok());
        Self(folder.expect("some number is free"))
    }

    /// A thread in `demo/` in which dana, the owner, asks the architect for something, and five written answers.
    pub(crate) fn with_a_thread() -> Self {
        let place = Self::empty();
        let issue =
            "---\nauthor: dana\nauthor_id: 501\nassociation: OWNER\nnumber: 7\ntitle: It crashes\n---\n\nOn start.\n";
        place.write("demo/issue.md", issue);
        place.write("demo/0001-dana.md", "@@architect look at the start first\n");
        let results = [None, None, None, None, Some("approved")];
        let answers: Vec<Value> = results.iter().enumerate().map(|(index, result)| answer(index, *result)).collect();
        place.write("answers.json", &Value::from(answers).to_string());
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the temporary folder takes a folder");
        fs::write(path, text).expect("the temporary folder takes a file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nebuko"));
        command.args(line.split_whitespace()).current_dir(&self.0).env_clear().stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).output().expect("the program starts"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn answer(index: usize, result: Option<&str>) -> Value {
    let arguments = serde_json::json!({ "report": format!("Report {index}."), "result": result.unwrap_or("done") });
    serde_json::json!({
        "choices": [{ "finish_reason": "tool_calls", "message": { "role": "assistant", "content": null, "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "finish", "arguments": arguments.to_string() } },
        ] } }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 2 },
    })
}

/// What a call of the program came to.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code().expect("no signal"), out: text(output.stdout), err: text(output.stderr) }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| unreachable!("one document: {error}: {}", self.out))
    }
}
