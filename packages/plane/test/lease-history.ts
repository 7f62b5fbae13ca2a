import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import {
  type Client,
  type ConfigMap,
  configMaps,
  type Informer,
  type InformerFactory,
  type Lease,
  leases,
  namespaces,
} from '@slipway/runtime';
import { bundleScript } from '@slipway/testing/process';

export interface KillTarget {
  readonly client: Client;
  /** Kubeconfig of the manager processes. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export const namespace = 'default';
const leaseDurationMs = 5_000;
const retryPeriodMs = 500;
// Upper limit of a takeover: the lease must expire, a candidate polls after at most 2.2 retry periods, and the host may be busy.
export const handOverMsMax = leaseDurationMs + retryPeriodMs * 2.2 + 8_000;

/** A write of a Lease, with the resourceVersion that the server assigned. */
interface Election {
  readonly version: number;
  readonly at: number;
  readonly lease: string;
  readonly holder: string;
  readonly transitions: number;
}
export interface Write {
  readonly version: number;
  readonly at: number;
  readonly object: string;
  readonly writer: string;
}

export interface LeaseCheck {
  /** Writers by `<lease> <term>`. A term has exactly one writer. */
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Writes by a process that did not hold the lease at that time. */
  readonly violations: readonly Write[];
}

/** Records every version of the Leases and of the objects that their holders write, as the server reports them. */
export class LeaseHistory {
  readonly writes: Write[] = [];
  readonly #elections: Election[] = [];
  readonly objects: Informer<ConfigMap>;
  readonly leases: Informer<Lease>;

  constructor(factory: InformerFactory) {
    this.objects = factory.informer(configMaps, { namespace });
    this.leases = factory.informer(leases, { namespace });
    const elected = (lease: Frozen<Lease>): void => {
      const { holderIdentity, leaseTransitions } = lease.spec ?? {};
      const facts = { lease: lease.metadata.name ?? '', holder: holderIdentity ?? '' };
      this.#elections.push({ ...stamp(lease), ...facts, transitions: leaseTransitions ?? 0 });
    };
    this.leases.addHandler({ added: elected, updated: elected });
    this.objects.addHandler({
      updated: (object) =>
        this.writes.push({
          ...stamp(object),
          object: object.metadata.name ?? '',
          writer: object.data?.['by'] ?? '',
        }),
    });
  }

  firstBy(writer: string): number {
    return this.writes.find((write) => write.writer === writer)?.at ?? Number.POSITIVE_INFINITY;
  }

  lastBy(writer: string): number {
    return this.writes.findLast((write) => write.writer === writer)?.at ?? 0;
  }

  /** Attributes every write to the Lease holder at that time, in the order of resourceVersions. */
  check(leaseOf: (object: string) => string): LeaseCheck {
    const terms = new Map<string, Set<string>>();
    const violations: Write[] = [];
    const current = new Map<string, Election>();
    for (const fact of [...this.#elections, ...this.writes].sort((left, right) => left.version - right.version)) {
      if ('lease' in fact) {
        current.set(fact.lease, fact);
        continue;
      }
      const lease = leaseOf(fact.object);
      const election = current.get(lease);
      const term = `${lease} ${election?.transitions ?? 'none'}`;
      terms.set(term, (terms.get(term) ?? new Set()).add(fact.writer));
      if (fact.writer !== election?.holder) violations.push(fact);
    }
    return { terms, violations };
  }
}

function stamp(object: { readonly metadata: { readonly resourceVersion?: string } }): { version: number; at: number } {
  return { version: Number(object.metadata.resourceVersion), at: performance.now() };
}

export async function createWritten(client: Client, names: readonly string[]): Promise<void> {
  await client
    .create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    .catch(() => undefined);
  for (const name of names) {
    const metadata = { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } };
    await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
}

/** Returns a function that starts a manager in a separate process, which can be killed. */
export async function openWorkers(
  scope: Scope,
  kubeconfigText: string,
  shards = 0,
): Promise<(identity: string) => ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-leader-'));
  scope.defer(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigText);
  // Write the bundle into the package, so that it resolves its external dependencies.
  const script = join(import.meta.dirname, `.leader-process-${process.pid}-${shards}.mjs`);
  scope.defer(() => rm(script, { force: true }));
  await bundleScript(join(import.meta.dirname, 'leader-process.ts'), script);
  return (identity) => {
    const args = [script, kubeconfig, identity, namespace, String(shards)];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    scope.defer(() => void child.kill('SIGKILL'));
    return child;
  };
}
