//! `deploy/kubernetes/base`: whether its roles start and are found, and whether its manifests fit together.
//! Whether they are what Kubernetes takes is up to `make deploy-check`.

use super::manifests::{self, Manifests};
use super::place::Place;
use super::role::know_their_variables;
use super::{Installation, certificates, yaml};
use anyhow::{Context, Result, ensure};
use astragal_tests::http::Http;
use serde_json::Value;
use std::collections::BTreeMap;

const ROLES: [&str; 5] =
    ["astragal-engine", "astragal-matchmaking", "astragal-rematch", "astragal-replay", "astragal-gateway"];
/// Where the traces go, outside of what is ours.
const COLLECTOR: &str = "collector.monitoring";

#[tokio::test]
async fn o2_kubernetes_starts_roles_whose_probes_succeed_and_which_play() -> Result<()> {
    play(&Manifests::read()?).await
}

#[tokio::test]
async fn o2_kubernetes_starts_roles_that_call_each_other_by_mutual_tls() -> Result<()> {
    let manifests = Manifests::read()?.with_component("mutual-tls")?;
    let called = ["ENGINE", "MATCHMAKING", "REMATCH", "REPLAY"];
    for url in called.map(|role| format!("ASTRAGAL_{role}_URL")) {
        ensure!(manifests.settings[&url].starts_with("https://"), "{url} is called without TLS");
    }
    play(&manifests).await
}

/// Starts all of it, waits until each probe succeeds, plays a game, and stops all of it.
async fn play(manifests: &Manifests) -> Result<()> {
    let secrets = BTreeMap::from([
        ("astragal-database", "postgres://astragal:secret@postgres:5432/astragal".to_owned()),
        ("astragal-redis", "redis://redis:6379".to_owned()),
    ]);
    let role = |name: &&str| manifests.role("Deployment", name, &secrets);
    let roles = ROLES.iter().map(role).collect::<Result<Vec<_>>>()?;
    let migrate = manifests.role("Job", "astragal-migrate", &secrets)?;
    let mut hosts = vec![("postgres", 1), ("redis", 1), (COLLECTOR, 1)];
    for role in &roles {
        ensure!(role.replicas == 2, "{} may run alone", role.name);
        // Others find it by the name of a Service.
        manifests.find("Service", &role.name)?;
        hosts.push((&role.name, role.replicas));
    }
    let place = Place::prepare(&hosts).await?;
    // Of the addresses, since they stand for the names here.
    let called = ROLES.iter().map(|name| place.addresses(name)).collect::<Result<Vec<_>>>()?;
    let certified = called.into_iter().flatten().map(ToString::to_string).collect();
    for (name, text) in certificates::FILES.iter().zip(certificates::issue(certified)?) {
        place.add_secret(name, &text)?;
    }
    know_their_variables(&roles.iter().collect::<Vec<_>>())?;
    let mut installation = Installation::start(place, &migrate, roles.clone())?;

    for process in &mut installation.processes {
        let deployment = manifests.find("Deployment", &process.role.name)?;
        let container = manifests::container(yaml::at(deployment, "/spec/template/spec")?)?;
        for probe in ["livenessProbe", "readinessProbe"] {
            let asked = yaml::at(container, &format!("/{probe}/httpGet"))?;
            let port = manifests::port(container, &asked["port"])?;
            let (url, path) = (format!("http://{}:{port}", process.address), yaml::text(asked, "/path")?);
            let passes = process.passes(async |_, _| {
                // It may not listen yet.
                let Ok(mut http) = Http::connect(&url).await else { return Ok(false) };
                Ok(http.get(path).await?.status.is_success())
            });
            passes.await.with_context(|| probe)?;
        }
    }
    let gateway = manifests.find("Deployment", "astragal-gateway")?;
    let container = manifests::container(yaml::at(gateway, "/spec/template/spec")?)?;
    installation.play("astragal-gateway", manifests::port(container, &"http".into())?).await?;
    installation.stop()
}

