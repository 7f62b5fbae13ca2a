import { compareVersions } from '../matrix/index.js';

export interface CsiImages {
  readonly driver: string;
  readonly syncer: string;
  readonly attacher: string;
  readonly resizer: string;
  readonly provisioner: string;
  readonly snapshotter: string;
  readonly registrar: string;
  readonly livenessProbe: string;
}

type Sidecars = readonly [
  attacher: string,
  resizer: string,
  provisioner: string,
  snapshotter: string,
  registrar: string,
  livenessProbe: string,
];

/** The sidecars of each driver release line, newest first. */
const sidecarsFrom: readonly (readonly [from: string, sidecars: Sidecars])[] = [
  ['3.8.0', ['v4.10.0', 'v2.0.0', 'v4.0.1', 'v8.4.0', 'v2.14.0', 'v2.17.0']],
  ['3.6.0', ['v4.9.0', 'v1.12.0', 'v4.0.1', 'v8.2.0', 'v2.13.0', 'v2.15.0']],
  ['3.4.0', ['v4.7.0', 'v1.12.0', 'v4.0.1', 'v8.2.0', 'v2.12.0', 'v2.14.0']],
  ['3.2.0', ['v4.5.1', 'v1.10.1', 'v4.0.1', 'v7.0.2', 'v2.10.1', 'v2.12.0']],
  ['0.0.0', ['v4.3.0', 'v1.8.0', 'v3.5.0', 'v6.2.2', 'v2.8.0', 'v2.10.0']],
];

const vendor = 'registry.k8s.io/csi-vsphere';
const storage = 'registry.k8s.io/sig-storage';

export function csiImages(version: string): CsiImages {
  const found = sidecarsFrom.find(([from]) => compareVersions(version, from) >= 0) as (typeof sidecarsFrom)[number];
  const [attacher, resizer, provisioner, snapshotter, registrar, livenessProbe] = found[1];
  return {
    driver: `${vendor}/driver:v${version}`,
    syncer: `${vendor}/syncer:v${version}`,
    attacher: `${storage}/csi-attacher:${attacher}`,
    resizer: `${storage}/csi-resizer:${resizer}`,
    provisioner: `${storage}/csi-provisioner:${provisioner}`,
    snapshotter: `${storage}/csi-snapshotter:${snapshotter}`,
    registrar: `${storage}/csi-node-driver-registrar:${registrar}`,
    livenessProbe: `${storage}/livenessprobe:${livenessProbe}`,
  };
}
