import {
  bitsOf,
  type FieldError,
  invalidField,
  type IpFamily,
  type IpRange,
  rangeOf,
  requiredField,
  tryParseIp,
} from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import { globalInClusterIpPool } from '../api/global-in-cluster-ip-pool.js';
import { inClusterIpPool } from '../api/in-cluster-ip-pool.js';
import type { inClusterPoolSpec } from '../api/shared/in-cluster-pool.js';
import { readRange } from '../ipam/address-set.js';
import { defineAdmission } from './admission.js';

type PoolSpec = Infer<typeof inClusterPoolSpec>;
type FamilyRange = IpRange & { readonly family: IpFamily };

const unreadable = 'provided address is not a valid IP, range, nor CIDR';

/** Validates an InClusterIPPool or a GlobalInClusterIPPool. These kinds differ only in scope. */
function validateInClusterPool(object: { readonly spec?: PoolSpec }): FieldError[] {
  const { spec } = object;
  if (spec === undefined || spec.addresses.length === 0)
    return [requiredField('spec.addresses', 'addresses is required')];
  const wrong = validateReadable('spec.addresses', spec.addresses);
  const ranges = rangesOf(spec.addresses);
  const [first] = ranges;
  if (wrong.length > 0 || first === undefined) return wrong;
  const { family } = first;
  const problems = [
    ...validatePrefix(spec.prefix, family),
    ...validateFamily('spec.addresses', spec.addresses, family, 'provided addresses are of mixed IP families'),
    ...validateExcluded(spec.excludedAddresses ?? [], family),
    ...validateGateway(spec, family),
  ];
  return problems.length > 0 ? problems : validateSubnet(spec, family, ranges);
}

function rangesOf(texts: readonly string[]): FamilyRange[] {
  return texts.flatMap((text) => readRange(text) ?? []);
}

function validateReadable(field: string, texts: readonly string[]): FieldError[] {
  return texts.flatMap((text, index) =>
    readRange(text) === undefined ? [invalidField(`${field}[${index}]`, text, unreadable)] : [],
  );
}

function validateFamily(field: string, texts: readonly string[], family: IpFamily, detail: string): FieldError[] {
  return texts.flatMap((text, index) =>
    readRange(text)?.family === family ? [] : [invalidField(`${field}[${index}]`, text, detail)],
  );
}

function validatePrefix(prefix: number, family: IpFamily): FieldError[] {
  const max = bitsOf[family];
  return prefix >= 1 && prefix <= max
    ? []
    : [invalidField('spec.prefix', prefix, `a valid prefix is required: 1 to ${max}`)];
}

function validateExcluded(texts: readonly string[], family: IpFamily): FieldError[] {
  const field = 'spec.excludedAddresses';
  const wrong = validateReadable(field, texts);
  if (wrong.length > 0) return wrong;
  return validateFamily(field, texts, family, 'addresses and excluded addresses are of mixed IP families');
}

function validateGateway({ gateway: text }: PoolSpec, family: IpFamily): FieldError[] {
  if (text === undefined || text === '') return [];
  const gateway = tryParseIp(text);
  if (gateway === undefined) return [invalidField('spec.gateway', text, 'not a valid IP address')];
  return gateway.family === family
    ? []
    : [invalidField('spec.gateway', text, 'must be of the same address family as spec.addresses')];
}

/**
 * Rejects addresses outside the network of the first address. All machines get the same prefix, so they could not reach such
 * addresses.
 */
function validateSubnet(spec: PoolSpec, family: IpFamily, ranges: readonly FamilyRange[]): FieldError[] {
  const lowest = ranges.reduce((least, { first }) => (first < least ? first : least), ranges[0]?.first ?? 0n);
  const subnet = rangeOf({ address: { family, value: lowest }, prefix: spec.prefix });
  return spec.addresses.flatMap((text, index) => {
    const range = ranges[index];
    return range === undefined || range.last <= subnet.last
      ? []
      : [invalidField(`spec.addresses[${index}]`, text, 'provided address belongs to a different subnet than others')];
  });
}

export const inClusterIpPoolAdmission = defineAdmission(inClusterIpPool, { validate: validateInClusterPool });

export const globalInClusterIpPoolAdmission = defineAdmission(globalInClusterIpPool, {
  validate: validateInClusterPool,
});
