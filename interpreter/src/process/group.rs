//! A program in a process group of its own: its pipes are drained from the start, and whatever happens, the whole group
//! is ended (fault kind 5.1).
//!
//! The program itself is not collected before that: as long as it is there, its number belongs to this group and to no
//! other, so no signal goes astray. What leaves the group by itself (`setsid`) is out of reach.

use std::{
    fs::File,
    io::{self, Read},
    os::{
        fd::OwnedFd,
        unix::process::{CommandExt, ExitStatusExt},
    },
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use nebuko::process::{ProcessEnd, Ran};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};

use super::{captured::Kept, fed::Fed, stop::Watch};
use crate::secret::Masker;

/// How long is waited for what.
pub(super) struct Patience {
    /// For the program to end by itself.
    limit: Duration,
    /// For a group that was asked to end.
    asked: Duration,
    /// For what the program left behind to close its pipes.
    left_behind: Duration,
}

impl Patience {
    /// The usual waits around a program's own limit (decision 7).
    pub(super) const fn of(limit: Duration) -> Self {
        Self { limit, asked: Duration::from_secs(5), left_behind: Duration::from_secs(2) }
    }
}

/// How a program came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// By itself, or by a signal of somebody else.
    ByItself,
    /// By us, at its limit.
    AtItsLimit,
    /// By us, because this process was told to stop by that signal.
    WithUs(i32),
}

/// Runs a program to its end and leaves nothing of its group behind. Without an input, its standard input is empty.
///
/// # Errors
/// As starting a process does.
pub(super) fn run(
    command: &mut Command,
    input: Option<&str>,
    patience: &Patience,
    masker: &Masker,
) -> io::Result<(Ended, Ran)> {
    let mut watch = Watch::begin();
    let mut group = match Group::start(command, input, masker) {
        Ok(group) => group,
        Err(error) => return watch.end().map_or(Err(error), |signal| Ok((Ended::WithUs(signal), Ran::default()))),
    };
    let in_time = group.within(patience.limit, |group| group.has_ended() || watch.is_told());
    let by_itself = group.has_ended();
    if by_itself {
        group.within(patience.left_behind, |group| group.is_silent() || watch.is_told());
    } else {
        group.send(Signal::TERM);
        // Whoever is stopped, as for want of a terminal, hears nothing else.
        group.send(Signal::CONT);
        // Told again, nobody wants to wait.
        group.within(patience.asked, |group| group.has_ended() && group.is_silent() || watch.is_told());
    }
    group.send(Signal::KILL);
    group.within(AFTER_THE_END, |group| group.has_ended() && group.is_silent());
    let ended = match watch.end() {
        Some(signal) => Ended::WithUs(signal),
        None if in_time || by_itself => Ended::ByItself,
        None => Ended::AtItsLimit,
    };
    Ok((ended, group.ran(masker)?))
}

struct Group<'i> {
    child: Child,
    id: Pid,
    started: Instant,
    fed: Fed<'i>,
    pipes: [Pipe; 2],
}

/// One of the program's outputs.
struct Pipe {
    /// `None` once all who could write to it have closed it.
    open: Option<File>,
    kept: Kept,
}

impl<'i> Group<'i> {
    fn start(command: &mut Command, input: Option<&'i str>, masker: &Masker) -> io::Result<Self> {
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        command.process_group(0).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        adopt();
        let started = Instant::now();
        let mut child = spawn(command)?;
        let pipe = |end: Option<OwnedFd>| Pipe { open: end.map(File::from), kept: Kept::new(masker) };
        let pipes = [pipe(child.stdout.take().map(OwnedFd::from)), pipe(child.stderr.take().map(OwnedFd::from))];
        let fed = Fed::new(child.stdin.take().map(OwnedFd::from), input.unwrap_or_default());
        Ok(Self { id: Pid::from_child(&child), child, started, fed, pipes })
    }

    /// Feeds the program and drains its pipes until something is so or the time is over; tells whether it is so.
    fn within(&mut self, span: Duration, mut is_so: impl FnMut(&Self) -> bool) -> bool {
        let from = Instant::now();
        loop {
            if is_so(self) {
                return true;
            }
            if from.elapsed() >= span {
                return false;
            }
            self.drain();
        }
    }

    /// Tells whether the program itself is at its end. It stays uncollected.
    fn has_ended(&self) -> bool {
        let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such child any more.
        !matches!(waitid(WaitId::Pid(self.id), how), Ok(None))
    }

    fn is_silent(&self) -> bool {
        self.pipes.iter().all(|pipe| pipe.open.is_none())
    }

