//! A small GitHub: it keeps one thread, lists it in pages, and stores what is posted.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::{Answer, Seen, Server};

/// What the server has.
#[derive(Default)]
pub(crate) struct Thread {
    pub(crate) comments: Vec<Value>,
    /// What the issue says beyond the truth about how many comments there are.
    pub(crate) miscount: i64,
    /// What to answer instead, by the number of the request, from 0.
    pub(crate) faults: Vec<(usize, Answer)>,
    /// What happens after a request was answered, by its number.
    pub(crate) meanwhile: Vec<(usize, Happening)>,
    /// Whether a faulty answer to a write comes after it was stored.
    pub(crate) stores_before_fault: bool,
    /// How many requests were answered.
    pub(crate) served: usize,
}

/// What somebody else does to the thread.
pub(crate) type Happening = fn(&mut Thread);

/// The thread and the server in front of it.
pub(crate) struct GitHub {
    pub(crate) server: Server,
    pub(crate) thread: Arc<Mutex<Thread>>,
}

impl GitHub {
    pub(crate) fn start(thread: Thread) -> Self {
        let thread = Arc::new(Mutex::new(thread));
        let there = Arc::clone(&thread);
        let server = Server::start(move |seen| there.lock().expect("no other thread panicked").serve(seen));
        Self { server, thread }
    }

    pub(crate) fn ids(&self) -> Vec<u64> {
        let thread = self.thread.lock().expect("no other thread panicked");
        thread.comments.iter().filter_map(|comment| comment["id"].as_u64()).collect()
    }
}

impl Thread {
    pub(crate) fn of(ids: impl IntoIterator<Item = u64>) -> Self {
        Self { comments: ids.into_iter().map(|id| comment(id, "hello")).collect(), ..Self::default() }
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.comments.retain(|comment| comment["id"] != id);
    }

    fn serve(&mut self, seen: &Seen) -> Answer {
        let number = self.served;
        self.served += 1;
        let fault = self.faults.iter().find(|(at, _)| *at == number).map(|(_, answer)| answer.clone());
        let answer = match fault {
            Some(fault) => {
                if self.stores_before_fault && seen.method != "GET" {
                    self.answer(seen);
                }
                fault
            }
            None => self.answer(seen),
        };
        let happenings: Vec<_> = self.meanwhile.iter().filter(|(at, _)| *at == number).map(|(_, it)| *it).collect();
        happenings.into_iter().for_each(|happens| happens(self));
        answer
    }

    fn answer(&mut self, seen: &Seen) -> Answer {
        let (path, query) = seen.path.split_once('?').unwrap_or((&seen.path, ""));
        match (seen.method.as_str(), path) {
            ("GET", "/repos/acme/site/issues/12") => Answer::json(200, self.issue()),
            ("GET", "/repos/acme/site/issues/12/comments") => self.page(seen, query),
            ("POST", "/repos/acme/site/issues/12/comments") => {
                let id = self.comments.iter().filter_map(|comment| comment["id"].as_u64()).max().unwrap_or(0) + 1;
                self.comments.push(comment(id, &posted_body(seen)));
                Answer::json(201, &self.comments[self.comments.len() - 1])
            }
            ("PATCH", path) => {
                let id: u64 = path.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or(0);
                let Some(known) = self.comments.iter_mut().find(|comment| comment["id"] == id) else {
                    return Answer::json(404, json!({"message": "Not Found"}));
                };
                known["body"] = posted_body(seen).into();
                Answer::json(200, known)
            }
            _ => Answer::json(404, json!({"message": "Not Found"})),
        }
    }

    fn issue(&self) -> Value {
        let count = i64::try_from(self.comments.len()).expect("a short thread") + self.miscount;
        let updated_at = self.comments.iter().filter_map(|comment| comment["updated_at"].as_str()).max();
        json!({"id": 900, "number": 12, "title": "A thread", "body": null, "user": null, "comments": count,
               "created_at": "2026-10-01T00:00:00Z", "updated_at": updated_at.unwrap_or("2026-10-01T00:00:00Z"),
               "state": "open"})
    }

    fn page(&self, seen: &Seen, query: &str) -> Answer {
        let value = |name: &str| {
            query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
        };
        let size: usize = value("per_page").and_then(|size| size.parse().ok()).unwrap_or(30);
        let page: usize = value("page").and_then(|page| page.parse().ok()).unwrap_or(1);
        let since = value("since").unwrap_or_default();
        let listed: Vec<&Value> =
            self.comments.iter().filter(|comment| comment["updated_at"].as_str() >= Some(since.as_str())).collect();
        let shown: Vec<&Value> = listed.iter().skip((page - 1) * size).take(size).copied().collect();
        let answer = Answer::json(200, json!(shown));
        if listed.len() <= page * size {
            return answer;
        }
        let host = seen.header("host").unwrap_or_default();
        let rest = format!("per_page={size}&since={since}&page={}", page + 1);
        answer.with("Link", format!("<http://{host}/repos/acme/site/issues/12/comments?{rest}>; rel=\"next\""))
    }
}

/// A comment as GitHub lists it, with more in it than is needed.
pub(crate) fn comment(id: u64, body: &str) -> Value {
    json!({"id": id, "node_id": "IC_x", "body": body, "html_url": format!("https://github.com/acme/site/issues/12#issuecomment-{id}"),
           "user": {"id": 501, "login": "dana", "type": "User", "site_admin": false}, "performed_via_github_app": null,
           "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-10-01T00:00:00Z", "author_association": "MEMBER"})
}

fn posted_body(seen: &Seen) -> String {
    let sent: Value = serde_json::from_str(&seen.body).expect("a client that posts JSON");
    sent["body"].as_str().expect("a client that posts a body").to_owned()
}
