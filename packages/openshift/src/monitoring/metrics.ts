import { type Machine, machines, machineSets } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, parseTime } from '@slipway/kube';
import {
  type Conditioned,
  isConditionTrue,
  type Resource,
  type Sample,
  type SampledMetric,
  type Sources,
} from '@slipway/runtime';
import { mapiMachines, mapiMachineSets } from '../api/index.js';

/**
 * Resources that may be read for metrics, because they are already watched. Reading others would start a watch before their CRD
 * exists.
 */
export class MeasuredResources {
  readonly #known = new Map<string, Resource>();

  add(resource: Resource): void {
    this.#known.set(`${resource.kind}.${resource.group}`, resource);
  }

  has({ kind, group }: Resource): boolean {
    return this.#known.has(`${kind}.${group}`);
  }

  ofGroup(group: string): readonly Resource[] {
    return [...this.#known.values()].filter((resource) => resource.group === group);
  }
}

/** Returns the metrics that alerts use. Their names are those of Machine API with another prefix. */
export function openShiftMetrics(sources: Sources, measured: MeasuredResources): readonly SampledMetric[] {
  let isCollectorUp = true;
  const listed = <T extends KubeObject>(resource: Resource<T>): readonly Frozen<T>[] => {
    try {
      return measured.has(resource) ? [...sources.sourceFor(resource).list()] : [];
    } catch {
      isCollectorUp = false;
      return [];
    }
  };
  const replicas = (name: string, field: 'replicas' | 'readyReplicas' | 'availableReplicas'): SampledMetric =>
    gauge(name, `${field} of MachineSets`, ['name', 'namespace'], () =>
      listed(machineSets).map((set) => ({ labels: place(set), value: set.status?.[field] ?? 0 })),
    );
  return [
    gauge(
      'capi_machine_created_timestamp_seconds',
      'Creation time of Machines',
      ['name', 'namespace', 'phase', 'node'],
      () => listed(machines).map(machineSample),
    ),
    replicas('capi_machineset_status_replicas', 'replicas'),
    replicas('capi_machineset_status_replicas_ready', 'readyReplicas'),
    replicas('capi_machineset_status_replicas_available', 'availableReplicas'),
    gauge('capi_operator_provider_ready', '1 if the provider is ready', ['kind', 'name'], () =>
      measured.ofGroup('operator.cluster.x-k8s.io').flatMap((resource) =>
        listed(resource).map((provider) => ({
          labels: { kind: provider.kind, name: provider.metadata.name ?? '' },
          value: isConditionTrue(provider as Conditioned, 'Ready') ? 1 : 0,
        })),
      ),
    ),
    gauge(
      'capi_operator_migration_not_synchronized',
      'Migrations that wait for the resources to be synchronized',
      ['kind', 'name'],
      () =>
        [...listed(mapiMachines), ...listed(mapiMachineSets)].map((object) => ({
          labels: { kind: object.kind, name: object.metadata.name ?? '' },
          value: isStuck(object) ? 1 : 0,
        })),
    ),
    gauge('capi_operator_collector_up', '1 if Machines can be read', [], () => {
      const value = isCollectorUp ? 1 : 0;
      isCollectorUp = true;
      return [{ labels: {}, value }];
    }),
  ];
}

function gauge(
  name: string,
  help: string,
  labelNames: readonly string[],
  sample: () => Iterable<Sample>,
): SampledMetric {
  return { name, help, type: 'gauge', labelNames, sample };
}

function place({ metadata }: Frozen<KubeObject>): { name: string; namespace: string } {
  return { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
}

function machineSample(machine: Frozen<Machine>): Sample {
  const { phase = 'Pending', nodeRef } = machine.status ?? {};
  const made = machine.metadata.creationTimestamp;
  return {
    labels: { ...place(machine), phase, node: nodeRef?.name ?? '' },
    value: typeof made === 'string' ? parseTime(made) / 1_000 : 0,
  };
}

interface Migrated extends Frozen<KubeObject> {
  readonly spec?: { readonly authoritativeAPI?: string };
  readonly status?: { readonly authoritativeAPI?: string };
}

function isStuck(object: Migrated): boolean {
  const { spec, status } = object;
  const isMigrating = status?.authoritativeAPI !== undefined && spec?.authoritativeAPI !== status.authoritativeAPI;
  return isMigrating && !isConditionTrue(object as Conditioned, 'Synchronized');
}
