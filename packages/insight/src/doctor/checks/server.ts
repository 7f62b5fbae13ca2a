import { contractVersionOf, textAt } from '@slipway/cluster-api';
import { humanDuration } from '@slipway/kube';
import { isControlPlaneObject, refOf } from '../../objects/index.js';
import type { Diagnosis } from '../diagnosis.js';
import type { Facts } from '../facts.js';

/** The supported minor versions of Kubernetes 1, as on the page of supported versions. */
export const supportedMinors = { management: { min: 33, max: 36 }, workload: { min: 30, max: 36 } } as const;
const dayMs = 86_400_000;

export function checkVersions({ serverVersion, set }: Facts): Diagnosis[] {
  const found: Diagnosis[] = [];
  const minor = minorOf(serverVersion);
  const { min, max } = supportedMinors.management;
  if (minor !== undefined && (minor < min || minor > max))
    found.push({
      area: 'versions',
      severity: 'warning',
      what: `the management cluster runs Kubernetes ${serverVersion ?? ''}; supported are v1.${min} to v1.${max}`,
      remedy: minor < min ? 'upgrade the management cluster' : 'upgrade Slipway',
    });
  for (const cluster of set.ofKind('Cluster')) found.push(...skewOf(cluster, set));
  for (const object of set.objects.filter(isControlPlaneObject)) found.push(...unsupportedVersion(object));
  return found;
}

function unsupportedVersion(controlPlane: Facts['set']['objects'][number]): Diagnosis[] {
  const version = textAt(controlPlane, 'spec', 'version');
  const minor = minorOf(version);
  const { min, max } = supportedMinors.workload;
  if (minor === undefined || (minor >= min && minor <= max)) return [];
  return [
    {
      area: 'versions',
      severity: 'warning',
      what: `Kubernetes ${version ?? ''} is not supported; supported are v1.${min} to v1.${max}`,
      where: refOf(controlPlane),
      remedy: minor < min ? 'upgrade the cluster, one minor version at a time' : 'upgrade Slipway',
    },
  ];
}

/**
 * Checks the version skew of a cluster: workers may be up to three minor versions older than the control plane, and never newer.
 */
function skewOf(cluster: Facts['set']['objects'][number], set: Facts['set']): Diagnosis[] {
  const { namespace, name } = cluster.metadata;
  const ofCluster = set.objects.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['cluster.x-k8s.io/cluster-name'] === name,
  );
  const controlPlane = ofCluster.find((object) => refOf(object).group.startsWith('controlplane.'));
  const own = minorOf(controlPlane && textAt(controlPlane, 'spec', 'version'));
  if (own === undefined) return [];
  return ofCluster
    .filter(({ kind }) => kind === 'MachineDeployment' || kind === 'MachinePool')
    .flatMap((workers) => {
      const version = textAt(workers, 'spec', 'template', 'spec', 'version');
      const theirs = minorOf(version);
      if (theirs === undefined || (theirs <= own && theirs >= own - 3)) return [];
      const what = `version ${version ?? ''} is not compatible with a control plane of version v1.${own}`;
      return [
        {
          area: 'versions',
          severity: 'error',
          what,
          where: refOf(workers),
          remedy: 'use a version that is at most three minor versions older than the control plane, and not newer',
        } as const,
      ];
    });
}

function minorOf(version: string | undefined): number | undefined {
  const [, minor] = /^v?1\.(\d+)\./.exec(version ?? '') ?? [];
  return minor === undefined ? undefined : Number(minor);
}

export function checkCredentials({ refused, ownCertificateNotAfterMs, nowMs }: Facts): Diagnosis[] {
  const found: Diagnosis[] = refused.map((what) => ({
    area: 'credentials',
    severity: 'warning',
    what: `the current user cannot ${what}: the checks that need this permission were skipped`,
    remedy: 'use credentials with read access to the Cluster API objects, or request the permission',
  }));
  if (ownCertificateNotAfterMs === undefined) return found;
  const left = ownCertificateNotAfterMs - nowMs;
  if (left > 30 * dayMs) return found;
  const when = left <= 0 ? 'has expired' : `expires in ${humanDuration(left)}`;
  return [
    ...found,
    {
      area: 'credentials',
      severity: left <= 0 ? 'error' : 'warning',
      what: `the client certificate in the kubeconfig ${when}`,
      remedy: '`slipway up` renews its own certificate when it starts; for other clusters ask the administrator',
    },
  ];
}

const needed = [
  { name: 'clusters.cluster.x-k8s.io', what: 'Cluster API' },
  { name: 'machines.cluster.x-k8s.io', what: 'Cluster API' },
];

export function checkProviders({ set, deployments }: Facts): Diagnosis[] {
  const found: Diagnosis[] = [];
  const names = new Set(set.definitions.map(({ metadata }) => metadata.name ?? ''));
  for (const { name, what } of needed)
    if (!names.has(name))
      found.push({
        area: 'providers',
        severity: 'error',
        what: `${what} is not installed: the CustomResourceDefinition ${name} does not exist`,
        remedy: '`slipway init`',
      });
  const groups = ['infrastructure', 'bootstrap', 'controlplane'];
  for (const group of groups)
    if (![...names].some((name) => name.includes(`.${group}.cluster.x-k8s.io`)))
      found.push({
        area: 'providers',
        severity: 'warning',
        what: `no ${group} provider is installed`,
        remedy: `\`slipway init --${group === 'controlplane' ? 'control-plane' : group} <name>\``,
      });
  for (const definition of set.definitions) {
    const { name = '', labels } = definition.metadata;
    if (
      !/\.(infrastructure|bootstrap|controlplane)\.cluster\.x-k8s\.io$/.test(name) ||
      contractVersionOf(labels) !== undefined
    )
      continue;
    const where = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name };
    found.push({
      area: 'providers',
      severity: 'error',
      what: 'the CustomResourceDefinition has no label for a Cluster API contract version: controllers cannot read its objects',
      where,
      remedy: 'install a provider release whose CustomResourceDefinitions have the label cluster.x-k8s.io/<contract>',
    });
  }
  for (const deployment of deployments) {
    const { status } = deployment as { status?: { availableReplicas?: number } };
    if ((status?.availableReplicas ?? 0) > 0) continue;
    const where = refOf(deployment);
    found.push({
      area: 'providers',
      severity: 'error',
      what: 'the provider controller is not running',
      where,
      remedy: `\`kubectl describe deployment ${where.name} -n ${where.namespace}\``,
    });
  }
  return found;
}
