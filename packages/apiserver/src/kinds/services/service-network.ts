import type { Random } from '@slipway/base';
import { type FieldError, type Frozen, internalError, invalid, invalidField, type KubeObject } from '@slipway/kube';
import type { WriteContext } from '../../contract/index.js';
import { fields, type Fields, list, number, text, texts } from '../shared/fields.js';
import { checkAddress } from '../shared/networks.js';
import { createIpAllocator, type IpAllocator } from './ip-allocator.js';
import { createPortAllocator, type PortAllocator, type PortRange } from './port-allocator.js';

export interface ServiceNetworkOptions {
  /** CIDR of cluster IPs, such as `10.96.0.0/12`. */
  readonly clusterRange: string;
  readonly nodePorts: PortRange;
  /** Returns all stored services. Their addresses and ports are in use; no other allocation state survives a restart. */
  services(): Iterable<Frozen<KubeObject>>;
  readonly random: Random;
}

interface Held {
  readonly addresses: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

/** Allocates cluster IPs and node ports, and tracks those of pending writes. */
export class ServiceNetwork {
  readonly #addresses: IpAllocator;
  readonly #ports: PortAllocator;
  /**
   * Allocations that may not be stored yet, with the time of allocation. An entry is removed when a stored service uses the
   * address or port, or when no pending request can store it.
   */
  readonly #pendingAddresses = new Map<string, number>();
  readonly #pendingPorts = new Map<number, number>();

  constructor(private readonly options: ServiceNetworkOptions) {
    this.#addresses = createIpAllocator(options.clusterRange, options.random);
    this.#ports = createPortAllocator(options.nodePorts, options.random);
  }

  get family(): 'IPv4' | 'IPv6' {
    return this.#addresses.family;
  }

  /** The address of the kubernetes service. */
  get apiServerAddress(): string {
    return this.#addresses.first;
  }

  /** Allocates missing addresses and ports, and validates requested ones. `old` is the stored service on update. */
  assign(service: Fields, old: Fields | undefined, context: Pick<WriteContext, 'dryRun' | 'now'>): void {
    const held = this.#held(text(fields(old?.metadata).uid), context.now);
    const errors: FieldError[] = [];
    const address = this.#assignAddress(fields(service.spec), fields(old?.spec), service, held, errors);
    const ports = this.#assignPorts(fields(service.spec), fields(old?.spec), held, errors);
    if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, text(fields(service.metadata).name), errors);
    if (context.dryRun) return;
    if (address !== undefined) this.#pendingAddresses.set(address, context.now);
    for (const port of ports) this.#pendingPorts.set(port, context.now);
  }

  /** Releases the allocations of a failed write or a deleted service, unless a stored service uses them. */
  release(service: Fields): void {
    const spec = fields(service.spec);
    for (const address of texts(spec.clusterIPs)) this.#pendingAddresses.delete(address);
    for (const port of portsOf(spec)) this.#pendingPorts.delete(port);
  }

  #held(exceptUid: string, now: number): Held {
    forgetOld(this.#pendingAddresses, now);
    forgetOld(this.#pendingPorts, now);
    const addresses = new Set<string>();
    const ports = new Set<number>();
    for (const service of this.options.services()) {
      const spec = fields(service.spec);
      for (const address of texts(spec.clusterIPs)) this.#pendingAddresses.delete(address);
      for (const port of portsOf(spec)) this.#pendingPorts.delete(port);
      if (service.metadata.uid === exceptUid) continue;
      for (const address of texts(spec.clusterIPs)) addresses.add(address);
      for (const port of portsOf(spec)) ports.add(port);
    }
    for (const address of this.#pendingAddresses.keys()) addresses.add(address);
    for (const port of this.#pendingPorts.keys()) ports.add(port);
    return { addresses, ports };
  }

  #assignAddress(spec: Fields, before: Fields, service: Fields, held: Held, errors: FieldError[]): string | undefined {
    const requested = text(spec.clusterIP);
    if (
      spec.type === 'ExternalName' ||
      requested === 'None' ||
      (requested !== '' && requested === text(before.clusterIP))
    )
      return undefined;
    if (requested === '') {
      const taken = isApiServer(service) ? held.addresses : new Set([...held.addresses, this.#addresses.first]);
      const found = this.#addresses.next(taken);
      if (found === undefined) throw internalError('failed to allocate a serviceIP: range is full');
      Object.assign(spec, { clusterIP: found, clusterIPs: [found] });
      return found;
    }
    const [malformed] = checkAddress(requested);
    if (malformed !== undefined) {
      errors.push(invalidField('spec.clusterIPs[0]', requested, malformed));
      return undefined;
    }
    const refusal = this.#addresses.check(requested, held.addresses);
    if (refusal !== undefined) errors.push(invalidField('spec.clusterIPs', texts(spec.clusterIPs), refusal));
    return requested;
  }

  #assignPorts(spec: Fields, before: Fields, held: Held, errors: FieldError[]): number[] {
    if (!needsNodePorts(spec)) return [];
    const own = new Map(list(before.ports).map((port) => [number(port.nodePort), text(port.protocol)]));
    const given = new Map<number, Set<string>>();
    const result: number[] = [];
    for (const [index, port] of list(spec.ports).entries()) {
      const requested = number(port.nodePort);
      const protocol = text(port.protocol);
      // TCP and UDP ports of the same service may share a node port.
      const shared = requested !== 0 && given.has(requested) && given.get(requested)?.has(protocol) === false;
      if (requested === 0) port.nodePort = this.#nextPort(held, given);
      else if (!own.has(requested) && !shared) {
        const refusal = this.#ports.check(requested, held.ports);
        if (refusal !== undefined) errors.push(invalidField(`spec.ports[${index}].nodePort`, requested, refusal));
      }
      const chosen = number(port.nodePort);
      given.set(chosen, (given.get(chosen) ?? new Set()).add(protocol));
      result.push(chosen);
    }
    return result;
  }

  #nextPort(held: Held, given: ReadonlyMap<number, unknown>): number {
    const found = this.#ports.next(new Set([...held.ports, ...given.keys()]));
    if (found === undefined) throw internalError('failed to allocate a nodePort: range is full');
    return found;
  }
}

// Time after which no pending request can store an allocation: twice the maximum request duration.
const pendingMsMax = 120_000;

function forgetOld(pending: Map<unknown, number>, now: number): void {
  for (const [key, since] of pending) if (now - since > pendingMsMax) pending.delete(key);
}

function isApiServer(service: Fields): boolean {
  const { name, namespace } = fields(service.metadata);
  return name === 'kubernetes' && namespace === 'default';
}

function portsOf(spec: Fields): number[] {
  const ports = list(spec.ports).map((port) => number(port.nodePort));
  return [...ports, number(spec.healthCheckNodePort)].filter((port) => port !== 0);
}

export function needsNodePorts(spec: Fields): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}
