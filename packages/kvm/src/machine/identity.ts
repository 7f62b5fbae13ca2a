import type { Random } from '@slipway/base';
import { type Frozen, generateUid } from '@slipway/kube';
import { edit } from '@slipway/runtime';
import type { KVMMachine } from '../api/index.js';
import { macAddressOf } from './network-plan.js';
import type { BackendName } from './vm-service.js';

const scheme = 'kvm://';

/** Returns the UUID of the virtual machine, or undefined until the KVMMachine has a provider ID. */
export function uuidOf({ spec }: Pick<Frozen<KVMMachine>, 'spec'>): string | undefined {
  const id = spec?.providerID;
  return id?.startsWith(scheme) === true ? id.slice(scheme.length) : undefined;
}

export interface IdentityChoices {
  readonly backend: BackendName;
  /** Host that will run the process. */
  readonly hostName: string | undefined;
  /** Index of the interface that has the IP address. */
  readonly interfaceIndex: number;
  readonly clusterName: string;
  /** MAC addresses of other machines. */
  readonly takenMacAddresses: ReadonlySet<string>;
}

/**
 * Returns the machine with its identity in the spec. The identity is written before anything is created, and not to the status: a
 * move to another management cluster drops the status and changes the uid.
 */
export function withIdentity(
  kvmMachine: Frozen<KVMMachine>,
  choices: IdentityChoices,
  random: Random,
): Frozen<KVMMachine> {
  return edit(kvmMachine, (draft) => {
    draft.spec ??= {};
    const uuid = uuidOf(kvmMachine) ?? generateUid(random);
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
