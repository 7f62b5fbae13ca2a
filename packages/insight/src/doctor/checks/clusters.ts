import { fieldAt, flagAt, numberAt, textAt } from '@slipway/cluster-api';
import { humanDuration, timeOf } from '@slipway/kube';
import { isControlPlaneObject, kubectlWords, refOf, refText } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

const dayMs = 86_400_000;
const soonMs = 30 * dayMs;

export function checkCertificates({ certificates, set, nowMs }: Facts): Diagnosis[] {
  const ofMachines = set.ofKind('Machine').flatMap((machine) => {
    const notAfterMs = timeOf(textAt(machine, 'status', 'certificatesExpiryDate'));
    return notAfterMs === undefined
      ? []
      : [{ object: refOf(machine), name: 'certificate of the API server', notAfterMs }];
  });
  return [...certificates, ...ofMachines]
    .filter(({ notAfterMs }) => notAfterMs - nowMs < soonMs)
    .map(({ object, name, notAfterMs }): Diagnosis => {
      const left = notAfterMs - nowMs;
      const when = left <= 0 ? `expired ${humanDuration(-left)} ago` : `expires in ${humanDuration(left)}`;
      const remedy =
        object.kind === 'Machine'
          ? 'machines are replaced before when spec.rollout.before.certificatesExpiryDays is set; else `slipway rollout restart kubeadmcontrolplane/<name>`'
          : name.startsWith('client')
            ? 'the control plane provider renews it by itself: see why it does not with `slipway why`'
            : 'an authority cannot be renewed in place: plan a new cluster, or the rotation that kubeadm describes';
      return {
        area: 'certificates',
        severity: left <= 0 ? 'error' : 'warning',
        what: `the ${name} ${when}`,
        where: object,
        remedy,
      };
    });
}

export function checkEtcd({ set }: Facts): Diagnosis[] {
  return set.objects.filter(isControlPlaneObject).flatMap((object) => {
    const where = refOf(object);
    const found: Diagnosis[] = [];
    const health = conditionOf(object, 'EtcdClusterHealthy');
    if (health?.status === 'False')
      found.push({
        area: 'etcd',
        severity: 'error',
        what: `etcd is not healthy: ${health.message}`,
        where,
        remedy: `\`slipway why ${kubectlWords(where)}\``,
      });
    const wanted = numberAt(object, 'spec', 'replicas') ?? 1;
    const isExternal =
      fieldAt(object, 'spec', 'kubeadmConfigSpec', 'clusterConfiguration', 'etcd', 'external') !== undefined;
    if (wanted % 2 === 0 && !isExternal)
      found.push({
        area: 'etcd',
        severity: 'warning',
        what: `${wanted} members tolerate no more losses than ${wanted - 1}`,
        where,
        remedy: 'use an odd number of control-plane machines',
      });
    if (wanted === 1)
      found.push({
        area: 'etcd',
        severity: 'info',
        what: 'one member: the loss of its machine is the loss of the cluster',
        where,
        remedy: 'three control-plane machines survive the loss of one',
      });
    return found;
  });
}

const pausedLongMs = dayMs;

export function checkClusters({ set, nowMs }: Facts): Diagnosis[] {
  return set.ofKind('Cluster').flatMap((cluster) => {
    const where = refOf(cluster);
    const found: Diagnosis[] = [];
    const available = conditionOf(cluster, 'Available');
    if (available !== undefined && available.status !== 'True' && (cluster.metadata.deletionTimestamp ?? '') === '')
      found.push({
        area: 'clusters',
        severity: 'warning',
        what: `it is not available (${available.reason})`,
        where,
        remedy: `\`slipway why ${kubectlWords(where)}\``,
      });
    const paused = conditionOf(cluster, 'Paused');
    const since = nowMs - (timeOf(paused?.lastTransitionTime) ?? nowMs);
    if (flagAt(cluster, 'spec', 'paused'))
      found.push({
        area: 'clusters',
        severity: since > pausedLongMs ? 'warning' : 'info',
        what: `it is paused since ${humanDuration(since)}: nothing in it is repaired`,
        where,
        remedy: `\`kubectl patch ${kubectlWords(where)} --type merge -p '{"spec":{"paused":null}}'\``,
      });
    return found;
  });
}

const stuckMs = 15 * 60_000;

export function checkDeletions({ set, nowMs }: Facts): Diagnosis[] {
  return set.objects.flatMap((object): Diagnosis[] => {
    const since = timeOf(object.metadata.deletionTimestamp);
    if (since === undefined || nowMs - since < stuckMs) return [];
    const where = refOf(object);
    return [
      {
        area: 'deletions',
        severity: 'warning',
        what: `it is being deleted since ${humanDuration(nowMs - since)} and held by ${(object.metadata.finalizers ?? []).join(', ')}`,
        where,
        remedy: `\`slipway why ${kubectlWords(where)}\`, then \`slipway unblock ${kubectlWords(where)} --dry-run\``,
      },
    ];
  });
}

const publicRepository = 'registry.k8s.io';

/** What has to come from outside. Nothing of ours does: kinds, providers and templates are in the program. */
export function checkAirGap({ set, deployments, airGapped }: Facts): Diagnosis[] {
  const severity = airGapped ? 'error' : 'info';
  const found: Diagnosis[] = set.objects.filter(isControlPlaneObject).flatMap((object): Diagnosis[] => {
    const path = ['spec', 'kubeadmConfigSpec', 'clusterConfiguration', 'imageRepository'] as const;
    const isSimulated = (
      textAt(object, 'spec', 'machineTemplate', 'spec', 'infrastructureRef', 'kind') ?? ''
    ).startsWith('Dev');
    if (isSimulated || textAt(object, ...path) !== undefined) return [];
    const where = refOf(object);
    return [
      {
        area: 'air gap',
        severity,
        what: `its machines pull images from ${publicRepository}`,
        where,
        remedy: `set ${path.join('.')} to a mirror`,
      },
    ];
  });
  for (const deployment of deployments) {
    const images = (fieldAt(deployment, 'spec', 'template', 'spec', 'containers') ?? []) as readonly {
      readonly image?: string;
    }[];
    const hosts = images
      .map(({ image = '' }) => image.split('/')[0] ?? '')
      .filter((host) => /^(registry\.k8s\.io|ghcr\.io|quay\.io|docker\.io|gcr\.io)$/.test(host));
    if (hosts.length > 0)
      found.push({
        area: 'air gap',
        severity,
        what: `${refText(refOf(deployment))} is pulled from ${hosts.join(', ')}`,
        where: refOf(deployment),
        remedy: 'install the provider with image overrides: `images` in clusterctl.yaml',
      });
  }
  return found;
}
