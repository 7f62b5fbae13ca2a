import type { Disposable } from '@slipway/base';
import type { Store, StoreWatch, UserInfo } from '../../contract/index.js';
import type { RequestInfo } from '../request-info.js';
import { defaultLevels, defaultSchemas } from './default-levels.js';
import { FairPool, type PoolLimits } from './fair-pool.js';
import { type FlowSchema, matchesSchema, type PriorityLevel } from './flow-objects.js';

const group = 'flowcontrol.apiserver.k8s.io';
const schemaResource = `${group}/flowschemas`;
const levelResource = `${group}/prioritylevelconfigurations`;

/** Seats of all priority levels together: the defaults of kube-apiserver's --max-requests-inflight and --max-mutating-requests-inflight. */
const serverSeats = 600;
const precedenceDefault = 1_000;
const queuingDefault = { handSize: 8, queueLengthLimit: 50 };

/** The FlowSchema and the priority level of a request. */
export interface Assignment {
  readonly schemaUid: string;
  readonly levelUid: string;
  /** Seats of the level; undefined if the level is exempt. */
  readonly pool: FairPool | undefined;
  /** Requests with the same flow share a queue. */
  readonly flow: string;
}

/**
 * Assigns requests to the priority levels of the stored FlowSchema and PriorityLevelConfiguration objects. The
 * FlowSchemas that kube-apiserver has from the start take part in matching, so that precedence works as in
 * kube-apiserver.
 */
export class PriorityLevels implements Disposable {
  readonly #watches: readonly StoreWatch[];
  readonly #pools = new Map<string, { readonly limits: string; readonly pool: FairPool }>();
  #schemas: readonly FlowSchema[] | undefined;
  #levels: ReadonlyMap<string, PriorityLevel> | undefined;

  constructor(private readonly store: Store) {
    const forget = (): void => {
      this.#schemas = undefined;
      this.#levels = undefined;
    };
    this.#watches = [schemaResource, levelResource].map((resource) =>
      store.watch({ resource }, store.revision, forget),
    );
  }

  dispose(): void {
    for (const watch of this.#watches) watch.dispose();
  }

  /** Returns undefined if no stored object selects the request: it then uses the server's own limits. */
  assign(info: RequestInfo, user: UserInfo): Assignment | undefined {
    const levels = (this.#levels ??= this.#readLevels());
    const schemas = (this.#schemas ??= this.#readSchemas());
    // Skip FlowSchemas whose priority level does not exist, like upstream.
    const schema = schemas.find(
      (one) => levels.has(one.spec.priorityLevelConfiguration.name) && matchesSchema(one, user, info),
    );
    const level = levels.get(schema?.spec.priorityLevelConfiguration.name ?? '');
    if (schema?.metadata.uid === undefined || level === undefined) return undefined;
    const { uid: levelUid = '' } = level.metadata;
    const flow = `${schema.metadata.name} ${distinguisher(schema, info, user)}`;
    return { schemaUid: schema.metadata.uid, levelUid, pool: this.#poolOf(level, levels), flow };
  }

  #poolOf(level: PriorityLevel, levels: ReadonlyMap<string, PriorityLevel>): FairPool | undefined {
    if (level.spec.type === 'Exempt') return undefined;
    const { name = '' } = level.metadata;
    const limits = limitsOf(level, levels);
    const key = JSON.stringify(limits);
    const known = this.#pools.get(name);
    if (known?.limits === key) return known.pool;
    // Requests that hold seats of the replaced pool release them there.
    const pool = new FairPool(limits);
    this.#pools.set(name, { limits: key, pool });
    return pool;
  }

  #readSchemas(): FlowSchema[] {
    const stored = this.#read<FlowSchema>(schemaResource);
    const names = new Set(stored.map(({ metadata }) => metadata.name));
    return [...stored, ...defaultSchemas.filter(({ metadata }) => !names.has(metadata.name))].toSorted(
      (left, right) =>
        precedenceOf(left) - precedenceOf(right) || ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1),
    );
  }

  #readLevels(): ReadonlyMap<string, PriorityLevel> {
    const all = [...defaultLevels, ...this.#read<PriorityLevel>(levelResource)];
    return new Map(all.map((level) => [level.metadata.name ?? '', level]));
  }

  #read<T>(resource: string): T[] {
    return this.store.list({ resource }).map(({ object }) => object as unknown as T);
  }
}

function precedenceOf({ spec }: FlowSchema): number {
  return spec.matchingPrecedence ?? precedenceDefault;
}

function distinguisher({ spec }: FlowSchema, info: RequestInfo, user: UserInfo): string {
  if (spec.distinguisherMethod?.type === 'ByUser') return user.username;
  return spec.distinguisherMethod?.type === 'ByNamespace' ? info.namespace : '';
}

/**
 * Returns the limits of a level: its share of the server's seats, and what it may borrow from other levels. Unlike upstream,
 * borrowed seats do not depend on the current use of the other levels.
 */
function limitsOf({ metadata, spec }: PriorityLevel, levels: ReadonlyMap<string, PriorityLevel>): PoolLimits {
  const limited = [...levels.values()].filter((level) => level.spec.type === 'Limited');
  const shares = limited.reduce((sum, level) => sum + sharesOf(level), 0);
  const nominal = (level: PriorityLevel): number => Math.ceil((serverSeats * sharesOf(level)) / Math.max(shares, 1));
  const own = nominal({ metadata, spec });
  const lendable = limited
    .filter((level) => level.metadata.name !== metadata.name)
    .reduce((sum, level) => sum + Math.round((nominal(level) * (level.spec.limited?.lendablePercent ?? 0)) / 100), 0);
  const { borrowingLimitPercent, limitResponse } = spec.limited ?? {};
  const borrowed = Math.round((own * (borrowingLimitPercent ?? Infinity)) / 100);
  const seats = own + Math.min(lendable, borrowed);
  const { handSize, queueLengthLimit } = { ...queuingDefault, ...limitResponse?.queuing };
  const queuePerFlow = limitResponse?.type === 'Queue' ? handSize * queueLengthLimit : 0;
  return { seats, seatsPerFlow: seats, queuePerFlow };
}

function sharesOf({ spec }: PriorityLevel): number {
  return spec.limited?.nominalConcurrencyShares ?? 30;
}
