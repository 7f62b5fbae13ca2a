import type { MachineSet } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { NewCondition } from '@slipway/runtime';
import type { MapiMachineSet } from '../../api/index.js';

type CapiStatus = NonNullable<MachineSet['status']>;
type MapiStatus = NonNullable<MapiMachineSet['status']>;

interface MirroredSetStatus {
  readonly fields: Pick<
    CapiStatus,
    'replicas' | 'readyReplicas' | 'availableReplicas' | 'upToDateReplicas' | 'deprecated'
  >;
  readonly conditions: readonly NewCondition[];
}

/**
 * Converts the status of a MachineSet. Undefined while observedGeneration is outdated, because the replica counts then are
 * outdated too.
 */
export function machineSetStatusToCapi(set: Frozen<MapiMachineSet>): MirroredSetStatus | undefined {
  const status = (set.status ?? {}) as MapiStatus;
  if (status.observedGeneration !== set.metadata.generation) return undefined;
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0, fullyLabeledReplicas = 0 } = status;
  const { errorReason, errorMessage } = status;
  return {
    fields: {
      replicas,
      readyReplicas,
      availableReplicas,
      // Machine API does not roll out machines, so none is reported as up to date.
      upToDateReplicas: 0,
      deprecated: {
        v1beta1: {
          readyReplicas,
          availableReplicas,
          fullyLabeledReplicas,
          ...(errorReason !== undefined && { failureReason: errorReason }),
          ...(errorMessage !== undefined && { failureMessage: errorMessage }),
        },
      },
    },
    conditions: conditionsOf(set, { replicas, readyReplicas }),
  };
}

function conditionsOf(
  { metadata, spec }: Frozen<MapiMachineSet>,
  { replicas, readyReplicas }: { readonly replicas: number; readonly readyReplicas: number },
): readonly NewCondition[] {
  const desired = spec?.replicas ?? 1;
  const condition = (type: string, isTrue: boolean, yes: string, no: string): NewCondition => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: isTrue ? yes : no,
    message: '',
  });
  return [
    condition('MachinesReady', readyReplicas === replicas, 'Ready', 'NotReady'),
    condition('MachinesUpToDate', replicas === 0, 'NoReplicas', 'NotUpToDate'),
    condition('ScalingUp', replicas < desired, 'ScalingUp', 'NotScalingUp'),
    condition('ScalingDown', replicas > desired, 'ScalingDown', 'NotScalingDown'),
    condition('Deleting', typeof metadata.deletionTimestamp === 'string', 'Deleting', 'NotDeleting'),
  ];
}

type MapiSetFields = Pick<
  MapiStatus,
  'replicas' | 'readyReplicas' | 'availableReplicas' | 'fullyLabeledReplicas' | 'errorReason' | 'errorMessage'
>;

/** Converts replica counts to the semantics of Machine API and Cluster API v1beta1. */
export function machineSetStatusToMapi({ metadata, status }: Frozen<MachineSet>): MapiSetFields | undefined {
  if (status === undefined || status.observedGeneration !== metadata.generation) return undefined;
  const { v1beta1 } = status.deprecated ?? {};
  return {
    replicas: status.replicas ?? 0,
    readyReplicas: v1beta1?.readyReplicas ?? 0,
    availableReplicas: v1beta1?.availableReplicas ?? 0,
    fullyLabeledReplicas: v1beta1?.fullyLabeledReplicas ?? 0,
    ...(v1beta1?.failureReason !== undefined && { errorReason: v1beta1.failureReason }),
    ...(v1beta1?.failureMessage !== undefined && { errorMessage: v1beta1.failureMessage }),
  };
}
