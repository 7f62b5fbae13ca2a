import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import type { ObjectChange, ObjectKey, Sources } from '@slipway/runtime';
import type { SemVer } from 'semver';
import { preflightChecks } from '../admission/index.js';
import { annotations, labels, machineSets } from '../api/index.js';
import { controlPlane, failureMessage, fieldAt, resolveKind } from '../contract/index.js';
import { keysOfCluster } from '../reconcile/index.js';
import { parseKubernetesVersion, sumVersions } from '../version/index.js';
import type { MachineSetScope, PreflightCheckName } from './machine-set-scope.js';
import type { ObservedMachineSet } from './replica-planner.js';

type PreflightCheck = Exclude<PreflightCheckName, 'All'>;

/** The fields of the control plane object that the checks use. */
interface ControlPlaneState {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined for control planes without a version, which cannot be checked. */
  readonly version: string | undefined;
  /** The lowest version of the control plane machines. Undefined while the control plane is being provisioned. */
  readonly statusVersion: string | undefined;
}

export interface PreflightInput {
  readonly machineSet: ObservedMachineSet;
  /** Undefined for clusters without a control plane reference. */
  readonly controlPlane: ControlPlaneState | undefined;
  /** `spec.topology.version` of the Cluster, if it has a topology. */
  readonly topologyVersion: string | undefined;
  /** The enabled checks. */
  readonly enabled: readonly PreflightCheckName[];
  /** The skip annotation of the bootstrap template. Used if the MachineSet has none. */
  readonly bootstrapTemplateSkip?: string;
}

export interface PreflightFailure {
  readonly check: PreflightCheck;
  readonly message: string;
}

const minorSkewMax = 3;

/** Returns the reasons why no machine may be created now: it would join a control plane that is not ready for it. */
export function runPreflightChecks(input: PreflightInput): PreflightFailure[] {
  const { controlPlane, machineSet } = input;
  if (controlPlane?.version === undefined) return [];
  const results: [PreflightCheck, string | undefined][] = [['ControlPlaneIsStable', whyUnstable(controlPlane, input)]];
  const setVersion = machineSet.spec.template.spec.version ?? '';
  if (setVersion !== '') results.push(...versionResults(controlPlane.version, setVersion, input));
  const active = activeChecks(input);
  return results.flatMap(([check, problem]) =>
    problem === undefined || !active.has(check)
      ? []
      : [{ check, message: `${problem} ("${check}" preflight check failed)` }],
  );
}

function activeChecks({ enabled, machineSet, bootstrapTemplateSkip = '' }: PreflightInput): Set<PreflightCheckName> {
  const own = machineSet.metadata.annotations?.[annotations.skipPreflightChecks] ?? '';
  const skipped = new Set((own || bootstrapTemplateSkip).split(',').map((name) => name.trim()));
  if (skipped.has('All')) return new Set();
  const isOn = (check: PreflightCheckName): boolean => enabled.includes('All') || enabled.includes(check);
  return new Set(preflightChecks.filter((check) => isOn(check) && !skipped.has(check)));
}

function whyUnstable(controlPlane: ControlPlaneState, { topologyVersion }: PreflightInput): string | undefined {
  const { kind, namespace, name, version, statusVersion } = controlPlane;
  const subject = `${kind} ${namespace}/${name}`;
  if (topologyVersion !== undefined && topologyVersion !== version)
    return `${subject} has a pending version upgrade to ${topologyVersion}`;
  if (statusVersion === undefined || statusVersion === '') return `${subject} is provisioning`;
  return isUpgrading(version ?? '', statusVersion) ? `${subject} is upgrading` : undefined;
}

function isUpgrading(version: string, statusVersion: string): boolean {
  const [desired, reached] = [parseKubernetesVersion(version), parseKubernetesVersion(statusVersion)];
  if (desired === undefined || reached === undefined) return version !== statusVersion;
  return desired.compare(reached) > 0;
}

function versionResults(
  controlPlaneVersion: string,
  setVersion: string,
  input: PreflightInput,
): [PreflightCheck, string | undefined][] {
  const controlPlane = parseKubernetesVersion(controlPlaneVersion);
  const set = parseKubernetesVersion(setVersion);
  if (controlPlane === undefined || set === undefined) {
    const wrong = controlPlane === undefined ? controlPlaneVersion : setVersion;
    return [['KubernetesVersionSkew', `cannot parse version ${JSON.stringify(wrong)}; use the form v1.2.3`]];
  }
  const versions = `MachineSet version (${textOf(set)}) and ControlPlane version (${textOf(controlPlane)})`;
  return [
    ['KubernetesVersionSkew', kubernetesSkew(controlPlane, set, versions)],
    ['KubeadmVersionSkew', usesKubeadm(input.machineSet) ? kubeadmSkew(controlPlane, set, versions) : undefined],
    ['ControlPlaneVersionSkew', topologySkew(controlPlaneVersion, setVersion, input.topologyVersion !== undefined)],
  ];
}

