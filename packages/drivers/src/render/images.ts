import type { KubeObject } from '@slipway/kube';
import { containersOf, isWorkload } from './workloads.js';

/** Overrides of image locations in the manifest. */
export interface ImageOptions {
  /** A registry that replaces all others: `mirror.local/vdo`. */
  readonly registry?: string;
  /** Complete image references by the role of the container: `cpi`, `csi-driver`, `csi-attacher` … */
  readonly byRole?: Readonly<Record<string, string>>;
  readonly pullSecrets?: readonly string[];
}

const roles: Readonly<Record<string, string>> = {
  'vsphere-cloud-controller-manager': 'cpi',
  'vsphere-csi-controller': 'csi-driver',
  'vsphere-csi-node': 'csi-driver',
  'vsphere-syncer': 'csi-syncer',
  'vsphere-webhook': 'csi-syncer',
  'liveness-probe': 'csi-liveness-probe',
  'node-driver-registrar': 'csi-node-driver-registrar',
};

function roleOf(container: string): string {
  return roles[container] ?? container;
}

/** Registries that no longer serve images, and their replacements. */
const moved: readonly (readonly [RegExp, string])[] = [
  [/^gcr\.io\/cloud-provider-vsphere\/csi\/(?:release|ci)\//, 'registry.k8s.io/csi-vsphere/'],
  [
    /^gcr\.io\/cloud-provider-vsphere\/cpi\/release\/manager/,
    'registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere',
  ],
  [
    /^registry\.k8s\.io\/cloud-pv-vsphere\/cpi\/release\/manager/,
    'registry.k8s.io/cloud-pv-vsphere/cloud-provider-vsphere',
  ],
  [/^k8s\.gcr\.io\//, 'registry.k8s.io/'],
];

export function imageOf(image: string, role: string, { registry, byRole }: ImageOptions): string {
  const chosen = byRole?.[role];
  if (chosen !== undefined) return chosen;
  const current = moved.reduce((text, [old, now]) => text.replace(old, now), image);
  if (registry === undefined || registry === '') return current;
  const [host = '', ...path] = current.split('/');
  const isHost = path.length > 0 && /[.:]|^localhost$/.test(host);
  return [registry.replace(/\/+$/, ''), ...(isHost ? path : [current])].join('/');
}

export function setImages(object: KubeObject, options: ImageOptions): void {
  const pullSecrets = (options.pullSecrets ?? []).map((name) => ({ name }));
  if (object.kind === 'ServiceAccount' && pullSecrets.length > 0) object['imagePullSecrets'] = pullSecrets;
  if (!isWorkload(object)) return;
  if (pullSecrets.length > 0) object.spec.template.spec['imagePullSecrets'] = pullSecrets;
  for (const container of containersOf(object)) {
    if (container.image === undefined) continue;
    container.image = imageOf(container.image, roleOf(container.name), options);
    // A digest is immutable, so the image need not be pulled again.
    if (container.image.includes('@sha256:') && container['imagePullPolicy'] === 'Always')
      container['imagePullPolicy'] = 'IfNotPresent';
  }
}

/** Returns all images of the objects, sorted and without duplicates. */
export function imagesIn(objects: readonly KubeObject[]): string[] {
  const found = objects
    .filter(isWorkload)
    .flatMap((workload) => containersOf(workload).map(({ image }) => image ?? ''));
  return [...new Set(found.filter((image) => image !== ''))].sort();
}
