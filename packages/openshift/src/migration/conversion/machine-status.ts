import type { Machine } from '@slipway/cluster-api';
import { type Frozen, invalidField, isTime, parseTime } from '@slipway/kube';
import type { NewCondition } from '@slipway/runtime';
import type { MapiMachine } from '../../api/index.js';
import { type Converted, Notes } from './conversion.js';

type CapiStatus = NonNullable<Machine['status']>;
type MapiStatus = NonNullable<MapiMachine['status']>;
type Address = NonNullable<CapiStatus['addresses']>[number];

const addressTypes: readonly string[] = ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'];
const capiPhases = ['Provisioning', 'Provisioned', 'Running', 'Deleting', 'Failed'] as const;
const provisionedPhases: readonly string[] = ['Provisioned', 'Running', 'Deleting'];
const bootedPhases: readonly string[] = ['Running', 'Deleting'];

/** Status of a mirrored machine. Conditions are separate, because they are merged with those of other controllers. */
export interface MirroredStatus {
  readonly fields: Pick<CapiStatus, 'phase' | 'initialization' | 'deprecated' | 'nodeRef' | 'addresses'>;
  readonly conditions: readonly NewCondition[];
}

export function machineStatusToCapi(machine: Frozen<MapiMachine>): Converted<MirroredStatus> {
  const notes = new Notes();
  const status = (machine.status ?? {}) as MapiStatus;
  const phase = capiPhases.find((known) => known === status.phase);
  const isProvisioned = phase !== undefined && provisionedPhases.includes(phase);
  const isBooted = phase !== undefined && bootedPhases.includes(phase);
  const addresses = (status.addresses ?? []).flatMap(({ type, address }, index): Address[] => {
    if (addressTypes.includes(type)) return [{ type: type as Address['type'], address }];
    notes.refuse(invalidField(`status.addresses[${index}].type`, type, 'is not a supported address type'));
    return [];
  });
  return notes.with({
    fields: {
      ...(phase !== undefined && { phase }),
      ...initializationOf(isProvisioned, isBooted),
      ...failureOf(status),
      ...(status.nodeRef?.name !== undefined && { nodeRef: { name: status.nodeRef.name } }),
      ...(addresses.length > 0 && { addresses }),
    },
    conditions: conditionsOf(machine, isProvisioned, isBooted),
  });
}

function initializationOf(isProvisioned: boolean, isBooted: boolean): Pick<CapiStatus, 'initialization'> {
  if (!isProvisioned) return {};
  return { initialization: { infrastructureProvisioned: true, ...(isBooted && { bootstrapDataSecretCreated: true }) } };
}

function failureOf({ errorReason, errorMessage }: MapiStatus): Pick<CapiStatus, 'deprecated'> {
  if (errorReason === undefined && errorMessage === undefined) return {};
  const failure = {
    ...(errorReason !== undefined && { failureReason: errorReason }),
    ...(errorMessage !== undefined && { failureMessage: errorMessage }),
  };
  return { deprecated: { v1beta1: failure } };
}

/** Derives conditions from the phase, because Machine API has no such conditions. */
function conditionsOf({ metadata, status }: Frozen<MapiMachine>, isProvisioned: boolean, isBooted: boolean) {
  const isRunning = status?.phase === 'Running';
  const isDeleting = typeof metadata.deletionTimestamp === 'string';
  const condition = (type: string, isTrue: boolean, yes: string, no: string): NewCondition => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason: isTrue ? yes : no,
    message: '',
  });
  return [
    condition('Available', isRunning, 'Available', 'NotAvailable'),
    condition('Ready', isRunning, 'Ready', 'NotReady'),
    condition('BootstrapConfigReady', isBooted, 'DataSecretProvided', 'NotReady'),
    condition('InfrastructureReady', isProvisioned, 'Ready', 'NotReady'),
    condition('NodeReady', isRunning, 'NodeReady', 'NodeNotReady'),
    condition('Deleting', isDeleting, 'Deleting', 'NotDeleting'),
  ];
}

/**
 * Status fields of a Machine API Machine. Fields without a Cluster API equivalent are absent and stay unchanged; the value
 * undefined removes a field.
 */
export type MapiStatusFields = {
  readonly [Field in 'phase' | 'nodeRef' | 'addresses' | 'errorReason' | 'errorMessage' | 'lastUpdated']:
    | MapiStatus[Field]
    | undefined;
};

export function machineStatusToMapi({ status }: Frozen<Machine>): MapiStatusFields {
  const { phase, nodeRef, addresses, deprecated, lastUpdated } = (status ?? {}) as CapiStatus;
  const condition = phase === 'Deleted' ? 'Deleting' : capiPhases.find((known) => known === phase);
  return {
    phase: condition,
    nodeRef: nodeRef?.name === undefined ? undefined : { apiVersion: 'v1', kind: 'Node', name: nodeRef.name },
    addresses: addresses === undefined || addresses.length === 0 ? undefined : addresses.map((one) => ({ ...one })),
    errorReason: deprecated?.v1beta1?.failureReason,
    errorMessage: deprecated?.v1beta1?.failureMessage,
    lastUpdated: timeOf(lastUpdated),
  };
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && isTime(value) && !Number.isNaN(parseTime(value)) ? value : undefined;
}
