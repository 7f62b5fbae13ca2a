import { type Frozen, type IpAddress, tryParseIp } from '@slipway/kube';
import type { IPAddress } from '../api/index.js';

/** Stored addresses are shared and never changed: each is read once. */
const known = new WeakMap<Frozen<IPAddress>, IpAddress | 'unreadable'>();

export function storedAddress(object: Frozen<IPAddress>): IpAddress | undefined {
  let address = known.get(object);
  if (address === undefined) {
    address = tryParseIp(object.spec.address) ?? 'unreadable';
    known.set(object, address);
  }
  return address === 'unreadable' ? undefined : address;
}
