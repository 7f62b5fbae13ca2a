import type { Frozen } from '@slipway/kube';
import type { IPAddress } from '../api/index.js';
import { type Address, readAddress } from './address-set.js';

/** Stored addresses are shared and never changed: each is read once. */
const known = new WeakMap<Frozen<IPAddress>, Address | 'unreadable'>();

export function storedAddress(object: Frozen<IPAddress>): Address | undefined {
  let address = known.get(object);
  if (address === undefined) {
    address = readAddress(object.spec.address) ?? 'unreadable';
    known.set(object, address);
  }
  return address === 'unreadable' ? undefined : address;
}
