import type { Random } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import { edit } from '@slipway/runtime';
import type { KVMMachine } from '../api/index.js';
import { macAddressOf } from './network-plan.js';
import type { BackendName } from './vm-service.js';

const scheme = 'kvm://';

/** Undefined as long as the machine has no identity. */
export function uuidOf({ spec }: Pick<Frozen<KVMMachine>, 'spec'>): string | undefined {
  const id = spec?.providerID;
  return id?.startsWith(scheme) === true ? id.slice(scheme.length) : undefined;
}

function newUuid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export interface IdentityChoices {
  readonly backend: BackendName;
  /** Of the host whose process it will be. */
  readonly hostName: string | undefined;
  /** The interface that the machine has its address on. */
  readonly interfaceIndex: number;
  readonly clusterName: string;
  /** Those of other machines. */
  readonly takenMacAddresses: ReadonlySet<string>;
}

/**
 * What makes the machine this one, written to the spec before anything is made: a status is lost when the object moves to
 * another management cluster, and its uid changes.
 */
export function withIdentity(
  kvmMachine: Frozen<KVMMachine>,
  choices: IdentityChoices,
  random: Random,
): Frozen<KVMMachine> {
  return edit(kvmMachine, (draft) => {
    draft.spec ??= {};
    const uuid = uuidOf(kvmMachine) ?? newUuid(random);
    draft.spec.providerID = `${scheme}${uuid}`;
    draft.spec.backend ??= choices.backend;
    if (choices.hostName !== undefined) draft.spec.hostName ??= choices.hostName;
    draft.spec.network ??= {};
    draft.spec.network.macAddress ??= freeMacAddress(uuid, choices);
    draft.spec.iscsi ??= {};
    draft.spec.iscsi.initiatorName ??= `iqn.2016-04.com.coreos.iscsi:${choices.clusterName}-${uuid}`;
  });
}

function freeMacAddress(uuid: string, { interfaceIndex, takenMacAddresses }: IdentityChoices): string {
  for (let index = interfaceIndex; ; index += 16) {
    const address = macAddressOf(uuid, index);
    if (!takenMacAddresses.has(address)) return address;
  }
}
