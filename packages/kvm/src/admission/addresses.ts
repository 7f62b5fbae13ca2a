import { type FieldError, invalidField, isIp } from '@slipway/kube';

export function addressProblems(path: string, addresses: readonly string[] | undefined): FieldError[] {
  return (addresses ?? []).flatMap((address, index) =>
    isIp(address) ? [] : [invalidField(`${path}[${index}]`, address, 'must be an IP address')],
  );
}
