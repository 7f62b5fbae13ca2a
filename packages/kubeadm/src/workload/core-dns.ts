import { hasAnnotation } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { isReason } from '@slipway/kube';
import {
  type Client,
  type ConfigMap,
  configMaps,
  type Deployment,
  deployments,
  edit,
  patchObject,
} from '@slipway/runtime';
import { controlPlaneAnnotations } from '../api/index.js';
import type { ClusterConfiguration } from '../bootstrap-data/index.js';
import { updateDnsImage } from './cluster-configuration.js';
import { formatImage, parseImage } from './container-image.js';
import { checkCoreDnsUpgrade, migrateCorefile, parseCoreDnsVersion } from './corefile.js';
import { updateKubeadmConfigMap } from './kubeadm-config-map.js';
import { systemNamespace } from './static-pods.js';
import type { CallOptions, ObservedControlPlane } from './workload-cluster.js';
import { WorkloadError } from './workload-error.js';

const name = 'coredns';
const key = { namespace: systemNamespace, name } as const;
const corefileKey = 'Corefile';
const backupKey = 'Corefile-backup';
const volumeName = 'config-volume';
/** Under these registries the image moved into a folder of its own. */
const ownRegistries = new Set(['k8s.gcr.io', 'registry.k8s.io']);

/** Brings CoreDNS to the image that the control plane names. A cluster without it, or without our say in it, is left alone. */
export async function updateCoreDns(
  client: Client,
  controlPlane: ObservedControlPlane,
  options: CallOptions,
): Promise<void> {
  if (hasAnnotation(controlPlane, controlPlaneAnnotations.skipCoreDns)) return;
  const configuration = controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration;
  if (configuration === undefined) return;
  const found = await findCoreDns(client, options);
  if (found === undefined) return;
  const upgrade = planCoreDns(found.deployment, found.configMap, configuration);
  if (upgrade === undefined) return;
  const { version } = controlPlane.spec;
  await updateKubeadmConfigMap(client, (text) => updateDnsImage(text, version, configuration.dns), options);
  await applyUpgrade(client, found, upgrade, options);
}

interface CoreDns {
  readonly configMap: Frozen<ConfigMap>;
  readonly deployment: Frozen<Deployment>;
}

async function findCoreDns(client: Client, { signal }: CallOptions): Promise<CoreDns | undefined> {
  try {
    const configMap = await client.get(configMaps, key, { signal });
    return { configMap, deployment: await client.get(deployments, key, { signal }) };
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

export interface CoreDnsUpgrade {
  readonly image: string;
  /** As it stands, and as the new version reads it. */
  readonly corefile: string;
  readonly migrated: string;
}

/** What has to change; undefined while the image is the wanted one. Throws where no way leads from one to the other. */
export function planCoreDns(
  deployment: Frozen<Deployment>,
  configMap: Frozen<ConfigMap>,
  configuration: ClusterConfiguration,
): CoreDnsUpgrade | undefined {
  const corefile = configMap.data?.[corefileKey];
  if (corefile === undefined)
    throw new WorkloadError('CoreDnsNotMigratable', 'unable to find the CoreDNS Corefile data', {
      remedy: `put the Corefile into the ConfigMap ${systemNamespace}/${name}`,
    });
  const container = deployment.spec?.template.spec?.containers.find((each) => each.name === name);
  if (container?.image === undefined)
    throw new WorkloadError(
      'ImageUnreadable',
      `failed to update coredns deployment: deployment spec has no ${JSON.stringify(name)} container`,
    );
  const image = wantedImage(container.image, configuration);
  if (image === container.image) return undefined;
  const [from, to] = [parseImage(container.image).tag, parseImage(image).tag];
  checkCoreDnsUpgrade(from, to);
  return { image, corefile, migrated: migrateCorefile(corefile, from, to) };
}

function wantedImage(current: string, { imageRepository, dns }: ClusterConfiguration): string {
  const image = parseImage(current);
  if (image.tag === '')
    throw new WorkloadError(
      'ImageUnreadable',
      `failed to update coredns deployment: does not have a valid image tag: ${JSON.stringify(current)}`,
    );
  const repository = (dns?.imageRepository ?? imageRepository ?? image.repository).replace(/\/$/, '');
  const tag = dns?.imageTag ?? image.tag;
  const { major, minor } = parseCoreDnsVersion(tag);
  const isRenamed = ownRegistries.has(repository) && image.name === name && (major > 1 || minor >= 8);
  return formatImage({ repository, name: isRenamed ? 'coredns/coredns' : image.name, tag, digest: '' });
}

/** While the Corefile changes, the old Pods read its backup: one that restarts must not find what it does not understand. */
async function applyUpgrade(
  client: Client,
  { deployment }: CoreDns,
  { image, corefile, migrated }: CoreDnsUpgrade,
  { signal }: CallOptions,
): Promise<void> {
  const write = (data: Record<string, string>): Promise<unknown> =>
    client.patch(configMaps, key, { type: 'merge', patch: { data } }, { signal });
  await write({ [backupKey]: corefile });
  let current = deployment;
  // What both versions read alike needs no detour, which would restart every Pod once more.
  if (migrated !== corefile) {
    current = await patchObject(client, deployments, current, withCorefileKey(current, backupKey), { signal });
    await write({ [corefileKey]: migrated });
  }
  const upgraded = withImage(withCorefileKey(current, corefileKey), image);
  await patchObject(client, deployments, current, upgraded, { signal });
}

interface ConfigMapVolume {
  configMap?: { name?: string; items?: { key: string; path: string }[] };
}

function withCorefileKey(deployment: Frozen<Deployment>, wanted: string): Frozen<Deployment> {
  return edit(deployment, (draft) => {
    for (const volume of draft.spec?.template.spec?.volumes ?? []) {
      const { configMap } = volume as ConfigMapVolume;
      if (volume.name !== volumeName || configMap?.name !== name) continue;
      for (const item of configMap.items ?? []) {
        if (item.key === corefileKey || item.key === backupKey) item.key = wanted;
      }
    }
  });
}

function withImage(deployment: Frozen<Deployment>, image: string): Frozen<Deployment> {
  return edit(deployment, (draft) => {
    for (const container of draft.spec?.template.spec?.containers ?? []) {
      if (container.name === name) container.image = image;
    }
  });
}
