//! What a run costs besides reading a long thread: `step` over a whole run, the scan of a body, the state block.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nebuko::{
    event::{Action, Trigger},
    markdown::Scan,
    state::{EngineNote, WorkflowState, compact, read_block, render_block},
};
use nebuko_bench::{Eyes, Forge, Mix, parse, reconciled, report, shipped_setup, thread_json};
use serde_json::json;

/// What GitHub takes in a comment, and what a state has to fit into.
const COMMENT_UNITS: usize = 65_536;

/// A run of the default workflow from the issue to an approved review, in memory: five steps of work.
fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    let mut forge = Forge::new("@@architect please take this on", Vec::new());
    for result in ["done", "done", "done", "done", "approved"] {
        forge = forge.answering(&report(4_500), &json!({"status": "advance", "result": result}));
    }
    let opened = || Trigger::Issue { action: Action::Opened };
    let mut once = forge.clone();
    let end = once.play(shipped_setup(), opened());
    assert_eq!((end.posted.len(), once.requests.len()), (5, 5), "{end:?}");
    group.throughput(Throughput::Elements(once.steps));
    group.bench_function("default-workflow", |bench| {
        let setup = || (forge.clone(), shipped_setup());
        bench.iter_batched(setup, |(mut forge, setup)| forge.play(setup, opened()), BatchSize::SmallInput);
    });
    group.finish();
}

fn scan(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan");
    for (name, mix) in [("report", Mix::Reports), ("words", Mix::Commands)] {
        let thread = parse(thread_json(1, mix).as_bytes()).expect("the generated thread is one");
        let body = &thread.comments[0].body;
        group.throughput(Throughput::Bytes(body.len() as u64));
        group.bench_function(name, |bench| bench.iter(|| Scan::new(black_box(body))));
    }
    group.finish();
}

/// A state with 300 records, which is more than a comment holds.
fn state(criterion: &mut Criterion) {
    let thread = parse(thread_json(299, Mix::Usual).as_bytes()).expect("the generated thread is one");
    let state = WorkflowState {
        run_id: 4,
        workflow: "default".into(),
        step: "dev".into(),
        agent: "dev".into(),
        thread: reconciled(&thread, &Eyes::default()),
        engine: Some(EngineNote::new()),
        ..WorkflowState::default()
    };
    let block = render_block(&state);
    let mut group = criterion.benchmark_group("state");
    group.throughput(Throughput::Bytes(block.len() as u64));
    group.bench_function(BenchmarkId::new("render-block", 300), |bench| bench.iter(|| render_block(black_box(&state))));
    group.bench_function(BenchmarkId::new("read-block", 300), |bench| {
        bench.iter(|| read_block(black_box(&block), &Scan::new(black_box(&block))));
    });
    group.bench_function(BenchmarkId::new("compact", 300), |bench| {
        let compacted = |mut state| compact(&mut state, COMMENT_UNITS, 0).map(|left| (state, left));
        bench.iter_batched(|| state.clone(), compacted, BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, step, scan, state);
criterion_main!(benches);
