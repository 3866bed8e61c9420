// What both checks of models stand on: a checkout with a thread in a folder, and what a run of it left behind.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folder, holds, nebuko } from "./ground.mjs";

export const write = (name, text) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Writes a thread in which dana, the owner, starts a workflow, and runs it. No argument names a model. */
export const runs = async (thread, workflow, env, more = []) => {
  write(`${thread}/issue.md`, "---\nauthor: dana\nauthor_id: 501\nassociation: OWNER\nnumber: 7\ntitle: It crashes\n---\n\nOn start.\n");
  write(`${thread}/0001-dana.md`, `/nebuko run ${workflow}\n`);
  const recording = `${thread}.jsonl`;
  const ran = await nebuko(["run", "--local", thread, "--record", recording, "--json", ...more], env);
  let report = {};
  try {
    report = JSON.parse(ran.out);
  } catch (error) {
    holds(false, `${thread}: one document on standard output`, `${error}\n${ran.out}${ran.err}`);
  }
  return { ...ran, report, events: lines(recording), posted: posted(thread) };
};

/** Gives the requests that a recording holds. */
export const talk = (events) => {
  const effects = events.flatMap(({ effects, step }) => effects ?? step?.effects ?? []);
  return effects.flatMap(({ complete }) => (complete ? [complete.request] : []));
};

/** Holds what must be so whatever a model says. */
export const isSound = async (thread, ran) => {
  holds([0, 1, 3].includes(ran.code), `${thread}: the exit code is one of ours`, `${ran.code}\n${ran.err}`);
  holds(typeof ran.report.outcome === "string", `${thread}: the run came to an end`, ran.out);
  holds(ran.posted.length > 0, `${thread}: something was posted`, ran.err);
  for (const text of ran.posted) {
    const shown = report(text);
    holds(!/\b(null|None|NaN|undefined)\b/.test(shown), `${thread}: no such word is posted`, shown);
  }
  for (const { metrics } of ran.report.state?.history ?? []) {
    for (const [name, value] of Object.entries(metrics ?? {})) {
      if (typeof value === "string") continue;
      holds(Number.isFinite(value) && value >= 0, `${thread}: ${name} is a number`, JSON.stringify(metrics));
    }
  }
  const replay = await nebuko(["replay", `${thread}.jsonl`]);
  holds(replay.code === 0, `${thread}: the recording replays`, replay.out + replay.err);
};

/** Gives what people see of a comment: neither its front matter nor the state. */
export const report = (text) =>
  text
    .replace(/^---\n[^]*?\n---\n/, "")
    .replace(/^<!-- .* -->$/gm, "")
    .split("<details>")[0]
    .trim();

const lines = (name) => readFileSync(join(folder, name), "utf8").trim().split("\n").map((line) => JSON.parse(line));

const posted = (thread) =>
  readdirSync(join(folder, thread))
    .filter((name) => name.endsWith("-nebuko.md"))
    .sort()
    .map((name) => readFileSync(join(folder, thread, name), "utf8"));
