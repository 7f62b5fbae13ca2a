import { type Frozen, type KubeObject, parseQuantity, type Quantity } from '@slipway/kube';
import { fields, type Fields, list, text } from '../../kinds/shared/fields.js';
import type { ResourceDefinition } from '../../contract/index.js';
import { type Amounts, one } from './amounts.js';
import { podResources } from './pod-resources.js';

type Counter = (object: Frozen<KubeObject>) => Iterable<readonly [string, Quantity]>;

const storageClassSuffix = '.storageclass.storage.k8s.io/';
const plainNames: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/**
 * Returns a function that computes the usage of an object of one kind, by quota resource name. Every kind has an object count;
 * some kinds use further resources.
 */
export function usageCounter({
  group,
  plural,
}: Pick<ResourceDefinition, 'group' | 'plural'>): (object: Frozen<KubeObject>) => Amounts {
  const countName = group === '' ? `count/${plural}` : `count/${plural}.${group}`;
  const special = group === '' ? specialCounters.get(plural) : undefined;
  return (object) => {
    const usage = new Map<string, Quantity>([[countName, one()]]);
    if (group === '' && plainNames.has(plural)) usage.set(plural, one());
    for (const [name, quantity] of special?.(object) ?? []) usage.set(name, quantity);
    return usage;
  };
}

const specialCounters: ReadonlyMap<string, Counter> = new Map([
  ['pods', podUsage],
  ['services', serviceUsage],
  ['persistentvolumeclaims', claimUsage],
]);

/** Whether a quota resource name applies to the kind. */
export function concerns({ group, plural }: Pick<ResourceDefinition, 'group' | 'plural'>, name: string): boolean {
  if (name.startsWith('count/')) return name === (group === '' ? `count/${plural}` : `count/${plural}.${group}`);
  if (group !== '') return false;
  if (name === plural) return true;
  if (name.includes(storageClassSuffix) || name === 'requests.storage') return plural === 'persistentvolumeclaims';
  if (name.startsWith('services.')) return plural === 'services';
  return plural === 'pods' && !plainNames.has(name);
}

/** Whether the pod has terminated. Such a pod only counts for `count/pods`. */
function isEndedPod(pod: Frozen<KubeObject>): boolean {
  const phase = text(fields(pod['status'])['phase']);
  return phase === 'Succeeded' || phase === 'Failed';
}

function podUsage(pod: Frozen<KubeObject>): (readonly [string, Quantity])[] {
  if (isEndedPod(pod)) return [];
  const spec = fields(pod['spec']);
  const usage: (readonly [string, Quantity])[] = [['pods', one()]];
  for (const [name, quantity] of podResources(spec, 'requests')) {
    usage.push([`requests.${name}`, quantity]);
    // Requests also have short names such as `cpu`. Extended resources have no short name.
    if (!name.includes('/')) usage.push([name, quantity]);
  }
  for (const [name, quantity] of podResources(spec, 'limits')) usage.push([`limits.${name}`, quantity]);
  return usage;
}

function serviceUsage(service: Frozen<KubeObject>): (readonly [string, Quantity])[] {
  const spec = fields(service['spec']);
  const usage: (readonly [string, Quantity])[] = [];
  const ports = list(spec['ports']).length;
  const some = (count: number): Quantity => ({ nanos: BigInt(count) * 1_000_000_000n, format: 'DecimalSI' });
  if (spec['type'] === 'LoadBalancer') {
    usage.push(['services.loadbalancers', one()]);
    const without = list(spec['ports']).filter(({ nodePort }) => nodePort === undefined || nodePort === 0).length;
    usage.push(['services.nodeports', some(spec['allocateLoadBalancerNodePorts'] === false ? ports - without : ports)]);
  }
  if (spec['type'] === 'NodePort') usage.push(['services.nodeports', some(ports)]);
  return usage;
}

function claimUsage(claim: Frozen<KubeObject>): (readonly [string, Quantity])[] {
  const storage = storageOf(claim);
  const name = storageClassOf(claim);
  const usage: (readonly [string, Quantity])[] = [];
  if (storage !== undefined) usage.push(['requests.storage', storage]);
  if (name === '') return usage;
  usage.push([`${name}${storageClassSuffix}persistentvolumeclaims`, one()]);
  if (storage !== undefined) usage.push([`${name}${storageClassSuffix}requests.storage`, storage]);
  return usage;
}

function storageClassOf(claim: Frozen<KubeObject>): string {
  const annotated = claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];
  return annotated ?? text(fields(claim['spec'])['storageClassName']);
}

function storageOf(claim: Frozen<KubeObject>): Quantity | undefined {
  const requested = quantityAt(fields(fields(claim['spec'])['resources'])['requests']);
  const allocated = quantityAt(fields(claim['status'])['allocatedResources']);
  if (requested === undefined || allocated === undefined) return requested;
  return allocated.nanos > requested.nanos ? allocated : requested;
}

function quantityAt(resourceList: unknown): Quantity | undefined {
  const { storage } = fields(resourceList) as Fields;
  return typeof storage === 'string' ? parseQuantity(storage) : undefined;
}