#[test]
fn o2_each_role_of_kubernetes_is_found_scaled_and_kept_up() -> Result<()> {
    let manifests = Manifests::read()?;
    for name in ROLES {
        let deployment = manifests.find("Deployment", name)?;
        let labels = yaml::map(deployment, "/spec/template/metadata/labels")?;
        let container = manifests::container(yaml::at(deployment, "/spec/template/spec")?)?;
        ensure!(yaml::map(deployment, "/spec/selector/matchLabels")? == labels, "{name} selects others");
        let budget = manifests.find("PodDisruptionBudget", name)?;
        ensure!(yaml::map(budget, "/spec/selector/matchLabels")? == labels, "{name}'s budget is for others");
        let autoscaler = manifests.find("HorizontalPodAutoscaler", name)?;
        let target = yaml::at(autoscaler, "/spec/scaleTargetRef")?;
        ensure!(target["kind"] == "Deployment" && target["name"] == name, "{name}'s autoscaler: {target}");
        ensure!(deployment.pointer("/spec/replicas").is_none(), "{name}: two say how many there are");

        let service = manifests.find("Service", name)?;
        ensure!(yaml::map(service, "/spec/selector")? == labels, "the Service {name} finds others");
        let headless = service.pointer("/spec/clusterIP") == Some(&"None".into());
        for port in yaml::list(service, "/spec/ports")? {
            let number = manifests::port(container, &port["targetPort"])?;
            // Behind a headless Service nothing translates ports.
            ensure!(!headless || port["port"] == number, "{name} isn't found at {port}");
        }
        ensure!(
            headless == (name != "astragal-gateway"),
            "who calls {name} can't choose among its processes"
        );
        let scraped = yaml::text(deployment, "/spec/template/metadata/annotations/prometheus.io~1port")?;
        let operators = manifests::port(container, &"operators".into())?;
        ensure!(scraped == operators.to_string(), "{name} is scraped at {scraped}");
    }
    Ok(())
}

#[test]
fn o2_the_pods_of_kubernetes_may_do_nothing_that_they_need_not() -> Result<()> {
    let manifests = Manifests::read()?;
    for (name, pod) in manifests.pods() {
        let pod = yaml::at(pod, "/spec")?;
        let container = manifests::container(pod)?;
        for (pointer, place, expected) in [
            ("/automountServiceAccountToken", pod, Value::from(false)),
            ("/enableServiceLinks", pod, false.into()),
            ("/securityContext/runAsNonRoot", pod, true.into()),
            ("/securityContext/runAsUser", pod, 65532.into()),
            ("/securityContext/seccompProfile/type", pod, "RuntimeDefault".into()),
            ("/securityContext/allowPrivilegeEscalation", container, false.into()),
            ("/securityContext/readOnlyRootFilesystem", container, true.into()),
            ("/securityContext/capabilities/drop", container, vec!["ALL"].into()),
            ("/image", container, "astragal".into()),
        ] {
            let found = yaml::at(place, pointer).with_context(|| name.clone())?;
            ensure!(*found == expected, "{name}: {pointer} is {found}");
        }
        for pointer in ["/resources/requests/cpu", "/resources/requests/memory", "/resources/limits/memory"] {
            yaml::text(container, pointer).with_context(|| name.clone())?;
        }
    }
    Ok(())
}

#[test]
fn o2_the_networks_of_kubernetes_lead_to_ports_that_exist() -> Result<()> {
    let manifests = Manifests::read()?;
    let named = |port: &Value| {
        let mut pods = manifests.pods();
        pods.any(|(_, pod)| {
            let container = pod.pointer("/spec/containers/0");
            container.is_some_and(|container| manifests::port(container, port).is_ok())
        })
    };
    for policy in manifests.of_kind("NetworkPolicy") {
        let labels = yaml::map(policy, "/spec/podSelector/matchLabels")?;
        ensure!(manifests.selects(labels), "{} is for nobody", policy["metadata"]["name"]);
        let ways = yaml::list(policy, "/spec/ingress")?.iter().chain(yaml::list(policy, "/spec/egress")?);
        for way in ways {
            for other in yaml::list(way, "/from")?.iter().chain(yaml::list(way, "/to")?) {
                let labels = other.pointer("/podSelector/matchLabels").and_then(Value::as_object);
                ensure!(labels.is_none_or(|labels| manifests.selects(labels)), "{other} is nobody");
            }
            for port in yaml::list(way, "/ports")? {
                ensure!(port["port"].is_number() || named(&port["port"]), "nobody has the port {port}");
            }
        }
    }
    for ingress in manifests.of_kind("Ingress") {
        let backend = yaml::at(ingress, "/spec/rules/0/http/paths/0/backend/service")?;
        let service = manifests.find("Service", yaml::text(backend, "/name")?)?;
        let mut ports = yaml::list(service, "/spec/ports")?.iter();
        ensure!(ports.any(|port| port["name"] == backend["port"]["name"]), "{backend} isn't there");
    }
    let unlabelled =
        manifests.all().find(|one| one["metadata"]["labels"]["app.kubernetes.io/name"] != "astragal");
    ensure!(unlabelled.is_none(), "nobody finds {unlabelled:?} by its label");
    Ok(())
}
