import { fieldAt, flagAt, numberAt, textAt } from '@slipway/cluster-api';
import { humanDuration, timeOf } from '@slipway/kube';
import {
  isControlPlaneObject,
  keyMaterial,
  kubectlArguments,
  missingSecrets,
  type Observed,
  refOf,
  refText,
} from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import { explain, reportedProblem } from '../../why/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

const dayMs = 86_400_000;
const soonMs = 30 * dayMs;

/** Reports missing Secrets without which machines cannot join, or the management cluster cannot connect. */
function missingKeyMaterial({ set, refused }: Facts): Diagnosis[] {
  if (refused.includes('list secrets')) return [];
  return set.ofKind('Cluster').flatMap((cluster) => {
    const { namespace, name } = refOf(cluster);
    return missingSecrets(set, cluster, [...keyMaterial, 'kubeconfig']).map((where): Diagnosis => {
      const remedy =
        where.name === `${name}-kubeconfig`
          ? `\`slipway why cluster/${name} -n ${namespace}\``
          : 'restore the Secret from a backup, or copy the files from /etc/kubernetes/pki of a control plane machine';
      return { area: 'certificates', severity: 'error', what: 'the Secret does not exist', where, remedy };
    });
  });
}

export function checkCertificates(facts: Facts): Diagnosis[] {
  return [...missingKeyMaterial(facts), ...expiringCertificates(facts)];
}

function expiringCertificates({ certificates, set, nowMs }: Facts): Diagnosis[] {
  const ofMachines = set.ofKind('Machine').flatMap((machine) => {
    const notAfterMs = timeOf(textAt(machine, 'status', 'certificatesExpiryDate'));
    return notAfterMs === undefined ? [] : [{ object: refOf(machine), name: 'API server certificate', notAfterMs }];
  });
  return [...certificates, ...ofMachines]
    .filter(({ notAfterMs }) => notAfterMs - nowMs < soonMs)
    .map(({ object, name, notAfterMs }): Diagnosis => {
      const left = notAfterMs - nowMs;
      const when = left <= 0 ? `expired ${humanDuration(-left)} ago` : `expires in ${humanDuration(left)}`;
      const remedy =
        object.kind === 'Machine'
          ? 'set spec.rollout.before.certificatesExpiryDays to have Machines replaced before the expiration, or run `slipway rollout restart kubeadmcontrolplane/<name>`'
          : name.startsWith('client')
            ? 'the control plane provider renews this certificate automatically; run `slipway why` to find out why it did not'
            : 'a CA cannot be renewed in place: plan a new cluster, or rotate the CA manually as the kubeadm documentation describes';
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
        what: `etcd is unhealthy: ${health.message}`,
        where,
        remedy: `\`slipway why ${kubectlArguments(where)}\``,
      });
    const desired = numberAt(object, 'spec', 'replicas') ?? 1;
    const isExternal =
      fieldAt(object, 'spec', 'kubeadmConfigSpec', 'clusterConfiguration', 'etcd', 'external') !== undefined;
    if (desired % 2 === 0 && !isExternal)
      found.push({
        area: 'etcd',
        severity: 'warning',
        what: `an etcd cluster with ${desired} members tolerates only as many failures as one with ${desired - 1}`,
        where,
        remedy: 'use an odd number of control plane replicas',
      });
    if (desired === 1)
      found.push({
        area: 'etcd',
        severity: 'info',
        what: 'etcd has a single member: losing its machine means losing the cluster',
        where,
        remedy: 'use three control plane replicas to tolerate the loss of one machine',
      });
    return found;
  });
}

/** Returns the result of `slipway why` for a Cluster that is not available, or that is available and needs action by a user. */
function explained(cluster: Observed, set: Facts['set'], nowMs: number): Diagnosis[] {
  const available = conditionOf(cluster, 'Available');
  if (available === undefined) return [];
  const { root, verdict } = explain(set, cluster, nowMs);
  const isAvailable = available.status === 'True';
  if (isAvailable && verdict !== 'blocked') return [];
  const where = refOf(cluster);
  const isProblem = root !== undefined && (root.state === 'blocked' || root.state === 'failing');
  const state = isAvailable
    ? 'the Cluster is available, but needs action'
    : `the Cluster is not available (${available.reason})`;
  const cause = isProblem ? `: ${root.cause}, ${refText(root.object)}: ${root.message.split('\n')[0] ?? ''}` : '';
  return [
    {
      area: 'clusters',
      severity: isProblem && !isAvailable ? 'error' : 'warning',
      what: `${state}${cause}`,
      where,
      remedy: `\`slipway why ${kubectlArguments(where)}\``,
    },
  ];
}

const pausedLongMs = dayMs;

export function checkClusters({ set, nowMs }: Facts): Diagnosis[] {
  return set.ofKind('Cluster').flatMap((cluster) => {
    const where = refOf(cluster);
    const found: Diagnosis[] = [];
    if ((cluster.metadata.deletionTimestamp ?? '') === '') found.push(...explained(cluster, set, nowMs));
    const paused = conditionOf(cluster, 'Paused');
    const since = nowMs - (timeOf(paused?.lastTransitionTime) ?? nowMs);
    if (flagAt(cluster, 'spec', 'paused'))
      found.push({
        area: 'clusters',
        severity: since > pausedLongMs ? 'warning' : 'info',
        what: `the Cluster has been paused for ${humanDuration(since)}: controllers do not reconcile its objects`,
        where,
        remedy: `\`kubectl patch ${kubectlArguments(where)} --type merge -p '{"spec":{"paused":null}}'\``,
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
    const why = `\`slipway why ${kubectlArguments(where)}\``;
    // Do not suggest unblocking an object whose provider reports a problem: without its finalizer, the infrastructure
    // would be left behind.
    const isFailing = reportedProblem(object) !== undefined;
    return [
      {
        area: 'deletions',
        severity: 'warning',
        what: `the deletion has been running for ${humanDuration(nowMs - since)} and is blocked by the finalizers ${(object.metadata.finalizers ?? []).join(', ')}`,
        where,
        remedy: isFailing ? why : `${why}, then \`slipway unblock ${kubectlArguments(where)} --dry-run\``,
      },
    ];
  });
}

const publicRepository = 'registry.k8s.io';

/** Reports images that are pulled from public registries. CRDs, providers and templates are built in and need no network. */
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
        what: `the control plane machines pull images from ${publicRepository}`,
        where,
        remedy: `set ${path.join('.')} to a mirror registry`,
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
        what: `${refText(refOf(deployment))} pulls images from ${hosts.join(', ')}`,
        where: refOf(deployment),
        remedy: 'set image overrides under `images` in clusterctl.yaml and install the provider again',
      });
  }
  return found;
}
