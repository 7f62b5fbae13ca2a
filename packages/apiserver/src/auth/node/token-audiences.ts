import { type Frozen, type KubeObject, listAt, recordAt, textAt } from '@slipway/kube';
import type { Store } from '../../contract/index.js';
import { claimOfVolume } from './pod-references.js';

interface AudienceUse {
  readonly isUsed: boolean;
  /** Objects that the pod refers to and that do not exist. */
  readonly problems: readonly string[];
}

/** Returns whether a volume of the pod needs a token for the audience: a projected token, or a CSI driver that requests it. */
export function findAudience(store: Store, pod: Frozen<KubeObject>, audience: string): AudienceUse {
  const problems: string[] = [];
  const object = (resource: string, kind: string, namespace: string, name: string): Frozen<KubeObject> | undefined => {
    const found = store.get({ resource, namespace, name })?.object;
    if (found === undefined) problems.push(`${kind} "${name}" not found`);
    return found;
  };
  const driverOf = (volume: unknown): string => {
    const claimName = claimOfVolume(pod, volume);
    if (claimName === '') return textAt(recordAt(volume, 'csi'), 'driver');
    const claim = object('persistentvolumeclaims', 'persistentvolumeclaim', pod.metadata.namespace ?? '', claimName);
    if (claim === undefined) return '';
    const volumeName = textAt(recordAt(claim, 'spec'), 'volumeName');
    const persistent = object('persistentvolumes', 'persistentvolume', '', volumeName);
    return textAt(recordAt(recordAt(persistent, 'spec'), 'csi'), 'driver');
  };
  const isRequestedBy = (name: string): boolean => {
    const driver = object('storage.k8s.io/csidrivers', 'csidriver.storage.k8s.io', '', name);
    return listAt(recordAt(driver, 'spec'), 'tokenRequests').some((one) => textAt(one, 'audience') === audience);
  };
  const isUsed = listAt(recordAt(pod, 'spec'), 'volumes').some((volume) => {
    const tokens = listAt(recordAt(volume, 'projected'), 'sources').map((one) => recordAt(one, 'serviceAccountToken'));
    if (tokens.some((token) => token !== undefined && textAt(token, 'audience') === audience)) return true;
    const driver = driverOf(volume);
    return driver !== '' && isRequestedBy(driver);
  });
  return { isUsed, problems };
}
