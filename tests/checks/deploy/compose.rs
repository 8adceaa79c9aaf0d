//! `deploy/compose.yaml`, and what stands beside it: the balancer, Prometheus, the collector.

use super::place::Place;
use super::role::{Role, know_their_variables};
use super::{Installation, folder, observed, yaml};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How the image of a role is named.
const IMAGE: &str = "${ASTRAGAL_IMAGE:-astragal}";
/// What a container's command begins with that runs our program.
const PROGRAM: [&str; 2] = ["CMD", "/astragal"];

#[tokio::test]
async fn o2_compose_starts_two_of_each_role_that_are_ready_and_play() -> Result<()> {
    let file = yaml::document(&folder().join("compose.yaml"))?;
    let services = yaml::map(&file, "/services")?;
    let hosts: Vec<_> = services
        .iter()
        .map(|(name, service)| Ok((name.as_str(), replicas(service)?)))
        .collect::<Result<_>>()?;
    let place = Place::prepare(&hosts).await?;
    let filled_in = place.filled_in()?;
    let mut roles = BTreeMap::new();
    for (name, service) in services {
        if yaml::text(service, "/image")? == IMAGE {
            roles.insert(name.as_str(), role(name, service, &file, &filled_in)?);
        }
    }
    let mut take = |name: &str| roles.remove(name).with_context(|| format!("compose.yaml has no {name}"));
    let migrate = take("migrate")?;
    // In the order in which compose starts them.
    let order =
        vec![take("engine")?, take("matchmaking")?, take("rematch")?, take("replay")?, take("gateway")?];
    ensure!(roles.is_empty(), "these are never started: {:?}", roles.keys());
    let mut installation = Installation::start(place, &migrate, order)?;

    let Installation { place, processes } = &mut installation;
    for process in processes {
        let name = process.role.name.clone();
        ensure!(process.role.replicas == 2, "{name} runs alone");
        know_their_variables(&[&process.role])?;
        let test = yaml::texts(&services[&name], "/healthcheck/test")?;
        let (program, words) = test.split_at_checked(PROGRAM.len()).context("a probe of fewer words")?;
        ensure!(program == PROGRAM, "{name} is probed by {program:?}");
        process.passes(async |role, address| place.succeeds(role, words, address)).await?;
    }
    let port = balanced_port()?;
    installation.play("gateway", port).await?;
    observed::check(&installation).await?;
    installation.stop()
}

#[test]
fn o2_compose_refers_to_nothing_that_is_not_there() -> Result<()> {
    let file = yaml::document(&folder().join("compose.yaml"))?;
    let services = yaml::map(&file, "/services")?;
    let secrets = yaml::map(&file, "/secrets")?;
    let volumes = yaml::map(&file, "/volumes")?;
    for (name, service) in services {
        for (other, condition) in service.get("depends_on").and_then(Value::as_object).into_iter().flatten() {
            let other = services.get(other).with_context(|| format!("{name} waits for {other}"))?;
            let healthy = yaml::text(condition, "/condition")? == "service_healthy";
            ensure!(!healthy || other.pointer("/healthcheck/test").is_some(), "{name} waits for ever");
        }
        for secret in yaml::texts(service, "/secrets")? {
            ensure!(secrets.contains_key(&secret), "{name} has an unknown secret {secret}");
        }
        for volume in yaml::texts(service, "/volumes")? {
            let (source, _) = volume.split_once(':').context("a volume without a place")?;
            let there =
                volumes.contains_key(source) || source.starts_with("./") && folder().join(source).exists();
            ensure!(there, "{name} mounts {source}");
        }
    }
    Ok(())
}

#[test]
fn o1_prometheus_asks_every_role_at_its_operators_port() -> Result<()> {
    let file = yaml::document(&folder().join("compose.yaml"))?;
    let mut roles = BTreeSet::new();
    for (name, service) in yaml::map(&file, "/services")? {
        if let Some(listen) = service.pointer("/environment/ASTRAGAL_ADMIN_LISTEN") {
            let port = listen.as_str().and_then(|listen| listen.strip_prefix("0.0.0.0:"));
            roles.insert((name.clone(), port.context("an odd address")?.to_owned()));
        }
    }
    let prometheus = yaml::document(&folder().join("prometheus/prometheus.yaml"))?;
    let mut asked = BTreeSet::new();
    for job in yaml::list(&prometheus, "/scrape_configs")? {
        for found in yaml::list(job, "/dns_sd_configs")? {
            let port = yaml::number(found, "/port")?.to_string();
            asked.extend(yaml::texts(found, "/names")?.into_iter().map(|name| (name, port.clone())));
        }
    }
    ensure!(asked == roles && roles.len() == 5, "{asked:?} are asked, and there are {roles:?}");
    Ok(())
}