    /// A group that is gone cannot be signalled, which is what was wanted.
    fn send(&self, signal: Signal) {
        let _ = kill_process_group(self.id, signal);
    }

    /// Reads once from each pipe that has something, writes once where there is room, and waits a moment where nothing is
    /// to be done.
    fn drain(&mut self) {
        let mut ready = [false; 3];
        {
            let (mut places, mut asked) = (Vec::new(), Vec::new());
            for (place, file) in self.pipes.iter().enumerate().filter_map(|(at, pipe)| Some((at, pipe.open.as_ref()?)))
            {
                places.push(place);
                asked.push(PollFd::new(file, PollFlags::IN));
            }
            if let Some(file) = self.fed.open() {
                places.push(INPUT);
                asked.push(PollFd::new(file, PollFlags::OUT));
            }
            if asked.is_empty() {
                thread::sleep(MOMENT);
            } else if poll(&mut asked, Some(&MOMENT_OF_POLL)).is_ok() {
                for (place, answer) in places.into_iter().zip(&asked) {
                    ready[place] = !answer.revents().is_empty();
                }
            }
        }
        self.pipes.iter_mut().zip(ready).filter(|(_, ready)| *ready).for_each(|(pipe, _)| pipe.read());
        if ready[INPUT] {
            self.fed.write();
        }
    }

    /// Waits until the last of the group is gone: a signal is sent in no time, and a process takes its time to end.
    fn fade(&self) {
        let from = Instant::now();
        while is_there(self.id) && from.elapsed() < AFTER_THE_END {
            thread::sleep(MOMENT);
        }
    }

    /// Collects the program and gives what came of it.
    fn ran(mut self, masker: &Masker) -> io::Result<Ran> {
        let took_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // A process that not even SIGKILL ends, as one that hangs in a broken disk, is left to the system.
        let unknown = |_| io::Error::other("it ran, and how it ended cannot be told: SIGCHLD is ignored here");
        let status = if self.has_ended() { Some(self.child.wait().map_err(unknown)?) } else { None };
        self.fade();
        let [stdout, stderr] = self.pipes.map(|pipe| pipe.kept.captured(masker));
        Ok(Ran {
            end: status.map_or(ProcessEnd::Signalled { signal: Signal::KILL.as_raw() }, end),
            stdout,
            stderr,
            took_ms,
        })
    }
}

impl Pipe {
    /// Reads what is there, without waiting, since there is something.
    fn read(&mut self) {
        let mut bytes = [0; READ_BYTES];
        match self.open.as_mut().map(|file| file.read(&mut bytes)) {
            Some(Ok(count)) if count > 0 => self.kept.add(&bytes[..count]),
            Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Some(Ok(_) | Err(_)) | None => self.open = None,
        }
    }
}

/// Starts a process. A file that somebody is about to close after writing it is tried again for a moment.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..BUSY_TRIES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => thread::sleep(BUSY_PAUSE),
            other => return other,
        }
    }
    command.spawn()
}

/// Makes what programs leave behind children of this process, so that it can collect them. It is for all programs alike.
#[cfg(target_os = "linux")]
fn adopt() {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

#[cfg(not(target_os = "linux"))]
fn adopt() {}

/// Tells whether anybody is left of a group whose program was collected. Those who are dead are collected too.
#[cfg(target_os = "linux")]
fn is_there(group: Pid) -> bool {
    for _ in 0..COLLECTED_MAX {
        match waitid(WaitId::Pgid(Some(group)), WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
    true
}

/// Asking does nothing to anybody, also where the number should be somebody else's by now.
#[cfg(not(target_os = "linux"))]
fn is_there(group: Pid) -> bool {
    rustix::process::test_kill_process_group(group).is_ok()
}

fn end(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Exited { code },
        (None, signal) => ProcessEnd::Signalled { signal: signal.unwrap_or(0) },
    }
}

/// The place of standard input behind the two outputs.
const INPUT: usize = 2;
/// How often is looked whether a program has ended: seldom enough to cost nothing.
const MOMENT: Duration = Duration::from_millis(5);
const MOMENT_OF_POLL: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
/// After SIGKILL all that is left is to read what stands in the pipes. Somebody who left the group may hold them open.
const AFTER_THE_END: Duration = Duration::from_secs(1);
/// A pipe of Linux holds that much.
const READ_BYTES: usize = 64 * 1024;
/// As many dead ones at a time; then it is time to look at the clock.
#[cfg(target_os = "linux")]
const COLLECTED_MAX: u32 = 1_000;
const BUSY_TRIES: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests;
