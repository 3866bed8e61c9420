// GitHub's own description of its API: whatever nebuko sends fits it, and whatever fits it can be read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { end, folder, freePort, holds, nebuko, packages, readJson, same, scratch, serve } from "./ground.mjs";
import { REPO, engine, script, start } from "./emulated.mjs";

const ROUNDS = 30;
const RACES_MAX = 20;
const USED = [
  "get /user",
  "get /repos/{owner}/{repo}/issues/{issue_number}",
  "get /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "post /repos/{owner}/{repo}/issues/{issue_number}/comments",
  "patch /repos/{owner}/{repo}/issues/comments/{comment_id}",
];
const description = join(folder, "description.json");
writeFileSync(description, JSON.stringify(cut(readJson(join(scratch, "package/generated/api.github.com.json")))));

// The validator stands between nebuko and the server, and refuses what the description does not have.
{
  const github = await start();
  const [at, log] = await prism("proxy", github.url);
  const refused = await fetch(`${at}/repos/${REPO}/issues/1/comments?per_page=many`);
  same(refused.status, 422, "the validator is at work");
  // A run that loses a race edits its comment: the one request that no run makes by itself.
  for (let tries = 0; tries < RACES_MAX && !/ patch \/repos/.test(log()); tries++) {
    const issue = await github.open("dana", "Through the validator", "");
    await github.say("dana", issue, "@@architect go");
    const args = ["--repo", REPO, "--issue", `${issue}`, "--single-step"];
    const models = ["a", "b", "c"].map((name) => script(`${name}.json`, [[`## From ${name}`, { status: "advance" }]]));
    const runs = await Promise.all(models.map((model) => engine(at, [...args, ...model])));
    for (const { code, err } of runs) same(code, 0, `no request is refused: ${err}`);
  }
  for (const what of ["get /user", "get /repos", "post /repos", "patch /repos"]) {
    holds(log().includes(` ${what}`), `the validator saw ${what}`);
  }
  const told = log().split("\n").filter((line) => /violation|UNPROCESSABLE/i.test(line));
  same(told.length, 1, `the validator refused the wrong one alone: ${told.join("\n")}`);
}

// Random bodies that fit the description, as a thread. Ids below zero fit it too, but GitHub has none.
{
  const [at] = await prism("mock");
  const headers = { accept: "application/json", authorization: "Bearer x", prefer: "dynamic=true, code=200" };
  const random = async (path) => positive(await (await fetch(at + path, { headers })).json());
  for (let round = 0; round < ROUNDS; round++) {
    const [issue, comments] = [await random("/repos/a/b/issues/1"), await random("/repos/a/b/issues/1/comments")];
    writeFileSync(join(folder, "thread.json"), JSON.stringify({ issue, comments, user: await random("/user") }));
    const ledger = await nebuko(["ledger", "--thread", "thread.json", "--json"]);
    same(ledger.code, 0, `round ${round} is read: ${ledger.err}`);
    if (ledger.code !== 0) continue;
    const ids = JSON.parse(ledger.out).records.filter(({ kind }) => kind !== "issue-body").map(({ id }) => id);
    const byNumber = (one, other) => one - other;
    same(ids.sort(byNumber), [...new Set(comments.map(({ id }) => id))].sort(byNumber), `round ${round} is whole`);
  }
}
end(2 * ROUNDS + 9);

async function prism(what, ...target) {
  const port = await freePort();
  const entry = join(packages, "@stoplight/prism-cli/dist/index.js");
  const args = [entry, what, "-h", "127.0.0.1", "-p", `${port}`, "--errors", description, ...target];
  const { said } = await serve(args, `http://127.0.0.1:${port}/`);
  return [`http://127.0.0.1:${port}`, said];
}

/** Leaves of the description what nebuko uses, and what that refers to. */
function cut(whole) {
  const left = { openapi: whole.openapi, info: whole.info, paths: {}, components: {} };
  for (const [method, path] of USED.map((line) => line.split(" "))) {
    (left.paths[path] ??= {})[method] = whole.paths[path][method];
  }
  const open = [left.paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null || typeof value !== "object") continue;
    const [, , kind, name] = typeof value.$ref === "string" ? value.$ref.split("/") : [];
    if (name && !left.components[kind]?.[name]) {
      (left.components[kind] ??= {})[name] = whole.components[kind][name];
      open.push(whole.components[kind][name]);
    }
    open.push(...Object.values(value));
  }
  return left;
}

function positive(value) {
  if (typeof value === "number") return Math.abs(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(positive);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, positive(inner)]));
}


