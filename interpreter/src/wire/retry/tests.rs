use super::*;

const NOW: i64 = 1_790_899_200;
const SECONDARY: &str = r#"{"message":"You have exceeded a secondary rate limit. Please wait."}"#;

fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    Reply::for_test(status, headers, body)
}

fn judged(heard: &Result<Reply, Fault>, intent: Intent, attempt: u32) -> Verdict {
    judge(heard, intent, attempt, Timestamp::from_seconds(NOW), &Rules::github())
}

#[test]
fn limits_are_waited_out_as_the_service_says() {
    let check = |status, headers: &[(&str, &str)], body: &str, attempt, expected: Verdict| {
        for intent in [Intent::Read, Intent::Replace, Intent::Create] {
            let found = judged(&Ok(reply(status, headers, body)), intent, attempt);
            assert_eq!(found, expected, "{status} {headers:?} {body} {intent:?} {attempt}");
        }
    };
    let rest = |seconds| Verdict::Rest(Duration::from_secs(seconds));
    check(403, &[("x-ratelimit-remaining", "4312")], SECONDARY, 1, rest(60));
    check(403, &[("x-ratelimit-remaining", "4312")], SECONDARY, 3, rest(240));
    check(403, &[("x-ratelimit-remaining", "4312")], SECONDARY, ATTEMPTS_MAX, Verdict::Take);
    check(403, &[("retry-after", "90")], SECONDARY, 1, rest(90));
    check(429, &[("retry-after", "7")], "", 1, rest(7));
    check(429, &[("retry-after", "0.2")], "", 1, rest(1));
    check(429, &[("retry-after", "Fri, 02 Oct 2026 00:00:30 GMT")], "", 1, rest(30));
    check(429, &[("retry-after", "Fri, 02 Oct 2020 00:00:30 GMT")], "", 1, rest(1));
    check(429, &[("retry-after", "Fri, 02 Oct 2020 00:00:30 GMT")], "", 4, rest(8));
    check(429, &[("retry-after", "0")], "", 2, rest(2));
    check(429, &[("retry-after", "soon")], "", 1, rest(60));
    check(429, &[("retry-after", "90"), ("retry-after-ms", "2500")], "", 1, rest(3));
    check(429, &[("retry-after-ms", "x")], "", 1, rest(60));
    check(429, &[("retry-after", "7"), ("x-should-retry", "true")], "", 1, rest(7));
    check(429, &[("retry-after", "7"), ("x-should-retry", "false")], "", 1, Verdict::Take);
    check(429, &[("retry-after", "-5")], "", 1, rest(60));
    check(429, &[], "", 2, rest(120));
    check(429, &[], r#"{"error":{"code":"insufficient_quota"}}"#, 1, Verdict::Take);
    check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1790899240")], "", 1, rest(40));
    check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1790899240000")], "", 1, rest(40));
    check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1790899100")], "", 1, rest(1));
    check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1790899240")], SECONDARY, 1, rest(60));
    check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "x")], "", 1, rest(60));
    check(403, &[("x-ratelimit-remaining", "4312")], "Resource not accessible by integration", 1, Verdict::Take);
    check(403, &[], "", 1, Verdict::Take);
    check(401, &[("retry-after", "7")], "", 1, Verdict::Take);
    check(422, &[("x-ratelimit-remaining", "0")], "", 1, Verdict::Take);
    check(200, &[("x-ratelimit-remaining", "0")], SECONDARY, 1, Verdict::Take);
}

#[test]
fn what_may_pass_is_tried_again_but_never_a_post_that_was_sent() {
    let check = |heard: Result<Reply, Fault>, attempt, read: Verdict, create: Verdict| {
        assert_eq!(judged(&heard, Intent::Read, attempt), read, "{heard:?}");
        assert_eq!(judged(&heard, Intent::Replace, attempt), read, "{heard:?}");
        assert_eq!(judged(&heard, Intent::Create, attempt), create, "{heard:?}");
    };
    let again = |seconds| Verdict::Retry(Duration::from_secs(seconds));
    check(Ok(reply(500, &[], "")), 1, again(1), Verdict::Take);
    check(Ok(reply(502, &[], "<html>")), 4, again(8), Verdict::Take);
    check(Ok(reply(503, &[("retry-after", "12")], "")), 1, again(12), Verdict::Take);
    check(Ok(reply(408, &[], "")), 1, again(1), Verdict::Take);
    check(Ok(reply(502, &[], "")), ATTEMPTS_MAX, Verdict::Take, Verdict::Take);
    check(Err(Fault::Cut("peer disconnected".into())), 1, again(1), Verdict::Take);
    check(Err(Fault::Unsent("connection refused".into())), 2, again(2), again(2));
    check(Err(Fault::Unsent("connection refused".into())), ATTEMPTS_MAX, Verdict::Take, Verdict::Take);
    check(Err(Fault::Barred("invalid peer certificate".into())), 1, Verdict::Take, Verdict::Take);
    check(Err(Fault::Oversized("too large".into())), 1, Verdict::Take, Verdict::Take);
    check(Err(Fault::Elsewhere("https://example.org".into())), 1, Verdict::Take, Verdict::Take);
    check(Ok(reply(404, &[], "")), 1, Verdict::Take, Verdict::Take);
    check(Ok(reply(200, &[], "")), 1, Verdict::Take, Verdict::Take);
}

#[test]
fn patience_ends() {
    let mut patience = Patience::new(Duration::from_secs(100));
    assert!(patience.spend(Duration::from_secs(60)));
    assert!(!patience.spend(Duration::from_secs(41)), "a wait that does not fit is not begun");
    assert!(patience.spend(Duration::from_secs(40)), "and costs nothing");
    assert!(!patience.spend(Duration::from_secs(1)));
    assert!(!patience.spend(Duration::MAX));
    patience.lose(Duration::MAX);
    assert!(patience.spend(Duration::ZERO));
}

#[test]
fn no_header_makes_the_rules_panic() {
    fn holds(status: u16, after: String, remaining: String, reset: String, attempt: u32) -> bool {
        let clean = |text: &str| text.chars().filter(char::is_ascii_graphic).collect::<String>();
        let (after, remaining, reset) = (clean(&after), clean(&remaining), clean(&reset));
        let headers =
            [("retry-after", &*after), ("x-ratelimit-remaining", &*remaining), ("x-ratelimit-reset", &*reset)];
        let heard = Ok(reply(status, &headers, SECONDARY));
        attempt < ATTEMPTS_MAX || judged(&heard, Intent::Read, attempt) == Verdict::Take
    }
    quickcheck::quickcheck(holds as fn(u16, String, String, String, u32) -> bool);
    for extreme in ["1e308", "inf", "NaN", "99999999999999999999", "-9223372036854775808", "9223372036854775807"] {
        holds(429, extreme.into(), "0".into(), extreme.into(), 1);
        holds(403, String::new(), "0".into(), extreme.into(), 1);
    }
}
