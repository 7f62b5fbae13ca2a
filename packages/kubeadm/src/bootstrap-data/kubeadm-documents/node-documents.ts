import { nodeTaints } from '@slipway/cluster-api';
import type { KubeadmApiVersion } from '../kubernetes-version.js';
import type { Discovery, InitConfiguration, JoinConfiguration, NodeRegistration } from '../types.js';
import { extraArgs, type Members, omitEmpty, secondsText } from './shapes.js';

type Timeouts = NonNullable<JoinConfiguration['timeouts']>;
type Taints = NonNullable<NodeRegistration['taints']>;

export function initDocument(version: KubeadmApiVersion, init: InitConfiguration): Members {
  return {
    apiVersion: version,
    kind: 'InitConfiguration',
    localAPIEndpoint: endpoint(init.localAPIEndpoint),
    nodeRegistration: registration(version, init.nodeRegistration ?? {}),
    ...omitEmpty({
      bootstrapTokens: init.bootstrapTokens?.map(bootstrapToken),
      skipPhases: init.skipPhases,
      patches: patches(init.patches),
      timeouts: timeouts(version, init.timeouts),
    }),
  };
}

export function joinDocument(version: KubeadmApiVersion, join: JoinConfiguration): Members {
  return {
    apiVersion: version,
    kind: 'JoinConfiguration',
    discovery: discovery(version, join),
    nodeRegistration: registration(version, join.nodeRegistration ?? {}),
    ...omitEmpty({
      caCertPath: join.caCertPath,
      controlPlane:
        join.controlPlane === undefined
          ? undefined
          : { localAPIEndpoint: endpoint(join.controlPlane.localAPIEndpoint) },
      skipPhases: join.skipPhases,
      patches: patches(join.patches),
      timeouts: timeouts(version, join.timeouts),
    }),
  };
}

/**
 * Adds the uninitialized taint to a worker. The Machine controller removes it when the Node has its labels. It is added only to
 * the rendered data: in the stored object it would trigger a rollout.
 */
export function withUninitializedTaint(join: JoinConfiguration): JoinConfiguration {
  const taints: Taints = join.nodeRegistration?.taints ?? [];
  const { key, effect } = nodeTaints.uninitialized;
  if (taints.some((taint) => taint.key === key && taint.effect === effect)) return join;
  return { ...join, nodeRegistration: { ...join.nodeRegistration, taints: [...taints, { key, effect }] } };
}

function registration(version: KubeadmApiVersion, node: NodeRegistration): Members {
  const isList = version === 'kubeadm.k8s.io/v1beta4';
  return {
    // Distinguish absent taints from an empty list: kubeadm taints control planes only if taints are absent.
    taints:
      node.taints?.map(({ key, value, effect, timeAdded }) => ({
        key,
        effect,
        ...omitEmpty({ value, timeAdded }),
      })) ?? null,
    ...omitEmpty({
      name: node.name,
      criSocket: node.criSocket,
      kubeletExtraArgs: extraArgs(node.kubeletExtraArgs, version),
      ignorePreflightErrors: node.ignorePreflightErrors,
      imagePullPolicy: node.imagePullPolicy,
    }),
    ...(isList && node.imagePullSerial !== undefined ? { imagePullSerial: node.imagePullSerial } : {}),
  };
}

function bootstrapToken(token: NonNullable<InitConfiguration['bootstrapTokens']>[number]): Members {
  return {
    token: token.token,
    ...omitEmpty({
      description: token.description,
      ttl: secondsText(token.ttlSeconds),
      expires: token.expires,
      usages: token.usages,
      groups: token.groups,
    }),
  };
}

function endpoint(address: InitConfiguration['localAPIEndpoint']): Members {
  const { advertiseAddress, bindPort } = address ?? {};
  return omitEmpty({ advertiseAddress, bindPort: bindPort === 0 ? undefined : bindPort });
}

function patches(part: JoinConfiguration['patches']): Members | undefined {
  return part?.directory === undefined ? undefined : { directory: part.directory };
}

function timeouts(version: KubeadmApiVersion, part: Timeouts | undefined): Members | undefined {
  if (version === 'kubeadm.k8s.io/v1beta3' || part === undefined || Object.keys(part).length === 0) return undefined;
  return omitEmpty({
    controlPlaneComponentHealthCheck: secondsText(part.controlPlaneComponentHealthCheckSeconds),
    kubeletHealthCheck: secondsText(part.kubeletHealthCheckSeconds),
    kubernetesAPICall: secondsText(part.kubernetesAPICallSeconds),
    etcdAPICall: secondsText(part.etcdAPICallSeconds),
    tlsBootstrap: secondsText(part.tlsBootstrapSeconds),
    discovery: secondsText(part.discoverySeconds),
  });
}

function discovery(version: KubeadmApiVersion, join: JoinConfiguration): Members {
  const { bootstrapToken: token, file, tlsBootstrapToken }: Discovery = join.discovery ?? {};
  return omitEmpty({
    bootstrapToken:
      token === undefined || Object.keys(token).length === 0
        ? undefined
        : {
            token: token.token ?? '',
            ...omitEmpty({
              apiServerEndpoint: token.apiServerEndpoint,
              caCertHashes: token.caCertHashes,
              unsafeSkipCAVerification: token.unsafeSkipCAVerification,
            }),
          },
    // Omit `kubeConfig`, which kubeadm does not have: its content is written to the file at this path.
    file: file === undefined ? undefined : { kubeConfigPath: file.kubeConfigPath },
    tlsBootstrapToken,
    timeout: version === 'kubeadm.k8s.io/v1beta3' ? secondsText(join.timeouts?.tlsBootstrapSeconds) : undefined,
  });
}
