import { labels } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, textOf } from '@slipway/kube';
import { controllerOf } from '@slipway/runtime';

type MachineVerb = 'create' | 'update' | 'delete' | 'gone';

/** A change of one Machine. */
export interface MachineEvent {
  readonly verb: MachineVerb;
  readonly namespace: string;
  readonly name: string;
  readonly cluster: string;
  /** The object that has the replicas: a control plane, MachineDeployment, MachinePool or MachineSet. */
  readonly group: GroupReference;
  /** The name of the controller owner, such as the MachineSet; '' without an owner. */
  readonly set: string;
  readonly version: string;
  /** The changes of an in-place update, such as `spec.version: v1.35.0 -> v1.36.0`. */
  readonly differences: readonly string[];
  /** Why the Machine is outdated, from its UpToDate condition. */
  readonly outdated: string;
}

export interface GroupReference {
  readonly kind: string;
  readonly name: string;
}

type Observed = Frozen<KubeObject>;

interface MachineParts {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** Classifies a change of a stored Machine. Returns undefined for normal provisioning progress. */
export function machineEvent(before: Observed | undefined, after: Observed | undefined): MachineEvent | undefined {
  const object = after ?? before;
  if (object === undefined) return undefined;
  if (before === undefined) return event('create', object);
  if (after === undefined) return event('gone', before);
  const isDeleting = (one: Observed): boolean => (one.metadata.deletionTimestamp ?? undefined) !== undefined;
  if (!isDeleting(before) && isDeleting(after)) return event('delete', after);
  const differences = differencesInPlace(before, after);
  return differences.length === 0 ? undefined : event('update', after, differences);
}

function event(verb: MachineVerb, object: Observed, differences: readonly string[] = []): MachineEvent {
  const { namespace = '', name = '' } = object.metadata;
  const { spec = {}, status } = object as MachineParts;
  const upToDate = status?.conditions?.find(({ type }) => type === 'UpToDate');
  return {
    verb,
    namespace,
    name,
    cluster: textOf(spec['clusterName']) || (object.metadata.labels?.[labels.clusterName] ?? ''),
    group: groupOf(object),
    set: controllerOf(object)?.name ?? '',
    version: textOf(spec['version']),
    differences,
    outdated: upToDate?.status === 'False' ? (upToDate.message ?? '') : '',
  };
}

/** Returns the MachineDeployment of a Machine instead of its MachineSet, because every rollout creates a new MachineSet. */
function groupOf({ metadata }: Pick<Observed, 'metadata'>): GroupReference {
  const deployment = metadata.labels?.[labels.deploymentName];
  if (deployment !== undefined) return { kind: 'MachineDeployment', name: deployment };
  const owner = controllerOf({ metadata });
  if (owner !== undefined) return { kind: owner.kind, name: owner.name };
  return { kind: 'Machine', name: metadata.name ?? '' };
}

/** Spec fields that are set during provisioning. Their changes are not in-place updates. */
const filledIn: ReadonlySet<string> = new Set(['providerID', 'failureDomain', 'bootstrap', 'infrastructureRef']);
const internal = /(^|\.)internal\.cluster\.x-k8s\.io\//;

function differencesInPlace(before: Observed, after: Observed): string[] {
  const found: string[] = [];
  const compare = (path: string, was: unknown, is: unknown): void => {
    if (JSON.stringify(was) !== JSON.stringify(is)) found.push(`${path}: ${shown(was)} -> ${shown(is)}`);
  };
  const [oldSpec = {}, newSpec = {}] = [(before as MachineParts).spec, (after as MachineParts).spec];
  for (const key of keysOf(oldSpec, newSpec))
    if (!filledIn.has(key)) compare(`spec.${key}`, oldSpec[key], newSpec[key]);
  const [oldLabels = {}, newLabels = {}] = [before.metadata.labels, after.metadata.labels];
  for (const key of keysOf(oldLabels, newLabels))
    if (!internal.test(key)) compare(`metadata.labels[${key}]`, oldLabels[key], newLabels[key]);
  return found;
}

function keysOf(left: object, right: object): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
