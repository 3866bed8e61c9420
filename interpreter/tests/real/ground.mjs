// What the checks stand on: running nebuko, starting a server on 127.0.0.1, and telling what did not hold.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const { NEBUKO: program, PACKAGES: packages, SCRATCH: scratch } = process.env;
export const here = dirname(fileURLToPath(import.meta.url));
export const folder = mkdtempSync(join(scratch, "run-"));
export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** Runs nebuko in the scratch folder, with nothing in its environment but what is given. */
export const nebuko = (args, env = {}) =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env, maxBuffer: 1 << 28 }, (error, out, err) => {
      if (error && typeof error.code !== "number") err += `\nended by ${error.signal ?? error.message}`;
      resolve({ code: error ? error.code : 0, out, err });
    });
  });

/** Starts a program that serves HTTP, with Node unless another is named, and waits until it answers. */
export const serve = async (args, address, { file = process.execPath, env = process.env } = {}) => {
  const child = spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  process.on("exit", () => child.kill());
  for (let tries = 0; tries < START_TRIES; tries++) {
    if (child.exitCode !== null) break;
    if (await fetch(address).then(() => true, () => false)) return { said: () => said };
    await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
  }
  throw new Error(`${args.join(" ")} did not come up:\n${said}`);
};

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

let faults = 0;
let held = 0;

/** Notes whether something holds; a fault is told at once, the first few with what was found. */
export const holds = (is, what, found = "") => {
  if (is) return void held++;
  faults++;
  if (faults <= FAULTS_SHOWN) console.error(`  not so: ${what}\n    ${String(found).slice(0, 1500)}`);
};

export const same = (found, expected, what) => {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  holds(is === should, what, `found    ${is}\n    expected ${should}`);
};

/** Ends the check: something must have been looked at, and all of it must have held. */
export const end = (least) => {
  console.log(`         ${held} held, ${faults} did not`);
  if (held < least) console.error(`  only ${held} of at least ${least} were looked at`);
  process.exit(faults > 0 || held < least ? 1 : 0);
};

// A slow machine needs some seconds to load a server.
const START_TRIES = 300;
const START_PAUSE_MS = 100;
const FAULTS_SHOWN = 10;
