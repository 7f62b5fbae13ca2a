import { type FieldError, invalidField } from '@slipway/kube';
import ipaddr from 'ipaddr.js';

export function addressProblems(path: string, addresses: readonly string[] | undefined): FieldError[] {
  return (addresses ?? []).flatMap((address, index) =>
    ipaddr.isValid(address) ? [] : [invalidField(`${path}[${index}]`, address, 'must be an IP address')],
  );
}
