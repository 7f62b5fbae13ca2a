import { deepEqual, type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import ipaddr from 'ipaddr.js';
import { type IPAddress, ipAddress } from '../api/ip-address.js';
import { type IPAddressClaim, ipAddressClaim } from '../api/ip-address-claim.js';
import { defineAdmission } from './admission.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address as Go reads it: four decimal parts, or IPv6 without a zone. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

function validateIPAddress(object: IPAddress, old: IPAddress | undefined): FieldError[] {
  const { spec } = object;
  if (old !== undefined) {
    return deepEqual(spec, old.spec) ? [] : [forbiddenField('spec', 'the spec of IPAddress is immutable')];
  }
  const address = parseAddress(spec.address);
  if (address === undefined) return [invalidField('spec.address', spec.address, 'not a valid IP address')];
  const prefixMax = address.kind() === 'ipv4' ? 32 : 128;
  const badPrefix = spec.prefix < 0 || spec.prefix > prefixMax;
  return [
    ...(badPrefix ? [invalidField('spec.prefix', spec.prefix, `prefix must be between 0 and ${prefixMax}`)] : []),
    ...validateGateway(spec.gateway, address),
  ];
}

function validateGateway(text: string | undefined, address: Address): FieldError[] {
  if (text === undefined) return [];
  const gateway = parseAddress(text);
  if (gateway === undefined) return [invalidField('spec.gateway', text, 'not a valid IP address')];
  if (gateway.kind() === address.kind()) return [];
  return [invalidField('spec.gateway', text, 'must be of the same address family as spec.address')];
}

function validateIPAddressClaim(object: IPAddressClaim, old: IPAddressClaim | undefined): FieldError[] {
  if (old === undefined || deepEqual(object.spec, old.spec)) return [];
  return [forbiddenField('spec', 'the spec of IPAddressClaim is immutable')];
}

export const ipAddressAdmission = defineAdmission(ipAddress, { validate: validateIPAddress });

export const ipAddressClaimAdmission = defineAdmission(ipAddressClaim, { validate: validateIPAddressClaim });
