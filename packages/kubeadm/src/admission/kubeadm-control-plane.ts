import {
  type AdmissionContext,
  compareKubernetesVersions,
  defaultVersion,
  defineAdmission,
  parseKubernetesVersion,
  validateNameTemplate,
  validateTaints,
  validateTemplateMetadata,
  validateVersion,
} from '@slipway/cluster-api';
import { deepEqual, type FieldError, forbiddenField, invalidField, isFields, valueAt } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import { kubeadmControlPlane, type KubeadmControlPlane } from '../api/kubeadm-control-plane.js';
import { controlPlaneAnnotations } from '../api/names.js';
import type { controlPlaneRollout } from '../api/v1beta2/control-plane.js';
import { type KubeadmConfigSpec, validateKubeadmConfigSpec } from './kubeadm-config-spec.js';

type Rollout = Infer<typeof controlPlaneRollout>;
type Strategy = NonNullable<Rollout['strategy']>;

function defaultKubeadmControlPlane(object: KubeadmControlPlane): void {
  const { spec } = object;
  spec.replicas ??= 1;
  defaultVersion(spec);
  defaultRollout(spec);
}

/** Sets the rollout strategy. Control planes support only one. */
function defaultRollout(spec: { rollout?: Rollout }): void {
  const strategy: Partial<Strategy> = spec.rollout?.strategy ?? {};
  const maxSurge = strategy.rollingUpdate?.maxSurge ?? 1;
  spec.rollout = { ...spec.rollout, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } };
}

function validateKubeadmControlPlane(
  object: KubeadmControlPlane,
  old: KubeadmControlPlane | undefined,
  context: AdmissionContext,
): FieldError[] {
  const { metadata, spec } = object;
  const values = { cluster: { name: 'cluster' }, kubeadmControlPlane: { name: metadata.name ?? '' } };
  return [
    ...validateReplicas('spec.replicas', spec.replicas, spec.kubeadmConfigSpec),
    ...validateVersion('spec.version', spec.version),
    ...validateRollout('spec.rollout', spec.rollout, spec.replicas),
    ...validateEtcd('spec.kubeadmConfigSpec.clusterConfiguration.etcd', spec.kubeadmConfigSpec),
    ...validateTemplateMetadata('spec.machineTemplate.metadata', spec.machineTemplate.metadata),
    ...validateTaints('spec.machineTemplate.spec.taints', spec.machineTemplate.spec.taints, context, {
      controlPlane: true,
    }),
    ...validateNameTemplate('spec.machineNaming.template', spec.machineNaming?.template, values, { random: true }),
    ...validateKubeadmConfigSpec('spec.kubeadmConfigSpec', spec.kubeadmConfigSpec ?? {}, context),
    ...(old === undefined ? [] : validateUpdate(object, old)),
  ];
}

/** Validates the number of replicas, also in the scale subresource. */
function validateReplicas(
  path: string,
  replicas: number | undefined,
  config: KubeadmConfigSpec | undefined,
): FieldError[] {
  if (replicas === undefined) return [];
  if (replicas <= 0) return [forbiddenField(path, 'must be greater than 0')];
  const stacked = config?.clusterConfiguration?.etcd?.external === undefined;
  // An even number of etcd members tolerates only as many failures as one member less, but has one more member that can fail.
  return stacked && replicas % 2 === 0 ? [forbiddenField(path, 'cannot be an even number when etcd is stacked')] : [];
}

export function validateRollout(
  path: string,
  rollout: Rollout | undefined,
  replicas: number | undefined,
): FieldError[] {
  const maxSurge = rollout?.strategy?.rollingUpdate?.maxSurge;
  const field = `${path}.strategy.rollingUpdate.maxSurge`;
  const days = rollout?.before?.certificatesExpiryDays;
  const errors =
    days !== undefined && days < 7
      ? [invalidField(`${path}.before.certificatesExpiryDays`, days, 'must be at least 7')]
      : [];
  if (maxSurge === undefined) return errors;
  if (maxSurge !== 0 && maxSurge !== 1) return [...errors, invalidField(field, maxSurge, 'must be 1 or 0')];
  if (maxSurge === 0 && replicas !== undefined && replicas < 3) {
    return [
      ...errors,
      invalidField(
        field,
        maxSurge,
        'can be 0 only with at least 3 replicas, because etcd would otherwise lose its quorum',
      ),
    ];
  }
  return errors;
}

function validateEtcd(path: string, config: KubeadmConfigSpec | undefined): FieldError[] {
  const etcd = config?.clusterConfiguration?.etcd;
  if (etcd?.local === undefined || etcd.external === undefined) return [];
  return [forbiddenField(path, 'cannot have both external and local etcd')];
}

const config = 'kubeadmConfigSpec';

