// A GitHub with state on 127.0.0.1, four people in it, and what it takes to talk to it as each of them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { folder, freePort, here, nebuko, packages, serve } from "./ground.mjs";

const people = { dana: "token_dana", lee: "token_lee", stranger: "token_stranger", engine: "token_engine" };

export const start = async () => {
  const [port, seed] = [await freePort(), join(folder, "seed.yaml")];
  writeFileSync(seed, seeded());
  const entry = join(packages, "emulate/dist/index.js");
  const args = ["--require", join(here, "loopback.cjs"), entry, "start", "-s", "github", "-p", `${port}`, "--seed", seed];
  const url = `http://127.0.0.1:${port}`;
  await serve(args, `${url}/user`);
  return { url, ...as(url) };
};

const as = (url) => {
  const call = async (who, method, path, body) => {
    const headers = { authorization: `Bearer ${people[who]}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return { body: await answer.json(), link: answer.headers.get("link") };
  };
  return {
    open: async (who, title, body) => (await call(who, "POST", ISSUES, { title, body })).body.number,
    say: async (who, issue, body) => (await call(who, "POST", `${ISSUES}/${issue}/comments`, { body })).body,
    comments: (issue) => call("dana", "GET", `${ISSUES}/${issue}/comments?per_page=100`),
  };
};

/** Runs the engine on an issue and gives its report. `at` is where it finds GitHub. */
export const engine = async (at, args) => {
  const ran = await nebuko(["run", "--github-url", at, "--json", ...args], { GH_PAT: people.engine });
  return { ...ran, report: ran.out.startsWith("{") ? JSON.parse(ran.out) : {} };
};

/** Writes a script of answers; an answer is its report and what it dispatches. */
export const script = (name, answers) => {
  const bodies = answers.map(([content, dispatch]) => {
    const call = { name: "dispatch_next", arguments: JSON.stringify(dispatch) };
    const message = { role: "assistant", content, tool_calls: [{ id: "call_1", type: "function", function: call }] };
    return { choices: [{ finish_reason: "tool_calls", message }], usage: { prompt_tokens: 10, completion_tokens: 2 } };
  });
  writeFileSync(join(folder, name), JSON.stringify(bodies));
  return ["--model", `script:${name}`];
};

/** Writes the event of a comment, as a webhook tells it. */
export const event = (issue, comment) => {
  const [name, repository] = [`event-${comment.id}.json`, { full_name: REPO }];
  writeFileSync(join(folder, name), JSON.stringify({ action: "created", issue: { number: issue }, comment, repository }));
  return ["--event-path", name];
};

const seeded = () => {
  const tokens = Object.entries(people).map(([who, token]) => `  ${token}: {login: ${who}, scopes: [repo, user]}`);
  const users = Object.keys(people).map((who) => `    - login: ${who}`);
  const repos = "  repos:\n    - {owner: dana, name: site, auto_init: true}";
  return ["tokens:", ...tokens, "github:", "  users:", ...users, repos, ""].join("\n");
};

export const REPO = "dana/site";
const ISSUES = `/repos/${REPO}/issues`;
