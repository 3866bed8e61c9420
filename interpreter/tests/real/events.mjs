// Every example event that GitHub publishes: read as a wake-up of the right kind, and never a reason to fall over.
import { mkdirSync, writeFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { end, folder, holds, nebuko, packages, readJson, same } from "./ground.mjs";

const kinds = readJson(join(packages, "@octokit/webhooks-examples/api.github.com/index.json"));
const event = join(folder, "event.json");
const recording = join(folder, "run.jsonl");

mkdirSync(join(folder, "demo"));
const issue = "---\nauthor: dana\nauthor_id: 501\nassociation: OWNER\nnumber: 7\ntitle: It crashes\n---\n\nOn start.\n";
writeFileSync(join(folder, "demo/issue.md"), issue);
writeFileSync(join(folder, "demo/0001-dana.md"), "@@architect look at the start first\n");

for (const { name, examples } of kinds) {
  for (const payload of examples) {
    const about = `${name} ${payload.action ?? ""}`;
    writeFileSync(event, JSON.stringify(payload));
    const own = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: event };
    await wakes(about, own, expected(name, payload));
    // A file from elsewhere has no name: what it is shows in its keys.
    await wakes(`${about}, unnamed`, {}, payload.issue ? expected(name, payload) : { other: { name: shown(payload) } });
    if (!payload.issue) {
      const ran = await nebuko(["run", "--event-path", event, "--dry-run"], own);
      // A dispatch is for somebody to say which issue is meant; everything else starts nothing.
      const asks = expected(name, payload) === "manual";
      same(ran.code, asks ? 2 : 0, `${about} is about no issue, and ends as it should`);
      holds(ran.err.includes("next:") === asks && !ran.err.includes("panicked"), `${about}: says what to do`, ran.err);
    }
  }
}
end(1000);

async function wakes(about, env, trigger) {
  const args = ["run", "--local", "demo", "--event-path", event, "--dry-run", "--json", "--record", recording];
  rmSync(recording, { force: true });
  const ran = await nebuko(args, env);
  if (ran.code !== 0) return holds(false, `${about} ends with 0`, `${ran.code} ${ran.err}`);
  const [, woken] = readFileSync(recording, "utf8").split("\n");
  same(JSON.parse(woken).event.woken.trigger, trigger, `${about} is this trigger`);
  same(JSON.parse(ran.out).reason, starts(trigger) ? "DRY_RUN" : "EVENT_IGNORED", `${about} starts what it should`);
}

/** What an event must be read as, said once more and in another way than nebuko says it. */
function expected(name, { action, comment }) {
  const known = ["created", "opened", "labeled", "edited", "deleted"].includes(action) ? action : "other";
  if (name === "issue_comment") return { comment: { id: comment.id, action: known } };
  if (name === "issues") return { issue: { action: known } };
  return /_dispatch$/.test(name) ? "manual" : { other: { name } };
}

/** What a file without a name shows of its kind. */
function shown({ pull_request, pusher }) {
  if (pull_request) return "pull_request";
  return pusher ? "push" : "unknown";
}

function starts(trigger) {
  if (trigger === "manual") return true;
  const { comment, issue } = trigger;
  return comment?.action === "created" || issue?.action === "opened" || issue?.action === "labeled";
}
