//! The rules of presence that are about trust.

use super::*;

struct Desk {
    mirror: Mirror,
    changes: Arc<Queue<PresenceChange>>,
}

fn desk() -> Desk {
    let changes = Arc::new(Queue::new(10));
    Desk { mirror: Mirror::new(changes.clone()), changes }
}

impl Desk {
    /// A desk that is sure that exactly these are online.
    fn sure(mut self, online: &[AccountId]) -> Self {
        self.mirror.reach();
        self.mirror.load(online.iter().copied().collect());
        self.mirror.trust();
        self.mirror.take(usize::MAX);
        self.told();
        self
    }

    fn told(&self) -> Vec<PresenceChange> {
        self.changes.take()
    }
}

fn accounts<const N: usize>() -> [AccountId; N] {
    std::array::from_fn(|_| AccountId::new())
}

#[test]
fn while_redis_is_away_everyone_counts_as_online() {
    let [known, stranger] = accounts();
    let mut desk = desk().sure(&[known]);
    assert!(desk.mirror.is_online(known) && !desk.mirror.is_online(stranger));
    desk.mirror.lose();
    assert!(desk.mirror.is_online(known) && desk.mirror.is_online(stranger));
    assert_eq!(desk.told(), []);
}

#[test]
fn nobody_goes_offline_while_the_gateways_say_again_who_is_there() {
    let [stays, goes] = accounts();
    let mut desk = desk().sure(&[stays, goes]);
    desk.mirror.lose();
    desk.mirror.reach();
    desk.mirror.load(HashSet::new());
    desk.mirror.hear(stays, true);
    desk.mirror.hear(goes, true);
    desk.mirror.hear(goes, false);
    assert!(desk.mirror.is_online(goes));
    assert_eq!(desk.told(), [PresenceChange::Online(stays), PresenceChange::Online(goes)]);
    desk.mirror.trust();
    assert!(desk.mirror.is_online(stays) && !desk.mirror.is_online(goes));
    assert_eq!(desk.told(), [PresenceChange::Anyone]);
}

#[test]
fn after_an_outage_redis_is_told_of_everyone_who_is_here() {
    let [stays, left, came] = accounts();
    let mut desk = desk().sure(&[]);
    desk.mirror.arrive(stays);
    desk.mirror.arrive(left);
    desk.mirror.take(usize::MAX);
    desk.mirror.lose();
    desk.mirror.depart(left);
    desk.mirror.arrive(came);
    desk.mirror.reach();
    let (here, gone) = desk.mirror.take(usize::MAX);
    assert_eq!(HashSet::from_iter(here), HashSet::from([stays, came]));
    assert_eq!(gone, []);
}

#[test]
fn what_is_heard_while_the_list_is_loaded_holds_over_the_list() {
    let [came, went] = accounts();
    let mut desk = desk().sure(&[]);
    desk.mirror.reach();
    desk.mirror.hear(came, true);
    desk.mirror.hear(went, true);
    desk.mirror.hear(went, false);
    desk.mirror.load(HashSet::from([went]));
    desk.mirror.trust();
    assert!(desk.mirror.is_online(came) && !desk.mirror.is_online(went));
}

#[test]
fn who_has_a_connection_here_is_never_said_to_be_gone() {
    let [here] = accounts();
    let mut desk = desk().sure(&[here]);
    desk.mirror.arrive(here);
    desk.mirror.hear(here, false);
    assert!(desk.mirror.is_online(here));
    assert_eq!(desk.told(), []);
}