#[test]
fn o1_the_collector_takes_traces_where_the_roles_send_them() -> Result<()> {
    let collector = yaml::document(&folder().join("collector.yaml"))?;
    for (name, pipeline) in yaml::map(&collector, "/service/pipelines")? {
        for kind in ["receivers", "processors", "exporters"] {
            for part in yaml::texts(pipeline, &format!("/{kind}"))? {
                ensure!(collector[kind].get(&part).is_some(), "{name} goes through an unknown {part}");
            }
        }
    }
    let takes = yaml::text(&collector, "/receivers/otlp/protocols/grpc/endpoint")?;
    let port = takes.strip_prefix("0.0.0.0:").context("the collector hides")?;
    let file = yaml::document(&folder().join("compose.yaml"))?;
    let sent = yaml::text(&file, "/services/engine/environment/ASTRAGAL_OTLP_ENDPOINT")?;
    ensure!(sent == format!("http://collector:{port}"), "traces go to {sent}");
    Ok(())
}

/// A service that runs our program.
fn role(name: &str, service: &Value, file: &Value, filled_in: &BTreeMap<String, String>) -> Result<Role> {
    let words = yaml::texts(service, "/command")?;
    let words = words.iter().map(|word| fill_in(word, filled_in)).collect::<Result<_>>()?;
    let mut variables = BTreeMap::new();
    for (variable, value) in yaml::map(service, "/environment")? {
        let value = value.as_str().with_context(|| format!("{variable} is no text"))?;
        variables.insert(variable.clone(), fill_in(value, filled_in)?);
    }
    let mut files = BTreeMap::new();
    for secret in yaml::texts(service, "/secrets")? {
        let source = yaml::text(file, &format!("/secrets/{secret}/file"))?;
        let source = source.strip_prefix("secrets/").context("secrets.sh makes secrets/")?;
        files.insert(format!("/run/secrets/{secret}"), source.to_owned());
    }
    let grace = yaml::text(service, "/stop_grace_period")?.strip_suffix('s').context("a grace of seconds")?;
    let grace = Duration::from_secs(grace.parse()?);
    Ok(Role { name: name.to_owned(), replicas: replicas(service)?, words, variables, files, grace })
}

fn replicas(service: &Value) -> Result<usize> {
    let replicas = service.pointer("/deploy/replicas").map_or(Some(1), Value::as_u64);
    Ok(usize::try_from(replicas.context("an odd number of replicas")?)?)
}

/// Replaces `${NAME}`, `${NAME:-otherwise}` and `${NAME:?complaint}`, as compose does.
fn fill_in(text: &str, variables: &BTreeMap<String, String>) -> Result<String> {
    let mut parts = text.split("${");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, after) = part.split_once('}').with_context(|| format!("{text} isn't closed"))?;
        let (name, otherwise) = inside.split_once(':').unwrap_or((inside, ""));
        let value = variables.get(name).map(String::as_str).or_else(|| otherwise.strip_prefix('-'));
        filled += value.with_context(|| format!("{name} is nowhere set"))?;
        filled += after;
    }
    Ok(filled)
}

/// The port at which the balancer, and so a client, reaches the gateways; it probes them as we do.
fn balanced_port() -> Result<u16> {
    let text = std::fs::read_to_string(folder().join("haproxy.cfg"))?;
    let words: Vec<_> = text.split_whitespace().collect();
    let server = words.iter().find_map(|word| word.strip_prefix("gateway:")).context("no gateway")?;
    ensure!(text.contains("option httpchk GET /readyz"), "HAProxy doesn't ask who is ready");
    ensure!(text.contains("check port 9090"), "HAProxy asks at another port");
    Ok(server.parse()?)
}
