// A small model that says what it likes, on a real server: whatever it says, the run ends, and what it leaves is sound.
import { end, freePort, holds, serve } from "./ground.mjs";
import { isSound, report, runs, talk, write } from "./asked.mjs";

const { LLAMA_PYTHON: python, LLAMA_WEIGHTS: weights } = process.env;
const port = await freePort();
const base = `http://127.0.0.1:${port}/v1`;
const args = ["-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1", "--port", `${port}`, "--n_ctx", "8192"];
await serve([...args, "--chat_format", "chatml-function-calling", "--api_key", "key-of-llama-1"], `${base}/models`, { file: python });

write(".nebuko/agents/dev.md", "You are dev. Answer with one short sentence.\n");
write(".nebuko/workflows/free.yaml", "name: free\nsteps:\n  - {name: work, agent: dev, next: null}\n");
for (const stream of [false, true]) {
  write(
    ".nebuko/config.yaml",
    `model: small
providers: {llama: {base_url: "${base}", key: LLAMA_API_KEY}}
models: {small: {provider: llama, name: smol, prices: {input: 1, output: 1}}}
defaults: {max_output_tokens: 120}
limits: {step_turns: 6}
llm: {stream: ${stream}, timeout_seconds: 120}
`,
  );
  const thread = stream ? "streamed" : "whole";
  const ran = await runs(thread, "free", { LLAMA_API_KEY: "key-of-llama-1" });
  const requests = talk(ran.events);
  holds(requests.length > 0 && requests.every((request) => (request.stream ?? false) === stream), `${thread}: it was asked so`);
  await isSound(thread, ran);
  const { outcome, reason, detail, state } = ran.report;
  const { input_tokens: input, output_tokens: output } = state?.history?.at(-1)?.metrics ?? {};
  console.log(`         ${thread}: exit ${ran.code}, ${outcome} (${reason}), ${requests.length} requests, ${input ?? 0} + ${output ?? 0} tokens`);
  console.log(`           ${JSON.stringify((detail ?? "").slice(0, 300))}`);
  console.log(`           posted: ${JSON.stringify(report(ran.posted.at(-1) ?? "").slice(0, 300))}`);
}

end(12);
