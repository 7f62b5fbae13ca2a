import type { JsonValue } from '@slipway/kube';
import type { ReportedMetadata } from './provider.js';

interface Instance {
  readonly type: string | undefined;
  readonly region: string | undefined;
  readonly zone: string | undefined;
  readonly state: string | undefined;
}

/** Returns the labels of Machine API for an instance. Unknown values do not overwrite existing labels. */
export function reportedMetadata({ type, region, zone, state }: Instance): ReportedMetadata {
  const labels = {
    'machine.openshift.io/instance-type': type,
    'machine.openshift.io/region': region,
    'machine.openshift.io/zone': zone,
  };
  return { labels: given(labels), annotations: given({ 'machine.openshift.io/instance-state': state }) };
}

function given(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

export function addressList(
  addresses: readonly { readonly type: string; readonly address: string }[],
): JsonValue | undefined {
  return addresses.length === 0 ? undefined : addresses.map(({ type, address }) => ({ type, address }));
}