function kubernetesSkew(controlPlane: SemVer, set: SemVer, versions: string): string | undefined {
  const problem = `${versions} do not conform to the kubernetes version skew policy as`;
  if (set.major > controlPlane.major || (set.major === controlPlane.major && set.minor > controlPlane.minor))
    return `${problem} MachineSet version is higher than ControlPlane version`;
  if (set.major < controlPlane.major || set.minor < controlPlane.minor - minorSkewMax)
    return `${problem} MachineSet version is more than ${minorSkewMax} minor versions older than the ControlPlane version`;
  return undefined;
}

function usesKubeadm(set: ObservedMachineSet): boolean {
  const reference = set.spec.template.spec.bootstrap.configRef;
  return reference?.kind === 'KubeadmConfigTemplate' && reference.apiGroup === 'bootstrap.cluster.x-k8s.io';
}

function kubeadmSkew(controlPlane: SemVer, set: SemVer, versions: string): string | undefined {
  if (controlPlane.major === set.major && controlPlane.minor === set.minor) return undefined;
  return `${versions} do not conform to kubeadm version skew policy as kubeadm only supports joining with the same major+minor version as the control plane`;
}

function topologySkew(controlPlane: string, set: string, hasTopology: boolean): string | undefined {
  if (!hasTopology || controlPlane === set) return undefined;
  return `MachineSet version (${set}) is not yet the same as the ControlPlane version (${controlPlane}), waiting for version to be propagated to the MachineSet`;
}

function textOf(version: SemVer): string {
  return version.build.length === 0 ? version.version : `${version.version}+${version.build.join('.')}`;
}

/** Runs the preflight checks. A change of the control plane versions triggers the next reconcile. */
export async function checkPreflight(scope: MachineSetScope): Promise<void> {
  try {
    await check(scope);
  } catch (error) {
    scope.preflightFailures = [`the preflight checks failed: ${failureMessage(error)}`];
    throw error;
  }
}

async function check(scope: MachineSetScope): Promise<void> {
  const { cluster, set, dependencies } = scope;
  if (cluster === undefined) {
    scope.preflightFailures = [`Cluster ${set.spec.clusterName} does not exist`];
    return;
  }
  const reference = cluster.spec.controlPlaneRef;
  if (reference === undefined || dependencies.preflightChecks.length === 0) return;
  const found = await observeControlPlane(scope, reference);
  if (found === undefined) {
    scope.preflightFailures = [`${reference.kind} ${set.metadata.namespace ?? ''}/${reference.name} does not exist`];
    return;
  }
  const skip = scope.templates?.bootstrap?.object?.metadata.annotations?.[annotations.skipPreflightChecks];
  const failures = runPreflightChecks({
    machineSet: set,
    controlPlane: found,
    topologyVersion: cluster.spec.topology?.version,
    enabled: dependencies.preflightChecks,
    ...(skip === undefined ? {} : { bootstrapTemplateSkip: skip }),
  });
  scope.preflightFailures = failures.map(({ message }) => message);
}

async function observeControlPlane(
  { context, set }: MachineSetScope,
  reference: { readonly apiGroup: string; readonly kind: string; readonly name: string },
): Promise<ControlPlaneState | undefined> {
  const { resource, contract } = resolveKind(context.sources, reference);
  const source = await context.follow({
    resource,
    filter: versionsChanged,
    map: (object) => setsOfCluster(context.sources, object),
  });
  const namespace = set.metadata.namespace ?? '';
  const object = source.get({ namespace, name: reference.name });
  if (object === undefined) return undefined;
  const { specVersion, statusVersion, versions } = controlPlane.read(object, contract);
  const lowest = sumVersions(versions)?.[0]?.version;
  return {
    kind: reference.kind,
    namespace,
    name: reference.name,
    version: specVersion,
    statusVersion: statusVersion ?? lowest,
  };
}

/** Returns whether the versions of a control plane changed. Its other fields do not affect whether machines may join. */
function versionsChanged({ object, previous }: ObjectChange): boolean {
  const versionsOf = (from: Frozen<KubeObject>): readonly unknown[] => [
    fieldAt(from, 'spec', 'version'),
    fieldAt(from, 'status', 'version'),
    fieldAt(from, 'status', 'versions'),
  ];
  return previous === undefined || !deepEqual(versionsOf(object), versionsOf(previous));
}

function setsOfCluster(sources: Sources, object: Frozen<KubeObject>): ObjectKey[] {
  const cluster = object.metadata.labels?.[labels.clusterName];
  if (cluster === undefined) return [];
  return keysOfCluster(sources, machineSets, { namespace: object.metadata.namespace ?? '', name: cluster });
}
