import { gunzipSync, gzipSync } from 'node:zlib';
import { isReason, parseApiVersion } from '@slipway/kube';
import { type Client, type ConfigMap, configMaps, ifPresent, namespaces, type Resource } from '@slipway/runtime';
import type { MoveGraph, MoveNode } from './graph.js';
import { MoveError } from './move-error.js';

/**
 * The progress of a move. Up to `copying` the source is authoritative, and an interrupted move is rolled back. After
 * that, the target is authoritative, and an interrupted move is completed.
 */
type MovePhase = 'pausing' | 'copying' | 'switched';

/** Journal entry of a moved object. A resumed move continues from it without reading the source again. */
export interface JournalObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly namespace: string;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly stays: boolean;
  /** Whether the object already existed in the target. If so, a rollback keeps it. */
  readonly wasThere: boolean;
  /** Whether the object was already paused. If so, it stays paused. */
  readonly wasPaused: boolean;
}

export interface Journal {
  readonly id: string;
  readonly phase: MovePhase;
  /** UID of the target's kube-system namespace. */
  readonly target: string;
  readonly startedAt: string;
  /** The objects in creation order. */
  readonly objects: readonly JournalObject[];
}

const journalName = 'slipway-move';
const incomingName = 'slipway-move-incoming';
const journalKey = 'journal.json.gz';
const fieldManager = 'slipway-move';
/** The namespace of the journal if all namespaces are moved. */
const namespaceDefault = 'default';

/** Identifies a cluster by the uid of its kube-system namespace, independent of its address. */
export async function clusterIdOf(client: Client): Promise<string> {
  const { metadata } = await client.get(namespaces, { namespace: '', name: 'kube-system' });
  return metadata.uid ?? '';
}

/**
 * The journal of a move in the source cluster. Each step is recorded before it is executed, so that a later run can continue.
 * The last writer owns the journal: earlier owners get a conflict and can neither switch nor roll back.
 */
export class JournalStore {
  readonly #client: Client;
  readonly #namespace: string;
  /** The resourceVersion that this process last read or wrote. */
  #version: string | undefined;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace === '' ? namespaceDefault : namespace;
  }

  async read(): Promise<Journal | undefined> {
    const stored = await this.#find(journalName);
    this.#version = stored?.metadata.resourceVersion;
    const packed = stored?.binaryData?.[journalKey];
    if (packed === undefined) return undefined;
    return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Journal;
  }

  async write(journal: Journal): Promise<void> {
    const packed = gzipSync(JSON.stringify(journal)).toString('base64');
    const resourceVersion = this.#version;
    const object: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: this.#namespace, name: journalName, ...(resourceVersion && { resourceVersion }) },
      data: { id: journal.id, phase: journal.phase },
      binaryData: { [journalKey]: packed },
    };
    const options = { fieldManager };
    try {
      const written = await (resourceVersion === undefined
        ? this.#client.create(configMaps, object, options)
        : this.#client.update(configMaps, object, options));
      this.#version = written.metadata.resourceVersion;
    } catch (error) {
      const isTaken = (['AlreadyExists', 'Conflict', 'NotFound'] as const).some((reason) => isReason(error, reason));
      throw isTaken ? takenOver(error) : error;
    }
  }

  async remove(): Promise<void> {
    const preconditions = this.#version === undefined ? {} : { resourceVersion: this.#version };
    try {
      await ifPresent(
        this.#client.delete(configMaps, { namespace: this.#namespace, name: journalName }, { preconditions }),
      );
    } catch (error) {
      throw isReason(error, 'Conflict') ? takenOver(error) : error;
    }
    this.#version = undefined;
  }

  /** Returns the source of an incomplete move into this cluster. */
  async incoming(): Promise<string | undefined> {
    return (await this.#find(incomingName))?.data?.['id'];
  }

  async announce(id: string): Promise<void> {
    const key = { namespace: this.#namespace, name: incomingName };
    const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { id } };
    await this.#client.apply(configMaps, key, configuration as never, { fieldManager, force: true });
  }

  async withdraw(): Promise<void> {
    await ifPresent(this.#client.delete(configMaps, { namespace: this.#namespace, name: incomingName }));
  }

  #find(name: string): Promise<(Awaited<ReturnType<Client['get']>> & ConfigMap) | undefined> {
    return ifPresent(this.#client.get(configMaps, { namespace: this.#namespace, name })) as never;
  }
}

function takenOver(cause: unknown): MoveError {
  return new MoveError('OtherMove', 'another process took over this move', {
    remedy: 'run only one move at a time; check the result of the other move, and run the move again if it failed',
    cause,
  });
}

export function journalObjects(
  { levels }: MoveGraph,
  facts: (node: MoveNode) => Pick<JournalObject, 'wasThere' | 'wasPaused'>,
): JournalObject[] {
  return levels.flat().map((node) => ({
    apiVersion: node.object.apiVersion,
    kind: node.object.kind,
    plural: node.resource.plural,
    namespaced: node.resource.namespaced,
    namespace: node.namespace,
    name: node.name,
    isGlobal: node.isGlobal,
    stays: node.stays,
    ...facts(node),
  }));
}

export function resourceOfJournal({ apiVersion, kind, plural, namespaced }: JournalObject): Resource {
  return { ...parseApiVersion(apiVersion), kind, plural, namespaced };
}
