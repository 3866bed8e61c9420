//! Whoever sees what passes between the core and the world.

use nebuko::{effect::Effect, event::Event, report::Report, snapshot::ThreadSnapshot};

/// Sees what passes between the core and the world, without a say in it.
pub trait Observer {
    /// Sees an effect before it is carried out.
    fn asked(&mut self, _effect: &Effect) {}
    /// Sees an event as soon as it is there, with the thread as it is then.
    fn came(&mut self, _event: &Event, _thread: &ThreadSnapshot) {}
    /// Sees what a step asked for, and can have the digest of the state it left.
    fn stepped(&mut self, _effects: &[Effect], _digest: &dyn Fn() -> String) {}
    /// Sees the end.
    fn ended(&mut self, _report: &Report) {}
}

/// Two observers are one.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn asked(&mut self, effect: &Effect) {
        self.0.asked(effect);
        self.1.asked(effect);
    }
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        self.0.came(event, thread);
        self.1.came(event, thread);
    }
    fn stepped(&mut self, effects: &[Effect], digest: &dyn Fn() -> String) {
        self.0.stepped(effects, digest);
        self.1.stepped(effects, digest);
    }
    fn ended(&mut self, report: &Report) {
        self.0.ended(report);
        self.1.ended(report);
    }
}

/// An observer that may be absent.
impl<A: Observer> Observer for Option<A> {
    fn asked(&mut self, effect: &Effect) {
        self.iter_mut().for_each(|one| one.asked(effect));
    }
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        self.iter_mut().for_each(|one| one.came(event, thread));
    }
    fn stepped(&mut self, effects: &[Effect], digest: &dyn Fn() -> String) {
        self.iter_mut().for_each(|one| one.stepped(effects, digest));
    }
    fn ended(&mut self, report: &Report) {
        self.iter_mut().for_each(|one| one.ended(report));
    }
}

impl<A: Observer + ?Sized> Observer for &mut A {
    fn asked(&mut self, effect: &Effect) {
        (**self).asked(effect);
    }
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        (**self).came(event, thread);
    }
    fn stepped(&mut self, effects: &[Effect], digest: &dyn Fn() -> String) {
        (**self).stepped(effects, digest);
    }
    fn ended(&mut self, report: &Report) {
        (**self).ended(report);
    }
}
