import { hasAnnotation } from '@slipway/cluster-api';
import { type Frozen, isReason } from '@slipway/kube';
import {
  type Change,
  type ConfigMap,
  configMaps,
  type DaemonSet,
  daemonSets,
  type Deployment,
  deployments,
  edit,
  ifPresent,
  type RemoteCluster,
} from '@slipway/runtime';
import { controlPlaneAnnotations } from '../api/index.js';
import type { ClusterConfiguration } from '../bootstrap-data/index.js';
import { updateDnsImage, updateKubeadmConfigMap } from './cluster-configuration.js';
import { type ObservedControlPlane, type UpkeepScope, WorkloadError } from './control-plane-workload.js';
import { checkCoreDnsUpgrade, migrateCorefile, parseCoreDnsVersion } from './corefile.js';
import { systemNamespace } from './static-pod-finding.js';

const proxyName = 'kube-proxy';

/** Updates kube-proxy to the version of the control plane. Does nothing in a cluster without kube-proxy. */
export async function updateKubeProxy(scope: UpkeepScope, controlPlane: ObservedControlPlane): Promise<void> {
  const { workload, writer, signal } = scope;
  if (hasAnnotation(controlPlane, controlPlaneAnnotations.skipKubeProxy)) return;
  const key = { namespace: systemNamespace, name: proxyName };
  const before = await ifPresent(workload.read.get(daemonSets, key, { signal }));
  if (before === undefined) return;
  const { version, kubeadmConfigSpec } = controlPlane.spec;
  const repository = kubeadmConfigSpec?.clusterConfiguration?.imageRepository ?? '';
  const after = withProxyImage(before, version, repository);
  const cause = { reason: 'KubeProxyOutdated', message: `Updated kube-proxy to Kubernetes ${version}` };
  await writer.change({ verb: 'patch', on: workload, resource: daemonSets, before, after, ...cause });
}

/**
 * Returns the DaemonSet with the image of a version. Returns the same object if nothing changes or it has no kube-proxy
 * container.
 */
export function withProxyImage(daemonSet: Frozen<DaemonSet>, version: string, repository: string): Frozen<DaemonSet> {
  return edit(daemonSet, (draft) => {
    for (const container of draft.spec?.template.spec?.containers ?? []) {
      if (container.name === proxyName) container.image = withVersion(container.image ?? '', version, repository);
    }
  });
}

const name = 'coredns';
const key = { namespace: systemNamespace, name } as const;
const corefileKey = 'Corefile';
const backupKey = 'Corefile-backup';
const volumeName = 'config-volume';
/** Registries in which CoreDNS has its own directory. */
const ownRegistries = new Set(['k8s.gcr.io', 'registry.k8s.io']);

/** Updates CoreDNS to the image that the control plane specifies. Does nothing in a cluster without CoreDNS. */
export async function updateCoreDns(scope: UpkeepScope, controlPlane: ObservedControlPlane): Promise<void> {
  if (hasAnnotation(controlPlane, controlPlaneAnnotations.skipCoreDns)) return;
  const configuration = controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration;
  if (configuration === undefined) return;
  const found = await findCoreDns(scope);
  if (found === undefined) return;
  const upgrade = planCoreDns(found.deployment, found.configMap, configuration);
  if (upgrade === undefined) return;
  const { version } = controlPlane.spec;
  await updateKubeadmConfigMap(scope, (text) => updateDnsImage(text, version, configuration.dns), {
    reason: 'CoreDnsOutdated',
    message: 'Recorded the image of CoreDNS in ConfigMap kubeadm-config',
  });
  await scope.writer.changeAll(coreDnsChanges(found.deployment, upgrade, scope.workload));
}

interface CoreDns {
  readonly configMap: Frozen<ConfigMap>;
  readonly deployment: Frozen<Deployment>;
}