/** Paths of the mutable fields. Changing other fields would make the machines of a control plane inconsistent. */
const mutablePaths = [
  ...['etcd', 'dns', 'featureGates', 'apiServer', 'controllerManager', 'scheduler'].map(
    (part) => `${config}.clusterConfiguration.${part}.*`,
  ),
  ...['imageRepository', 'certificateValidityPeriodDays', 'encryptionAlgorithm'].map(
    (part) => `${config}.clusterConfiguration.${part}`,
  ),
  ...['nodeRegistration', 'patches', 'skipPhases', 'bootstrapTokens', 'localAPIEndpoint', 'timeouts'].map(
    (part) => `${config}.initConfiguration.${part}.*`,
  ),
  ...['nodeRegistration', 'patches', 'skipPhases', 'caCertPath', 'controlPlane', 'discovery', 'timeouts'].map(
    (part) => `${config}.joinConfiguration.${part}.*`,
  ),
  ...[
    'bootCommands',
    'preKubeadmCommands',
    'postKubeadmCommands',
    'files',
    'verbosity',
    'users',
    'mounts',
    'format',
  ].map((part) => `${config}.${part}`),
  ...['ntp', 'ignition', 'diskSetup'].map((part) => `${config}.${part}.*`),
  ...['machineTemplate', 'remediation', 'machineNaming', 'rollout'].map((part) => `${part}.*`),
  'replicas',
  'version',
];

function validateUpdate(object: KubeadmControlPlane, old: KubeadmControlPlane): FieldError[] {
  const changes = changedPaths(old.spec, object.spec).filter((path) => !isAllowedPath(path, mutablePaths));
  return [
    ...changes.map((path) => forbiddenField(`spec.${path.join('.')}`, 'cannot be modified')),
    ...validateEtcdKept(object.spec.kubeadmConfigSpec, old.spec.kubeadmConfigSpec),
    ...validateVersionChange(object.spec.version, old.spec.version),
    ...validateDns(object, old),
  ];
}

function validateEtcdKept(next: KubeadmConfigSpec | undefined, old: KubeadmConfigSpec | undefined): FieldError[] {
  const isExternal = (spec: KubeadmConfigSpec | undefined) => spec?.clusterConfiguration?.etcd?.external !== undefined;
  if (isExternal(next) === isExternal(old)) return [];
  return [forbiddenField(`spec.${config}.clusterConfiguration.etcd`, 'cannot change between external and local etcd')];
}

// Rejects an invalid version change. A downgrade is rejected by the admission of the Cluster topology, as in upstream.
function validateVersionChange(version: string, old: string): FieldError[] {
  const next = parseKubernetesVersion(version);
  const current = parseKubernetesVersion(old);
  if (next === undefined || current === undefined) return [];
  if (next.major === current.major && next.minor <= current.minor + 1) return [];
  return [forbiddenField('spec.version', `cannot update Kubernetes version from ${old} to ${version}`)];
}

function validateDns(object: KubeadmControlPlane, old: KubeadmControlPlane): FieldError[] {
  const tagOf = (kcp: KubeadmControlPlane) => kcp.spec.kubeadmConfigSpec?.clusterConfiguration?.dns?.imageTag;
  const [tag, oldTag] = [tagOf(object), tagOf(old)];
  const skipped = Object.hasOwn(object.metadata.annotations ?? {}, controlPlaneAnnotations.skipCoreDns);
  if (skipped || tag === undefined || tag === oldTag) return [];
  const path = `spec.${config}.clusterConfiguration.dns.imageTag`;
  const next = parseKubernetesVersion(tag);
  if (next === undefined) return [invalidField(path, tag, 'must be a valid semantic version')];
  const current = parseKubernetesVersion(oldTag ?? '');
  const older = current !== undefined && compareKubernetesVersions(next, current) < 0;
  return older ? [forbiddenField(path, `cannot migrate CoreDNS down from '${oldTag}' to '${tag}'`)] : [];
}

export const kubeadmControlPlaneAdmission = defineAdmission(kubeadmControlPlane, {
  defaults: defaultKubeadmControlPlane,
  validate: validateKubeadmControlPlane,
});

type Path = readonly string[];

/** Returns the paths of the fields that differ. Lists are compared as a whole. */
function changedPaths(left: unknown, right: unknown, path: Path = []): Path[] {
  if (deepEqual(left, right)) return [];
  const fields = isFields(left) || isFields(right);
  const comparable = (isFields(left) || left === undefined) && (isFields(right) || right === undefined);
  if (!fields || !comparable) return [path];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  const changes = [...keys].flatMap((key) => changedPaths(valueAt(left, key), valueAt(right, key), [...path, key]));
  // An empty object was added or removed: there is no field below to report.
  return changes.length === 0 ? [path] : changes;
}

/** Returns whether one of the allowed paths contains the path. `a.*` matches everything in `a`. */
function isAllowedPath(path: Path, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => {
    const parts = pattern.split('.');
    const open = parts.at(-1) === '*';
    const fixed = open ? parts.slice(0, -1) : parts;
    return (
      (open ? path.length >= fixed.length : path.length === fixed.length) &&
      fixed.every((part, index) => part === path[index])
    );
  });
}
