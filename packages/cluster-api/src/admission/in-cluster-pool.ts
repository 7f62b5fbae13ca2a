import { type FieldError, invalidField, requiredField } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import type ipaddr from 'ipaddr.js';
import { globalInClusterIpPool } from '../api/global-in-cluster-ip-pool.js';
import { inClusterIpPool } from '../api/in-cluster-ip-pool.js';
import type { inClusterPoolSpec } from '../api/shared/in-cluster-pool.js';
import { defineAdmission } from './admission.js';
import { parseAddress } from './ip-address.js';

type PoolSpec = Infer<typeof inClusterPoolSpec>;
type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface AddressRange {
  readonly first: Address;
  readonly last: Address;
}

/** Either kind of pool; only where it stands differs. */
export function validateInClusterPool(object: { readonly spec?: PoolSpec }): FieldError[] {
  const { spec } = object;
  if (spec === undefined || spec.addresses.length === 0)
    return [requiredField('spec.addresses', 'addresses is required')];
  const ranges = spec.addresses.map((text) => parseRange(text));
  const unreadable = spec.addresses.flatMap((text, index) =>
    ranges[index] === undefined
      ? [invalidField(`spec.addresses[${index}]`, text, 'provided address is not a valid IP, range, nor CIDR')]
      : [],
  );
  const first = ranges[0]?.first;
  if (unreadable.length > 0 || first === undefined) return unreadable;
  return [
    ...validatePrefix(spec.prefix, first),
    ...validateFamily(spec.addresses, ranges, first),
    ...validateExcluded(spec.excludedAddresses ?? []),
    ...validateGateway(spec, first),
  ];
}

function validatePrefix(prefix: number, first: Address): FieldError[] {
  const max = first.kind() === 'ipv4' ? 32 : 128;
  return prefix >= 1 && prefix <= max
    ? []
    : [invalidField('spec.prefix', prefix, `a valid prefix is required: 1 to ${max}`)];
}

function validateFamily(
  texts: readonly string[],
  ranges: readonly (AddressRange | undefined)[],
  first: Address,
): FieldError[] {
  return texts.flatMap((text, index) =>
    ranges[index]?.first.kind() === first.kind()
      ? []
      : [invalidField(`spec.addresses[${index}]`, text, 'provided addresses are of mixed IP families')],
  );
}

function validateExcluded(texts: readonly string[]): FieldError[] {
  return texts.flatMap((text, index) =>
    parseRange(text) === undefined
      ? [invalidField(`spec.excludedAddresses[${index}]`, text, 'provided address is not a valid IP, range, nor CIDR')]
      : [],
  );
}

function validateGateway({ gateway: text }: PoolSpec, first: Address): FieldError[] {
  if (text === undefined || text === '') return [];
  const gateway = parseAddress(text);
  if (gateway === undefined) return [invalidField('spec.gateway', text, 'not a valid IP address')];
  return gateway.kind() === first.kind()
    ? []
    : [invalidField('spec.gateway', text, 'must be of the same address family as spec.addresses')];
}

/** One address, `a-b`, or a CIDR block. */
function parseRange(text: string): AddressRange | undefined {
  if (text.includes('/')) return parseBlock(text);
  const [from = '', to = from, ...rest] = text.split('-');
  const first = parseAddress(from);
  const last = parseAddress(to);
  if (rest.length > 0 || first === undefined || last === undefined || first.kind() !== last.kind()) return undefined;
  return Buffer.compare(bytesOf(first), bytesOf(last)) <= 0 ? { first, last } : undefined;
}

function parseBlock(text: string): AddressRange | undefined {
  const [base = '', bits = '', ...rest] = text.split('/');
  const first = parseAddress(base);
  const max = first?.kind() === 'ipv4' ? 32 : 128;
  const valid = rest.length === 0 && /^[0-9]{1,3}$/.test(bits) && Number(bits) <= max;
  return first === undefined || !valid ? undefined : { first, last: first };
}

function bytesOf(address: Address): Buffer {
  return Buffer.from(address.toByteArray());
}

export const inClusterIpPoolAdmission = defineAdmission(inClusterIpPool, { validate: validateInClusterPool });

export const globalInClusterIpPoolAdmission = defineAdmission(globalInClusterIpPool, {
  validate: validateInClusterPool,
});