async function findCoreDns({ workload, signal }: UpkeepScope): Promise<CoreDns | undefined> {
  try {
    const configMap = await workload.read.get(configMaps, key, { signal });
    return { configMap, deployment: await workload.read.get(deployments, key, { signal }) };
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

export interface CoreDnsUpgrade {
  readonly image: string;
  /** The current Corefile. `migrated` is the one for the new version. */
  readonly corefile: string;
  readonly migrated: string;
}

/** Plans the upgrade of CoreDNS. Undefined if the image is up to date. Throws if there is no upgrade path. */
export function planCoreDns(
  deployment: Frozen<Deployment>,
  configMap: Frozen<ConfigMap>,
  configuration: ClusterConfiguration,
): CoreDnsUpgrade | undefined {
  const corefile = configMap.data?.[corefileKey];
  if (corefile === undefined)
    throw new WorkloadError('CoreDnsNotMigratable', 'unable to find the CoreDNS Corefile data', {
      remedy: `add the key Corefile to the ConfigMap ${systemNamespace}/${name}`,
    });
  const container = deployment.spec?.template.spec?.containers.find((each) => each.name === name);
  if (container?.image === undefined)
    throw new WorkloadError(
      'ImageUnreadable',
      `failed to update coredns deployment: deployment spec has no ${JSON.stringify(name)} container`,
    );
  const image = desiredImage(container.image, configuration);
  if (image === container.image) return undefined;
  const [from, to] = [parseImage(container.image).tag, parseImage(image).tag];
  checkCoreDnsUpgrade(from, to);
  return { image, corefile, migrated: migrateCorefile(corefile, from, to) };
}

function desiredImage(current: string, { imageRepository, dns }: ClusterConfiguration): string {
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

/**
 * Returns the changes of an upgrade. While the Corefile changes, old Pods read a backup, because a restarting old Pod must not
 * read the new Corefile.
 */
function coreDnsChanges(
  deployment: Frozen<Deployment>,
  { image, corefile, migrated }: CoreDnsUpgrade,
  on: RemoteCluster,
): Change[] {
  const reason = 'CoreDnsOutdated';
  const store = (data: Record<string, string>, message: string): Change => {
    const body = { type: 'merge', patch: { data } } as const;
    return { verb: 'patch', on, resource: configMaps, key, body, reason, message };
  };
  const patch = (before: Frozen<Deployment>, after: Frozen<Deployment>, message: string): Change => ({
    verb: 'patch',
    on,
    resource: deployments,
    before,
    after,
    reason,
    message,
  });
  const upgraded = (before: Frozen<Deployment>): Change =>
    patch(before, withImage(withCorefileKey(before, corefileKey), image), `Updated CoreDNS to image ${image}`);
  const backup = store({ [backupKey]: corefile }, 'Backed up the Corefile');
  // If the Corefile does not change, the backup is not mounted, which would restart every Pod once more.
  if (migrated === corefile) return [backup, upgraded(deployment)];
  const detoured = withCorefileKey(deployment, backupKey);
  return [
    backup,
    patch(deployment, detoured, 'Switched CoreDNS to the backup of its Corefile'),
    store({ [corefileKey]: migrated }, 'Migrated the Corefile'),
    upgraded(detoured),
  ];
}

interface ConfigMapVolume {
  configMap?: { name?: string; items?: { key: string; path: string }[] };
}

function withCorefileKey(deployment: Frozen<Deployment>, desired: string): Frozen<Deployment> {
  return edit(deployment, (draft) => {
    for (const volume of draft.spec?.template.spec?.volumes ?? []) {
      const { configMap } = volume as ConfigMapVolume;
      if (volume.name !== volumeName || configMap?.name !== name) continue;
      for (const item of configMap.items ?? []) {
        if (item.key === corefileKey || item.key === backupKey) item.key = desired;
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

export interface ContainerImage {
  /** Registry and path, such as `registry.k8s.io/coredns`. */
  readonly repository: string;
  readonly name: string;
  /** Empty if the image has no tag. */
  readonly tag: string;
  readonly digest: string;
}

const form = /^(?<repository>[^@\s]+)\/(?<name>[^/:@\s]+)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>\S+))?$/;

export function parseImage(text: string): ContainerImage {
  const { repository, name, tag = '', digest = '' } = form.exec(text)?.groups ?? {};
  if (repository === undefined || name === undefined)
    throw new WorkloadError('ImageUnreadable', `couldn't parse image name ${JSON.stringify(text)}`, {
      remedy: 'use the form registry/name:tag',
    });
  return { repository, name, tag, digest };
}

export function formatImage({ repository, name, tag, digest }: ContainerImage): string {
  return `${repository}/${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}

/** Returns a version as an image tag. Invalid characters, such as `+`, become `_`. */
export function imageTagOf(version: string): string {
  return version.replaceAll(/[^-\w.]/g, '_');
}

/** Returns the image with another version and, if one is given, another repository. */
export function withVersion(text: string, version: string, repository: string): string {
  const image = parseImage(text);
  if (image.digest !== '')
    throw new WorkloadError('ImageUnreadable', `image ${text} uses digest as version, cannot update tag`, {
      remedy: 'use an image with a tag, or set the annotation that disables updates of the add-on',
    });
  return formatImage({
    ...image,
    repository: repository === '' ? image.repository : repository.replace(/\/$/, ''),
    tag: imageTagOf(version),
  });
}
