//! What the machine says of the processes and of itself: CPU time, memory, steal. Reads `/proc`.

use anyhow::{Context, Result};
use std::fs::read_to_string;

/// One reading of the counters, in CPU seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Of the server's processes and their children.
    pub(crate) server: f64,
    /// Of this process.
    pub(crate) own: f64,
    /// What the hypervisor took, from all cores.
    pub(crate) stolen: f64,
}

impl Reading {
    /// Reads all counters.
    pub(crate) fn take(servers: &[u32]) -> Result<Self> {
        let tree = process_tree(servers)?;
        // A database ends a process of its own whenever it likes; only the servers themselves have to be there.
        let of =
            |pid: u32| cpu_seconds(pid).or_else(|e| if servers.contains(&pid) { Err(e) } else { Ok(0.0) });
        let server = tree.into_iter().map(of).sum::<Result<f64>>()?;
        let own = cpu_seconds(std::process::id())?;
        Ok(Self { server, own, stolen: stolen_seconds()? })
    }
}

/// Whether the kernel gives each session the same part of the cores, however many processes it has.
pub(crate) fn shares_cores_by_session() -> bool {
    read_to_string("/proc/sys/kernel/sched_autogroup_enabled").is_ok_and(|enabled| enabled.trim() == "1")
}

fn ticks_to_seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

/// The fields of `/proc/PID/stat` from the state on; the name before them may hold anything.
fn stat(pid: u32) -> Result<Vec<String>> {
    let text = read_to_string(format!("/proc/{pid}/stat")).with_context(|| format!("no process {pid}"))?;
    let (_, fields) = text.rsplit_once(") ").context("an odd /proc/PID/stat")?;
    Ok(fields.split_whitespace().map(str::to_owned).collect())
}

fn field(fields: &[String], index: usize) -> Result<u64> {
    Ok(fields.get(index).context("a short line in /proc")?.parse()?)
}

fn cpu_seconds(pid: u32) -> Result<f64> {
    let fields = stat(pid)?;
    Ok(ticks_to_seconds(field(&fields, 11)? + field(&fields, 12)?))
}

/// The processes and all their living descendants (a database has one a connection).
fn process_tree(roots: &[u32]) -> Result<Vec<u32>> {
    if roots.is_empty() {
        return Ok(Vec::new());
    }
    let mut parents = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let Ok(pid) = entry?.file_name().to_string_lossy().parse::<u32>() else { continue };
        // A process may end between the listing and the reading.
        if let Ok(fields) = stat(pid) {
            parents.push((pid, field(&fields, 1)? as u32));
        }
    }
    let mut tree = roots.to_vec();
    let mut at = 0;
    while let Some(&parent) = tree.get(at) {
        let children = parents.iter().filter(|(pid, of)| *of == parent && !roots.contains(pid));
        tree.extend(children.map(|(pid, _)| *pid));
        at += 1;
    }
    Ok(tree)
}

/// Resident memory of processes, in bytes.
pub(crate) fn resident_bytes(pids: &[u32]) -> Result<u64> {
    let pages = |&pid: &u32| -> Result<u64> {
        let text =
            read_to_string(format!("/proc/{pid}/statm")).with_context(|| format!("no process {pid}"))?;
        Ok(text.split_whitespace().nth(1).context("a short /proc/PID/statm")?.parse()?)
    };
    Ok(pids.iter().map(pages).sum::<Result<u64>>()? * rustix::param::page_size() as u64)
}

fn stolen_seconds() -> Result<f64> {
    let text = read_to_string("/proc/stat")?;
    let line = text.lines().next().context("an empty /proc/stat")?;
    // After the word: user, nice, system, idle, iowait, irq, softirq, steal.
    let steal = line.split_whitespace().nth(8).context("no steal in /proc/stat")?;
    Ok(ticks_to_seconds(steal.parse()?))
}

/// Keeps this process, and what it starts from now on, on one core: 0 is the servers', 1 is this tool's. A machine
/// without that core is left alone.
pub(crate) fn stay_on_core(core: usize) -> Result<()> {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(core);
    match rustix::thread::sched_setaffinity(None, &cores) {
        Ok(()) | Err(rustix::io::Errno::INVAL) => Ok(()),
        Err(error) => Err(error).with_context(|| format!("core {core} can't be had")),
    }
}

/// Lets this process and its children open as many files as the system allows.
pub(crate) fn open_many_files() -> Result<()> {
    let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.current = limit.maximum;
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit)
        .context("the file limit can't be raised")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_can_be_left_for_another_one() {
        let cores = || rustix::thread::sched_getaffinity(None).unwrap();
        let all = cores();
        for core in (0..2).filter(|core| all.is_set(*core)) {
            stay_on_core(core).unwrap();
            assert!(cores().is_set(core) && cores().count() == 1);
        }
    }

    #[test]
    fn this_process_has_memory_and_time() {
        let own = std::process::id();
        assert!(resident_bytes(&[own]).unwrap() > 100_000);
        let reading = Reading::take(&[own]).unwrap();
        assert!(reading.server >= reading.own - 0.1);
        assert!(Reading::take(&[u32::MAX]).is_err());
    }
}
