// A conversation by rules, over a real server: a tool call, a report that is refused, its repair, the report; then a
// streamed report, and an error that the server sends into a stream. A rule answers only what it was written for, so
// an answer shows that the request before it was right.
import { join } from "node:path";
import { end, freePort, here, holds, packages, same, serve } from "./ground.mjs";
import { isSound, runs, talk, write } from "./asked.mjs";

const answer = (message, finish_reason) =>
  JSON.stringify({
    id: "chatcmpl-{{timestamp}}",
    object: "chat.completion",
    model: "{{jmes request body.model}}",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020, prompt_tokens_details: { cached_tokens: 250 } },
  });
const call = (id, name, args) =>
  answer({ content: null, tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }] }, "tool_calls");
const path = "/v1/chat/completions";
const rule = (match, content, status = 200) => ({ path, method: "POST", match, response: { status, content } });
const last = "body.messages[-1]";
const result = (id, words) => `${last}.role == 'tool' && ${last}.tool_call_id == '${id}' && contains(${last}.content, '${words}')`;
const keyed = "headers.authorization == 'Bearer key-of-the-mock-1'";
const refused = JSON.stringify({ error: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" } });

// The last rule that fits answers.
const rules = [
  { path: "/v1/models", method: "GET", match: "@", response: { status: 200, content: '{"object":"list","data":[]}' } },
  rule("@", refused, 401),
  rule(`${keyed} && body.model == 'mock-1' && ${last}.role == 'user'`, call("call-1", "read_skill", { name: "style" })),
  rule(`${keyed} && ${result("call-1", "Write short sentences")}`, call("call-2", "finish", { report: "" })),
  rule(`${keyed} && ${result("call-2", "summary")}`, call("call-3", "finish", { report: "", fields: { summary: "The tabs are kept." } })),
  rule(`${keyed} && body.model == 'mock-2' && body.stream`, answer({ content: `Streamed. ${"The tabs are kept. ".repeat(20)}` }, "stop")),
];

const port = await freePort();
const base = `http://127.0.0.1:${port}`;
write("mock-llm.yaml", JSON.stringify({ streaming: { chunkSize: 7, chunkIntervalMs: 1 }, rules }));
const server = join(packages, "@dwmkerr", "mock-llm", "dist", "main.js");
await serve(["--require", join(here, "loopback.cjs"), server, "--config", "mock-llm.yaml"], `${base}/v1/models`, {
  env: { ...process.env, HOST: "127.0.0.1", PORT: `${port}` },
});

const settings = (more) => `
providers:
  mock: {base_url: "${base}/v1", key: MOCK_API_KEY}
models:
  calls: {provider: mock, name: mock-1, prices: {input: 1, output: 10}}
  text: {provider: mock, name: mock-2}
agents:
  dev: {model: calls, skills: [{discover: [style]}], output: {fields: [summary]}}
  scribe: {model: text}
${more}`;
write(".nebuko/agents/dev.md", "You are dev.\n");
write(".nebuko/agents/scribe.md", "You are the scribe.\n");
write(".nebuko/skills/style.md", "Write short sentences.\n");
write(".nebuko/workflows/calls.yaml", "name: calls\nsteps:\n  - {name: work, agent: dev, next: null}\n");
write(".nebuko/workflows/text.yaml", "name: text\nsteps:\n  - {name: say, agent: scribe, next: null}\n");
const env = { MOCK_API_KEY: "key-of-the-mock-1" };

// In one piece, with calls.
{
  write(".nebuko/config.yaml", settings(""));
  const ran = await runs("calls", "calls", env);
  same([ran.code, ran.report.outcome], [0, "finished"], `the run ends well: ${ran.err}`);
  const requests = talk(ran.events);
  same(requests.length, 3, "a call, a refused report and its repair are three requests");
  const said = requests.at(-1)?.messages.filter(({ role }) => role === "tool").map(({ content }) => content) ?? [];
  holds(said[0]?.includes("Write short sentences."), "the skill was read", said[0]);
  holds(/summary/.test(said[1] ?? ""), "the refusal names the field that is missing", said[1]);
  console.log(`         refused with: ${JSON.stringify(said[1])}`);
  const report = ran.posted.at(-1) ?? "";
  holds(report.includes("The tabs are kept."), "the report is posted", report);
  const { metrics } = ran.report.state?.history?.at(-1) ?? {};
  same([metrics?.input_tokens, metrics?.output_tokens, metrics?.cache_hit_rate, metrics?.nb_tool_calls], [3000, 60, 0.25, 3], "metrics");
  holds(ran.err.includes("USD so far"), "progress tells what it cost", ran.err);
  await isSound("calls", ran);
}

// Streamed.
{
  write(".nebuko/config.yaml", settings("llm: {stream: true}"));
  const ran = await runs("text", "text", env);
  same([ran.code, ran.report.outcome], [0, "finished"], `a streamed report is one: ${ran.err}`);
  holds(ran.posted.at(-1)?.includes("Streamed. The tabs are kept."), "it is posted whole", ran.posted.at(-1));
  await isSound("text", ran);
}

// A wrong key: as a status in one piece, and as an event of a stream under HTTP 200.
for (const [thread, more] of [["refused", ""], ["refused-stream", "llm: {stream: true}"]]) {
  write(".nebuko/config.yaml", settings(more));
  const ran = await runs(thread, "text", { MOCK_API_KEY: "key-of-somebody-else-2" });
  same([ran.code, ran.report.outcome], [3, "failed"], `${thread}: the service is at fault: ${ran.err}`);
  holds(ran.report.detail?.includes("Incorrect API key provided"), `${thread}: in its words`, ran.report.detail);
  same(talk(ran.events).length, 1, `${thread}: it is not asked again`);
  await isSound(thread, ran);
}
{
  const ran = await runs("no-key", "text", {});
  same(ran.code, 2, `a key that is not set is wrong usage: ${ran.err}`);
  holds(ran.err.includes("MOCK_API_KEY, and that variable is not set"), "its variable is named", ran.err);
}

end(40);
