//! How long a thread takes from bytes to request: `parse`, `reconcile` from nothing and again, `render`.
//!
//! The bar: `reconcile` and `render` together take no longer than `parse` of the same bytes. What holds it is the
//! gate, which counts instructions; here is time.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nebuko::prompt::to_markdown;
use nebuko_bench::{Eyes, Mix, messages, parse, reconciled, reconciled_again, rendered, thread_json};

const COMMENTS: [u64; 3] = [100, 2_500, 10_000];

fn thread(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("thread");
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1)).sample_size(20);
    let eyes = Eyes::default();
    for count in COMMENTS {
        let json = thread_json(count, Mix::Usual);
        let thread = parse(json.as_bytes()).expect("the generated thread is one");
        let ledger = reconciled(&thread, &eyes);
        group.throughput(Throughput::Bytes(json.len() as u64));
        group.bench_function(BenchmarkId::new("parse", count), |bench| {
            bench.iter(|| parse(black_box(json.as_bytes())));
        });
        group.bench_function(BenchmarkId::new("reconcile", count), |bench| {
            bench.iter(|| reconciled(black_box(&thread), &eyes));
        });
        group.bench_function(BenchmarkId::new("reconcile-again", count), |bench| {
            let again = |ledger| reconciled_again(ledger, black_box(&thread), &eyes);
            bench.iter_batched(|| ledger.clone(), again, BatchSize::LargeInput);
        });
        group.bench_function(BenchmarkId::new("render-messages", count), |bench| {
            bench.iter(|| messages(&rendered(black_box(&thread), &ledger)));
        });
        group.bench_function(BenchmarkId::new("render-markdown", count), |bench| {
            bench.iter(|| to_markdown(&rendered(black_box(&thread), &ledger)));
        });
    }
    group.finish();
}

criterion_group!(benches, thread);
criterion_main!(benches);
