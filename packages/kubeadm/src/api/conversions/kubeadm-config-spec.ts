import {
  args,
  at,
  type Codec,
  durationSeconds,
  each,
  isObject,
  move,
  onlyNew,
  onlyOld,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import type { MutableJson, MutableJsonObject } from '@slipway/kube';

const healthCheckTimeout = 'controlPlaneComponentHealthCheckSeconds';

// The old version requires `layout`. The new one rejects it if `diskLayout` is set.
const partition: Codec = {
  up: (value) => {
    if (isObject(value) && value['layout'] === false && value['diskLayout'] !== undefined) delete value['layout'];
    return value;
  },
  down: (value) => value,
};

const fields = structure(
  at('clusterConfiguration.apiServer.extraArgs', args),
  at('clusterConfiguration.controllerManager.extraArgs', args),
  at('clusterConfiguration.scheduler.extraArgs', args),
  at('clusterConfiguration.etcd.local.extraArgs', args),
  at('initConfiguration.nodeRegistration.kubeletExtraArgs', args),
  at('joinConfiguration.nodeRegistration.kubeletExtraArgs', args),
  at('initConfiguration.bootstrapTokens', each(structure(move('ttl', 'ttlSeconds', durationSeconds)))),
  at('diskSetup.partitions', each(partition)),
  at('files', each(structure(at('append', plainBoolean)))),
  at('ignition.containerLinuxConfig.strict', plainBoolean),
  at('joinConfiguration.discovery.bootstrapToken.unsafeSkipCAVerification', plainBoolean),
  at('joinConfiguration.discovery.file.kubeConfig.cluster.insecureSkipTLSVerify', plainBoolean),
  at('joinConfiguration.discovery.file.kubeConfig.user.exec.provideClusterInfo', plainBoolean),
  ...['apiServer', 'controllerManager', 'scheduler'].map((component) =>
    at(`clusterConfiguration.${component}.extraVolumes`, each(structure(at('readOnly', plainBoolean)))),
  ),
  move(
    'clusterConfiguration.apiServer.timeoutForControlPlane',
    `initConfiguration.timeouts.${healthCheckTimeout}`,
    durationSeconds,
  ),
  move('joinConfiguration.discovery.timeout', 'joinConfiguration.timeouts.tlsBootstrapSeconds', durationSeconds),
  onlyNew('initConfiguration.timeouts', 'joinConfiguration.timeouts'),
  // The new version reads these values from the Cluster and the Machine.
  onlyOld(
    'clusterConfiguration.clusterName',
    'clusterConfiguration.kubernetesVersion',
    'clusterConfiguration.networking',
  ),
  ...['clusterConfiguration', 'initConfiguration', 'joinConfiguration'].map((part) =>
    onlyOld(`${part}.apiVersion`, `${part}.kind`),
  ),
  onlyOld('useExperimentalRetryJoin'),
);

/**
 * Converts a KubeadmConfigSpec. The old version has one control plane timeout for the whole cluster. The new one has a timeout
 * for the first machine, and another for joining machines.
 */
export const kubeadmConfigSpec: Codec = {
  up: (value, context) => {
    const spec = fields.up(value, context);
    const timeout = timeoutOf(spec, 'initConfiguration');
    const join = isObject(spec) ? spec['joinConfiguration'] : undefined;
    if (timeout !== undefined && isObject(join)) timeoutsOf(join)[healthCheckTimeout] = timeout;
    return spec;
  },
  down: (value, context) => {
    const joinTimeout = timeoutOf(value, 'joinConfiguration');
    if (isObject(value) && joinTimeout !== undefined && timeoutOf(value, 'initConfiguration') === undefined) {
      const init = isObject(value['initConfiguration']) ? value['initConfiguration'] : {};
      timeoutsOf(init)[healthCheckTimeout] = joinTimeout;
      value['initConfiguration'] = init;
    }
    return fields.down(value, context);
  },
};

function timeoutOf(spec: MutableJson | undefined, part: string): MutableJson | undefined {
  const configuration = isObject(spec) ? spec[part] : undefined;
  const timeouts = isObject(configuration) ? configuration['timeouts'] : undefined;
  return isObject(timeouts) ? timeouts[healthCheckTimeout] : undefined;
}

function timeoutsOf(configuration: MutableJsonObject): MutableJsonObject {
  const present = configuration['timeouts'];
  if (isObject(present)) return present;
  const created: MutableJsonObject = {};
  configuration['timeouts'] = created;
  return created;
}
