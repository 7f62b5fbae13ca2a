import { type Data, isA } from '../../vim25/index.js';
import type { NetworkStatus } from '../vm/vm-spec.js';
import { isReachableAddress } from './addresses.js';

/** Returns the network cards of a VM in device order, which is the order of the devices in the spec. */
export function networkCards(devices: readonly Data<'VirtualDevice'>[]): readonly Data<'VirtualEthernetCard'>[] {
  return devices.filter((device) => isA(device, 'VirtualEthernetCard'));
}

/**
 * Returns the guest's report for each network card. MAC addresses are compared case-insensitively, because vCenter and the guest
 * tools write them differently.
 */
export function networkStatusOf(
  devices: readonly Data<'VirtualDevice'>[],
  reported: readonly Data<'GuestNicInfo'>[],
): NetworkStatus {
  const byMac = new Map(reported.map((nic) => [(nic.macAddress ?? '').toLowerCase(), nic]));
  return networkCards(devices).map((card) => {
    const macAddr = card.macAddress ?? '';
    const nic = byMac.get(macAddr.toLowerCase());
    const ipAddrs = (nic?.ipAddress ?? []).filter(isReachableAddress);
    return {
      macAddr,
      connected: nic?.connected ?? card.connectable?.connected ?? false,
      ...(ipAddrs.length === 0 ? {} : { ipAddrs }),
      ...(nic?.network === undefined || nic.network === '' ? {} : { networkName: nic.network }),
    };
  });
}
