import { annotations, createdMs, type ObservedMachine } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type JsonObject, type JsonValue, type KubeObject, parseTime } from '@slipway/kube';
import type { ObservedControlPlane, ObservedKubeadmConfig } from './control-plane.js';
import { desiredKubeadmConfigSpec, isJoinConfig } from './desired-machine.js';

const dayMs = 86_400_000;

export interface RolloutInput {
  readonly controlPlane: ObservedControlPlane;
  readonly machine: ObservedMachine;
  readonly config: ObservedKubeadmConfig | undefined;
  readonly infrastructure: Frozen<KubeObject> | undefined;
  readonly nowMs: number;
}

/**
 * Returns why a machine must be replaced, one sentence each. Differences in fields that are updated in place are not a reason.
 */
export function rolloutReasons(input: RolloutInput): string[] {
  const { controlPlane, machine } = input;
  const { version } = controlPlane.spec;
  const reasons: string[] = [];
  if (certificatesExpireSoon(input)) reasons.push('Certificates will expire soon');
  if (isRolloutDue(input)) reasons.push('KubeadmControlPlane spec.rolloutAfter expired');
  if (machine.spec.version !== version) reasons.push(`Version ${machine.spec.version ?? ''}, ${version} required`);
  if (!matchesConfig(input)) reasons.push('KubeadmConfig is not up-to-date');
  if (!matchesInfrastructure(input)) reasons.push(`${machine.spec.infrastructureRef.kind} is not up-to-date`);
  return reasons;
}

function certificatesExpireSoon({ controlPlane, machine, nowMs }: RolloutInput): boolean {
  const days = controlPlane.spec.rollout?.before?.certificatesExpiryDays ?? 0;
  const expiry = machine.status?.certificatesExpiryDate;
  return days > 0 && expiry !== undefined && nowMs + days * dayMs > parseTime(expiry);
}

/** Whether `rollout.after` has passed and the machine is older. Until then it has no effect. */
function isRolloutDue({ controlPlane, machine, nowMs }: RolloutInput): boolean {
  const after = controlPlane.spec.rollout?.after;
  if (after === undefined) return false;
  const afterMs = parseTime(after);
  return createdMs(machine) < afterMs && afterMs < nowMs;
}

/** Returns the time until machines become outdated without an event, in milliseconds. Undefined if that will not happen. */
export function nextRolloutMs(
  controlPlane: ObservedControlPlane,
  machines: readonly ObservedMachine[],
  nowMs: number,
): number | undefined {
  const { after, before } = controlPlane.spec.rollout ?? {};
  const days = before?.certificatesExpiryDays ?? 0;
  const expiries = machines.flatMap(({ status }) => status?.certificatesExpiryDate ?? []);
  const due = [
    ...(after === undefined ? [] : [parseTime(after)]),
    ...(days === 0 ? [] : expiries.map((expiry) => parseTime(expiry) - days * dayMs)),
  ];
  const ahead = due.map((atMs) => atMs - nowMs).filter((ms) => ms >= 0);
  return ahead.length === 0 ? undefined : Math.min(...ahead) + 1;
}

/**
 * Whether the infrastructure matches its template. A machine that was not cloned from a template, such as an adopted one, always
 * matches.
 */
function matchesInfrastructure({ controlPlane, infrastructure }: RolloutInput): boolean {
  const name = infrastructure?.metadata.annotations?.[annotations.clonedFromName];
  const groupKind = infrastructure?.metadata.annotations?.[annotations.clonedFromGroupKind];
  if (name === undefined || groupKind === undefined) return true;
  const desired = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  return name === desired.name && groupKind === `${desired.kind}.${desired.apiGroup}`;
}

/** Whether the KubeadmConfig matches. A machine that cannot be compared matches: a failed read must not replace machines. */
function matchesConfig({ controlPlane, config }: RolloutInput): boolean {
  if (config === undefined) return true;
  const current = (config.spec ?? {}) as JsonObject;
  const join = desiredKubeadmConfigSpec(controlPlane, 'join') as JsonObject;
  if (isJoinConfig(config.spec)) return sameSpec(current, join);
  // Compare with the join configuration first: usually both roles are configured alike. Otherwise the machine that initialized
  // the cluster is compared with the init configuration.
  return (
    sameSpec(asJoin(current, join), join) ||
    sameSpec(current, desiredKubeadmConfigSpec(controlPlane, 'init') as JsonObject)
  );
}

function memberOf(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function asJoin({ initConfiguration: _init, ...current }: JsonObject, desired: JsonObject): JsonObject {
  const { timeouts, patches, skipPhases, nodeRegistration, localAPIEndpoint } = memberOf({ init: _init ?? {} }, 'init');
  const { caCertPath } = memberOf(desired, 'joinConfiguration');
  const join = { timeouts, patches, skipPhases, nodeRegistration, caCertPath, controlPlane: { localAPIEndpoint } };
  return { ...current, joinConfiguration: join as unknown as JsonValue };
}

function sameSpec(left: JsonObject, right: JsonObject): boolean {
  return deepEqual(comparable(left), comparable(right));
}

/**
 * Normalizes equivalent values: absent and empty, absent and a former default. Drops fields that the bootstrap provider writes,
 * that matter only during the join, or that are updated in the running cluster.
 */
function comparable(spec: JsonObject): JsonValue {
  const { controlPlaneEndpoint: _endpoint, dns: _dns, ...cluster } = memberOf(spec, 'clusterConfiguration');
  const { format, ...rest } = spec;
  const { discovery: _discovery, ...join } = memberOf(spec, 'joinConfiguration');
  return withoutEmpty({
    ...rest,
    ...(format === 'cloud-config' || format === undefined ? {} : { format }),
    clusterConfiguration: cluster,
    initConfiguration: comparableNode(memberOf(spec, 'initConfiguration')),
    joinConfiguration: comparableNode(join),
  });
}

function comparableNode(configuration: JsonObject): JsonObject {
  const { controlPlaneComponentHealthCheckSeconds: _seconds, ...timeouts } = memberOf(configuration, 'timeouts');
  const { imagePullPolicy, ...registration } = memberOf(configuration, 'nodeRegistration');
  const policy = imagePullPolicy === undefined || imagePullPolicy === 'IfNotPresent' ? {} : { imagePullPolicy };
  return { ...configuration, timeouts, nodeRegistration: { ...registration, ...policy } };
}

/** Fields for which an empty list differs from an absent list: empty taints request a Node without the taint of kubeadm. */
const meaningfulWhenEmpty = new Set(['taints']);

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject)
    .map(([key, member]) => [key, member === undefined ? undefined : withoutEmpty(member)] as const)
    .filter(([key, member]) => member !== undefined && (meaningfulWhenEmpty.has(key) || !isEmpty(member)));
  return Object.fromEntries(kept) as JsonObject;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
