import {
  bitsOf,
  deepEqual,
  type FieldError,
  forbiddenField,
  invalidField,
  type IpAddress,
  tryParseIp,
} from '@slipway/kube';
import { type IPAddress, ipAddress } from '../api/ip-address.js';
import { type IPAddressClaim, ipAddressClaim } from '../api/ip-address-claim.js';
import { defineAdmission } from './admission.js';

function validateIPAddress(object: IPAddress, old: IPAddress | undefined): FieldError[] {
  const { spec } = object;
  if (old !== undefined) {
    return deepEqual(spec, old.spec) ? [] : [forbiddenField('spec', 'the spec of IPAddress is immutable')];
  }
  const address = tryParseIp(spec.address);
  if (address === undefined) return [invalidField('spec.address', spec.address, 'not a valid IP address')];
  const prefixMax = bitsOf[address.family];
  const badPrefix = spec.prefix < 0 || spec.prefix > prefixMax;
  return [
    ...(badPrefix ? [invalidField('spec.prefix', spec.prefix, `prefix must be between 0 and ${prefixMax}`)] : []),
    ...validateGateway(spec.gateway, address),
  ];
}

function validateGateway(text: string | undefined, address: IpAddress): FieldError[] {
  if (text === undefined) return [];
  const gateway = tryParseIp(text);
  if (gateway === undefined) return [invalidField('spec.gateway', text, 'not a valid IP address')];
  if (gateway.family === address.family) return [];
  return [invalidField('spec.gateway', text, 'must be of the same address family as spec.address')];
}

function validateIPAddressClaim(object: IPAddressClaim, old: IPAddressClaim | undefined): FieldError[] {
  if (old === undefined || deepEqual(object.spec, old.spec)) return [];
  return [forbiddenField('spec', 'the spec of IPAddressClaim is immutable')];
}

export const ipAddressAdmission = defineAdmission(ipAddress, { validate: validateIPAddress });

export const ipAddressClaimAdmission = defineAdmission(ipAddressClaim, { validate: validateIPAddressClaim });
