import { listAt, recordAt, textAt } from '@slipway/kube';
import type { Frozen, KubeObject } from '@slipway/kube';

export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

/** The objects that a kubelet needs to run a pod, by name, in the namespace of the pod. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>;
  readonly configMaps: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly resourceClaims: ReadonlySet<string>;
}

const noReferences: PodReferences = {
  secrets: new Set(),
  configMaps: new Set(),
  claims: new Set(),
  resourceClaims: new Set(),
};
const known = new WeakMap<Frozen<KubeObject>, PodReferences>();

/** Returns what a pod refers to. A node creates its mirror pods itself: they give it access to nothing. */
export function referencesOf(pod: Frozen<KubeObject>): PodReferences {
  if (isMirrorPod(pod)) return noReferences;
  const cached = known.get(pod);
  if (cached !== undefined) return cached;
  const references = readReferences(pod);
  known.set(pod, references);
  return references;
}

export function isMirrorPod(pod: Frozen<KubeObject> | undefined): boolean {
  return pod?.metadata.annotations?.[mirrorPodAnnotation] !== undefined;
}

function readReferences(pod: Frozen<KubeObject>): PodReferences {
  const spec = recordAt(pod, 'spec');
  const volumes = listAt(spec, 'volumes');
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => listAt(spec, list));
  const variables = containers.flatMap((one) => listAt(one, 'env')).map((one) => recordAt(one, 'valueFrom'));
  const sources = containers.flatMap((one) => listAt(one, 'envFrom'));
  const projected = volumes.flatMap((volume) => listAt(recordAt(volume, 'projected'), 'sources'));
  const statuses = listAt(recordAt(pod, 'status'), 'resourceClaimStatuses');
  return {
    secrets: names([
      ...listAt(spec, 'imagePullSecrets').map((one) => textAt(one, 'name')),
      ...variables.map((one) => textAt(recordAt(one, 'secretKeyRef'), 'name')),
      ...sources.map((one) => textAt(recordAt(one, 'secretRef'), 'name')),
      ...projected.map((one) => textAt(recordAt(one, 'secret'), 'name')),
      ...volumes.flatMap(secretsOfVolume),
    ]),
    configMaps: names([
      ...variables.map((one) => textAt(recordAt(one, 'configMapKeyRef'), 'name')),
      ...sources.map((one) => textAt(recordAt(one, 'configMapRef'), 'name')),
      ...projected.map((one) => textAt(recordAt(one, 'configMap'), 'name')),
      ...volumes.map((one) => textAt(recordAt(one, 'configMap'), 'name')),
    ]),
    claims: names(volumes.map((volume) => claimOfVolume(pod, volume))),
    resourceClaims: names([
      ...listAt(spec, 'resourceClaims').map((one) => textAt(one, 'resourceClaimName')),
      ...statuses.map((one) => textAt(one, 'resourceClaimName')),
      textAt(recordAt(recordAt(pod, 'status'), 'extendedResourceClaimStatus'), 'resourceClaimName'),
    ]),
  };
}

function names(found: readonly string[]): ReadonlySet<string> {
  return new Set(found.filter((name) => name !== ''));
}

/** Volume sources with a `secretRef`. */
const secretRefVolumes = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

function secretsOfVolume(volume: unknown): string[] {
  return [
    textAt(recordAt(volume, 'secret'), 'secretName'),
    textAt(recordAt(volume, 'azureFile'), 'secretName'),
    textAt(recordAt(recordAt(volume, 'csi'), 'nodePublishSecretRef'), 'name'),
    ...secretRefVolumes.map((kind) => textAt(recordAt(recordAt(volume, kind), 'secretRef'), 'name')),
  ];
}

/** Returns the claim of a volume. The claim of an ephemeral volume has the names of the pod and the volume. */
export function claimOfVolume(pod: Frozen<KubeObject>, volume: unknown): string {
  if (recordAt(volume, 'ephemeral') !== undefined) return `${pod.metadata.name ?? ''}-${textAt(volume, 'name')}`;
  return textAt(recordAt(volume, 'persistentVolumeClaim'), 'claimName');
}

const nodeSecretsOfCsi = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

/** Returns the Secrets that a kubelet needs to mount a PersistentVolume, as `namespace/name`. */
export function secretsOfPersistentVolume(volume: Frozen<KubeObject>): ReadonlySet<string> {
  const spec = recordAt(volume, 'spec');
  const claimNamespace = textAt(recordAt(spec, 'claimRef'), 'namespace');
  const azure = recordAt(spec, 'azureFile');
  const references = [
    ...secretRefVolumes.map((kind) => recordAt(recordAt(spec, kind), 'secretRef')),
    ...nodeSecretsOfCsi.map((name) => recordAt(recordAt(spec, 'csi'), name)),
  ].map((reference) => [textAt(reference, 'namespace'), textAt(reference, 'name')] as const);
  return new Set(
    [...references, [textAt(azure, 'secretNamespace'), textAt(azure, 'secretName')] as const]
      .filter(([, name]) => name !== '')
      .map(([namespace, name]) => `${namespace || claimNamespace}/${name}`),
  );
}
