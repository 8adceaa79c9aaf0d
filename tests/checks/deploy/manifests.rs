//! The manifests of `deploy/kubernetes/base`: read, and looked up by kind and name.

use super::role::Role;
use super::{certificates, folder, yaml};
use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// The base, as it is written.
pub(super) struct Manifests {
    documents: Vec<Value>,
    /// The variables that the generated `ConfigMap` gives to every role.
    pub(super) settings: BTreeMap<String, String>,
}

impl Manifests {
    /// Reads the kustomization and all that it names; each file of the folder has to be named.
    pub(super) fn read() -> Result<Self> {
        let base = folder().join("kubernetes/base");
        let kustomization = yaml::document(&base.join("kustomization.yaml"))?;
        let named = yaml::texts(&kustomization, "/resources")?;
        let there = std::fs::read_dir(&base)?.count() - 1;
        ensure!(there == named.len(), "{there} files lie beside the kustomization, which names {named:?}");
        let mut documents = Vec::new();
        for name in named {
            documents.extend(yaml::documents(&base.join(name))?);
        }
        let mut manifests = Self { documents, settings: BTreeMap::new() };
        manifests.take_settings(&kustomization)?;
        Ok(manifests)
    }

    /// Changes the base as a component does. Of its patches only those are known that add to lists.
    pub(super) fn with_component(mut self, name: &str) -> Result<Self> {
        let path = folder().join("kubernetes/components").join(name).join("kustomization.yaml");
        let component = yaml::document(&path)?;
        self.take_settings(&component)?;
        for patch in yaml::list(&component, "/patches")? {
            let kind = yaml::text(patch, "/target/kind")?;
            let additions: Vec<Value> = serde_saphyr::from_str(yaml::text(patch, "/patch")?)?;
            for addition in additions {
                let list =
                    yaml::text(&addition, "/path")?.strip_suffix("/-").context("no addition to a list")?;
                for document in self.documents.iter_mut().filter(|document| document["kind"] == *kind) {
                    let list = document.pointer_mut(list).and_then(Value::as_array_mut);
                    list.with_context(|| format!("there is no list for {addition}"))?
                        .push(addition["value"].clone());
                }
            }
        }
        Ok(self)
    }

    fn take_settings(&mut self, kustomization: &Value) -> Result<()> {
        for literal in yaml::texts(kustomization, "/configMapGenerator/0/literals")? {
            let (name, value) = literal.split_once('=').context("a literal without a value")?;
            self.settings.insert(name.to_owned(), value.to_owned());
        }
        Ok(())
    }

    /// Every manifest.
    pub(super) fn all(&self) -> impl Iterator<Item = &Value> {
        self.documents.iter()
    }

    /// Every manifest of a kind.
    pub(super) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.documents.iter().filter(move |document| document["kind"] == kind)
    }

    /// The manifest of a kind with a name.
    pub(super) fn find(&self, kind: &str, name: &str) -> Result<&Value> {
        let found = self.of_kind(kind).find(|document| document["metadata"]["name"] == name);
        found.with_context(|| format!("there is no {kind} {name}"))
    }

    /// Every template of pods, with the kind and the name of its owner.
    pub(super) fn pods(&self) -> impl Iterator<Item = (String, &Value)> {
        self.documents.iter().filter_map(|document| {
            let template = document.pointer("/spec/template")?;
            Some((format!("{} {}", document["kind"], document["metadata"]["name"]), template))
        })
    }

    /// Whether some pods have all these labels.
    pub(super) fn selects(&self, labels: &Map<String, Value>) -> bool {
        let has_all = |pod: &Value| {
            labels.iter().all(|(name, value)| pod["metadata"]["labels"].get(name) == Some(value))
        };
        self.pods().any(|(_, pod)| has_all(pod))
    }

    /// What the one container of a Deployment or a Job is started with. `secrets` are the values of
    /// variables that come from Secrets.
    pub(super) fn role(&self, kind: &str, name: &str, secrets: &BTreeMap<&str, String>) -> Result<Role> {
        let manifest = self.find(kind, name)?;
        let pod = yaml::at(manifest, "/spec/template/spec")?;
        let container = container(pod)?;
        let mut variables = BTreeMap::new();
        for source in yaml::list(container, "/envFrom")? {
            ensure!(yaml::text(source, "/configMapRef/name")? == "astragal", "settings from {source}");
            variables.extend(self.settings.clone());
        }
        for variable in yaml::list(container, "/env")? {
            let reference = yaml::at(variable, "/valueFrom/secretKeyRef")?;
            ensure!(reference["key"] == "url", "an unknown key {reference}");
            let secret = yaml::text(reference, "/name")?;
            let value = secrets.get(secret).with_context(|| format!("nobody makes the Secret {secret}"))?;
            variables.insert(yaml::text(variable, "/name")?.to_owned(), value.clone());
        }
        let replicas = match self.find("HorizontalPodAutoscaler", name) {
            Ok(autoscaler) => usize::try_from(yaml::number(autoscaler, "/spec/minReplicas")?)?,
            Err(_) => 1,
        };
        let grace = pod.get("terminationGracePeriodSeconds").map_or(Some(30), Value::as_u64);
        let before = container.pointer("/lifecycle/preStop/sleep/seconds").map_or(Some(0), Value::as_u64);
        let grace = grace.zip(before).and_then(|(grace, before)| grace.checked_sub(before));
        Ok(Role {
            name: name.to_owned(),
            replicas,
            words: yaml::texts(container, "/args")?,
            variables,
            files: files(pod, container)?,
            grace: Duration::from_secs(grace.context("no time is left to stop")?),
        })
    }
}

/// The one container of a pod.
pub(super) fn container(pod: &Value) -> Result<&Value> {
    let [container] = yaml::list(pod, "/containers")? else { anyhow::bail!("not one container in {pod}") };
    Ok(container)
}

/// The number of a port that has a name.
pub(super) fn port(container: &Value, name: &Value) -> Result<u16> {
    let port = yaml::list(container, "/ports")?.iter().find(|port| port["name"] == *name);
    let port = port.with_context(|| format!("no port {name} in {container}"))?;
    Ok(u16::try_from(yaml::number(port, "/containerPort")?)?)
}

/// Which secret is found where, under the name of its file.
fn files(pod: &Value, container: &Value) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for mount in yaml::list(container, "/volumeMounts")? {
        let mut volumes = yaml::list(pod, "/volumes")?.iter();
        let volume = volumes.find(|volume| volume["name"] == mount["name"]);
        let volume = volume.with_context(|| format!("{mount} mounts nothing"))?;
        let names: &[&str] = match yaml::text(volume, "/secret/secretName")? {
            "astragal-token-key" => &["key.pem"],
            "astragal-token-public-key" => &["key.pub.pem"],
            "astragal-service-token" => &["service.token"],
            "astragal-tls" => &certificates::FILES,
            other => anyhow::bail!("nobody makes the Secret {other}"),
        };
        let folder = yaml::text(mount, "/mountPath")?;
        files.extend(names.iter().map(|name| (format!("{folder}/{name}"), (*name).to_owned())));
    }
    Ok(files)
}
