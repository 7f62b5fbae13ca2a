import { checkDns1123Subdomain, checkLabelValue, type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import type { Cluster } from '../api/cluster.js';
import { topologyAnnotations } from '../api/names.js';
import {
  compareKubernetesVersions,
  isKubernetesVersion,
  parseKubernetesVersion,
  withVersionPrefix,
} from '../version/index.js';
import type { AdmissionContext } from './admission.js';
import { validateTemplateMetadata } from './common.js';
import { validateStrategy } from './machine-deployment.js';
import { validateHealthChecks } from './machine-health-check.js';
import { validateTaints } from './machine-spec.js';

type Topology = NonNullable<Cluster['spec']['topology']>;
const path = 'spec.topology';

export function defaultTopology(topology: Topology): void {
  topology.version = withVersionPrefix(topology.version);
}

export function validateTopology(object: Cluster, old: Cluster | undefined, context: AdmissionContext): FieldError[] {
  const { topology } = object.spec;
  const former = old?.spec.topology;
  if (topology === undefined) {
    return former === undefined ? [] : [forbiddenField(path, 'cannot be removed from an existing Cluster')];
  }
  if (!context.features.ClusterTopology) {
    return [forbiddenField(path, 'can be set only if the ClusterTopology feature flag is enabled')];
  }
  return [
    ...validateConcurrency(object),
    ...validateVersionChange(object, topology, former),
    ...validateControlPlane(topology, context),
    ...validateWorkers(topology, context),
  ];
}

function validateConcurrency({ metadata }: Cluster): FieldError[] {
  const text = metadata.annotations?.[topologyAnnotations.upgradeConcurrency];
  if (text === undefined || /^[1-9][0-9]{0,8}$/.test(text)) return [];
  const field = `metadata.annotations[${topologyAnnotations.upgradeConcurrency}]`;
  return [invalidField(field, text, 'must be an integer greater than 0')];
}

function validateVersionChange(object: Cluster, topology: Topology, former: Topology | undefined): FieldError[] {
  const field = `${path}.version`;
  if (!isKubernetesVersion(topology.version)) {
    return [invalidField(field, topology.version, 'version must be a valid semantic version')];
  }
  const unchecked = Object.hasOwn(object.metadata.annotations ?? {}, topologyAnnotations.disableUpdateVersionCheck);
  const next = parseKubernetesVersion(topology.version);
  const current = parseKubernetesVersion(former?.version ?? '');
  if (unchecked || next === undefined || current === undefined) return [];
  if (compareKubernetesVersions(next, current) >= 0) return [];
  const detail = `version cannot be decreased from "${current.version}" to "${next.version}"`;
  return [invalidField(field, topology.version, detail)];
}

/** State of the Cluster and its ClusterClass that decides whether a version change is allowed. */
export interface UpgradeFacts {
  /** Whether the ClusterClass plans upgrades: it lists Kubernetes versions or has an extension that plans them. */
  readonly classPlansUpgrades: boolean;
  /** Objects that do not run the previous version of the topology yet, such as `MachineDeployment a`. */
  readonly partsBehind: readonly string[];
  /** Whether the AfterClusterUpgrade hook of the previous upgrade is pending. */
  readonly afterUpgradeHookPending: boolean;
}

/** Validates a version change against the state of other objects, which the caller passes in `facts`. */
export function validateUpgrade(object: Cluster, old: Cluster, facts: UpgradeFacts): FieldError[] {
  const field = `${path}.version`;
  const version = object.spec.topology?.version ?? '';
  const next = parseKubernetesVersion(version);
  const current = parseKubernetesVersion(old.spec.topology?.version ?? '');
  const unchecked = Object.hasOwn(object.metadata.annotations ?? {}, topologyAnnotations.disableUpdateVersionCheck);
  if (unchecked || next === undefined || current === undefined || compareKubernetesVersions(next, current) === 0)
    return [];
  const errors: FieldError[] = [];
  const tooFar = next.major !== current.major || next.minor > current.minor + 1;
  if (tooFar && !facts.classPlansUpgrades) {
    errors.push(
      invalidField(
        field,
        version,
        `version cannot be increased from "${current.version}" to "${next.version}": one minor version at a time`,
      ),
    );
  }
  if (facts.partsBehind.length > 0) {
    errors.push(
      invalidField(
        field,
        version,
        `version cannot be changed while an upgrade is in progress: ${facts.partsBehind.join(', ')} not yet at "${current.version}"`,
      ),
    );
  }
  if (facts.afterUpgradeHookPending) {
    errors.push(
      invalidField(field, version, 'version cannot be changed while the AfterClusterUpgrade hook is pending'),
    );
  }
  return errors;
}

function validateControlPlane({ controlPlane = {} }: Topology, context: AdmissionContext): FieldError[] {
  const field = `${path}.controlPlane`;
  return [
    ...validateTemplateMetadata(`${field}.metadata`, controlPlane.metadata),
    ...validateTaints(`${field}.taints`, controlPlane.taints, context, { controlPlane: true }),
    ...validateHealthChecks(`${field}.healthCheck`, controlPlane.healthCheck ?? {}),
  ];
}

function validateWorkers({ workers = {} }: Topology, context: AdmissionContext): FieldError[] {
  const deployments = (workers.machineDeployments ?? []).flatMap((deployment, index) => {
    const field = `${path}.workers.machineDeployments[${index}]`;
    return [
      ...validateName(`${field}.name`, deployment.name),
      ...validateTemplateMetadata(`${field}.metadata`, deployment.metadata),
      ...validateTaints(`${field}.taints`, deployment.taints, context, { controlPlane: false }),
      ...validateHealthChecks(`${field}.healthCheck`, deployment.healthCheck ?? {}),
      ...validateStrategy(`${field}.rollout.strategy`, deployment.rollout?.strategy),
    ];
  });
  const pools = (workers.machinePools ?? []).flatMap((pool, index) => {
    const field = `${path}.workers.machinePools[${index}]`;
    return [
      ...validateName(`${field}.name`, pool.name),
      ...validateTemplateMetadata(`${field}.metadata`, pool.metadata),
      ...validateTaints(`${field}.taints`, pool.taints, context, { controlPlane: false }),
    ];
  });
  return [...deployments, ...pools];
}

// The name is used as a label value and in object names.
function validateName(field: string, name: string): FieldError[] {
  return [...checkDns1123Subdomain(name), ...checkLabelValue(name)].map((problem) =>
    invalidField(field, name, problem),
  );
}
