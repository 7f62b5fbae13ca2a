import { isIPv6 } from 'node:net';
import type { KubeadmApiVersion } from '../kubernetes-version.js';
import type { ClusterConfiguration, ClusterView, InitConfiguration } from '../types.js';
import { daysText, extraArgs, extraEnvs, extraVolumes, type Members, omitEmpty, secondsText } from './shapes.js';

/** Values of the ClusterConfiguration that do not come from the KubeadmConfig and are not stored in it. */
export interface ClusterFacts {
  readonly clusterName: string;
  readonly kubernetesVersion?: string;
  readonly controlPlaneEndpoint?: string;
  readonly dnsDomain?: string;
  readonly serviceSubnet?: string;
  readonly podSubnet?: string;
}

/** Returns `host:port`. Undefined until the infrastructure or the control plane has set both. */
export function endpointOf(cluster: ClusterView): string | undefined {
  const { host, port } = cluster.spec?.controlPlaneEndpoint ?? {};
  if (host === undefined || host === '' || port === undefined || port === 0) return undefined;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

export function clusterFacts(cluster: ClusterView, kubernetesVersion: string | undefined): ClusterFacts {
  const network = cluster.spec?.clusterNetwork;
  const facts = {
    kubernetesVersion,
    controlPlaneEndpoint: endpointOf(cluster),
    dnsDomain: network?.serviceDomain,
    serviceSubnet: network?.services?.cidrBlocks?.join(','),
    podSubnet: network?.pods?.cidrBlocks?.join(','),
  };
  return { ...omitEmpty(facts), clusterName: cluster.metadata.name ?? '' };
}

type Component = NonNullable<ClusterConfiguration['controllerManager']>;
type LocalEtcd = NonNullable<NonNullable<ClusterConfiguration['etcd']>['local']>;

/**
 * Returns the ClusterConfiguration for kubeadm. Fields that are structs in kubeadm's API are written even if they are empty, as
 * by kubeadm itself.
 */
export function clusterDocument(
  version: KubeadmApiVersion,
  configuration: ClusterConfiguration,
  facts: ClusterFacts,
  init: InitConfiguration = {},
): Members {
  const isList = version === 'kubeadm.k8s.io/v1beta4';
  return {
    apiVersion: version,
    kind: 'ClusterConfiguration',
    apiServer: apiServer(version, configuration.apiServer ?? {}, init),
    controllerManager: component(version, configuration.controllerManager ?? {}),
    scheduler: component(version, configuration.scheduler ?? {}),
    dns: omitEmpty({
      imageRepository: configuration.dns?.imageRepository,
      imageTag: configuration.dns?.imageTag,
    }),
    etcd: etcd(version, configuration.etcd ?? {}),
    networking: omitEmpty({
      dnsDomain: facts.dnsDomain,
      serviceSubnet: facts.serviceSubnet,
      podSubnet: facts.podSubnet,
    }),
    ...(isList ? { proxy: {} } : {}),
    ...omitEmpty({
      kubernetesVersion: facts.kubernetesVersion,
      clusterName: facts.clusterName,
      controlPlaneEndpoint: configuration.controlPlaneEndpoint ?? facts.controlPlaneEndpoint,
      certificatesDir: configuration.certificatesDir,
      imageRepository: configuration.imageRepository,
      featureGates: nonEmptyMap(configuration.featureGates),
      ...(isList ? certificateMembers(configuration) : {}),
    }),
  };
}

function certificateMembers(configuration: ClusterConfiguration): Members {
  return {
    encryptionAlgorithm: configuration.encryptionAlgorithm,
    certificateValidityPeriod: daysText(configuration.certificateValidityPeriodDays),
    caCertificateValidityPeriod: daysText(configuration.caCertificateValidityPeriodDays),
  };
}

function apiServer(
  version: KubeadmApiVersion,
  server: NonNullable<ClusterConfiguration['apiServer']>,
  init: InitConfiguration,
): Members {
  const timeout = init.timeouts?.controlPlaneComponentHealthCheckSeconds;
  return omitEmpty({
    ...component(version, server),
    certSANs: server.certSANs,
    // v1beta4 moved this timeout to InitConfiguration and JoinConfiguration.
    timeoutForControlPlane: version === 'kubeadm.k8s.io/v1beta3' ? secondsText(timeout) : undefined,
  });
}

function component(version: KubeadmApiVersion, parts: Component): Members {
  return omitEmpty({
    extraArgs: extraArgs(parts.extraArgs, version),
    extraEnvs: extraEnvs(parts.extraEnvs, version),
    extraVolumes: extraVolumes(parts.extraVolumes),
  });
}

function etcd(version: KubeadmApiVersion, parts: NonNullable<ClusterConfiguration['etcd']>): Members {
  return omitEmpty({
    local: isDefined(parts.local) ? localEtcd(version, parts.local) : undefined,
    external:
      parts.external === undefined
        ? undefined
        : {
            endpoints: parts.external.endpoints,
            caFile: parts.external.caFile,
            certFile: parts.external.certFile,
            keyFile: parts.external.keyFile,
          },
  });
}

function isDefined<T extends object>(part: T | undefined): part is T {
  return part !== undefined && Object.keys(part).length > 0;
}

function localEtcd(version: KubeadmApiVersion, local: LocalEtcd): Members {
  return {
    dataDir: local.dataDir ?? '',
    ...omitEmpty({
      imageRepository: local.imageRepository,
      imageTag: local.imageTag,
      extraArgs: extraArgs(local.extraArgs, version),
      extraEnvs: extraEnvs(local.extraEnvs, version),
      serverCertSANs: local.serverCertSANs,
      peerCertSANs: local.peerCertSANs,
    }),
  };
}

function nonEmptyMap<T extends object>(map: T | undefined): T | undefined {
  return isDefined(map) ? map : undefined;
}
