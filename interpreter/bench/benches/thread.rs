//! How long a thread takes from bytes to prompt: `parse`, `reconcile` from nothing and again, `render`.
//!
//! The bar: `reconcile` and `render` together take no longer than `parse` of the same bytes.

use std::{collections::BTreeMap, hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nebuko::{
    ids::Identity,
    prompt::{PromptInput, build},
    snapshot::ThreadSnapshot,
    state::ThreadRecord,
    thread::{View, reconcile},
};
use nebuko_bench::{ACTOR, INITIATOR, thread_json};

const COMMENTS: [u64; 3] = [100, 2_500, 10_000];

fn thread(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("thread");
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    let (actor, trigger) = (Identity::new(ACTOR.0, ACTOR.1), Identity::new(INITIATOR.0, INITIATOR.1));
    let view = View { actor: Some(&actor), trigger: Some(&trigger), compacted: false };
    for count in COMMENTS {
        let json = thread_json(count);
        let thread: ThreadSnapshot = serde_json::from_str(&json).expect("the generated thread is one");
        let ledger = reconcile(Vec::new(), &thread, &view);
        group.throughput(Throughput::Bytes(json.len() as u64));
        group.bench_function(BenchmarkId::new("parse", count), |bench| {
            bench.iter(|| serde_json::from_slice::<ThreadSnapshot>(black_box(json.as_bytes())));
        });
        group.bench_function(BenchmarkId::new("reconcile", count), |bench| {
            bench.iter(|| reconcile(Vec::new(), black_box(&thread), &view));
        });
        group.bench_function(BenchmarkId::new("reconcile-again", count), |bench| {
            bench.iter_batched(
                || ledger.clone(),
                |ledger| reconcile(ledger, black_box(&thread), &view),
                criterion::BatchSize::LargeInput,
            );
        });
        group.bench_function(BenchmarkId::new("render", count), |bench| {
            bench.iter(|| build(&input(black_box(&thread), &ledger)));
        });
    }
    group.finish();
}

fn input<'a>(thread: &'a ThreadSnapshot, ledger: &'a [ThreadRecord]) -> PromptInput<'a> {
    PromptInput {
        thread,
        ledger,
        pinned: &[],
        history_comment_count: None,
        had_ledger: true,
        record_chars: 16_000,
        role: "dev",
        role_prompt: "You write code.",
        workflow: "default",
        step: "dev",
        step_prompt: None,
        current_context: &NO_CONTEXT,
        request: None,
    }
}

static NO_CONTEXT: BTreeMap<String, serde_json::Value> = BTreeMap::new();

criterion_group!(benches, thread);
criterion_main!(benches);
