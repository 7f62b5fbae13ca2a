import { gunzipSync, gzipSync } from 'node:zlib';
import { isReason, parseApiVersion } from '@slipway/kube';
import { type Client, type ConfigMap, configMaps, ifPresent, namespaces, type Resource } from '@slipway/runtime';
import type { MoveGraph, MoveNode } from './graph.js';
import { MoveError } from './move-error.js';

/**
 * How far a move got. Up to `copying` the source is what counts, and a move that ended there is undone. From `switched` on
 * the target is, and a move that ended there is completed.
 */
type MovePhase = 'pausing' | 'copying' | 'switched';

/** An object of a move, so that it is found again without a look at what is left of the source. */
export interface JournalObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly namespace: string;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly stays: boolean;
  /** It was in the target before: it is not ours to take away again. */
  readonly wasThere: boolean;
  /** It was at rest before, and is to be so afterwards. */
  readonly wasPaused: boolean;
}

export interface Journal {
  readonly id: string;
  readonly phase: MovePhase;
  /** The uid of the target's kube-system. */
  readonly target: string;
  readonly startedAt: string;
  /** In the order in which they are made. */
  readonly objects: readonly JournalObject[];
}

const journalName = 'slipway-move';
const incomingName = 'slipway-move-incoming';
const journalKey = 'journal.json.gz';
const fieldManager = 'slipway-move';
/** Where the journal lies when all namespaces move. */
const namespaceDefault = 'default';

/** A cluster is the one whose kube-system has this uid, wherever it is reached. */
export async function clusterIdOf(client: Client): Promise<string> {
  const { metadata } = await client.get(namespaces, { namespace: '', name: 'kube-system' });
  return metadata.uid ?? '';
}

/**
 * What a move writes down in the source before it does it, so that the next one knows what this one did. Whoever writes takes
 * the journal over from others who have it: they cannot write any more, and so neither switch nor undo.
 */
export class JournalStore {
  readonly #client: Client;
  readonly #namespace: string;
  /** As it was last read or written by us. */
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

  /** Whose move into this cluster is not complete. */
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
  return new MoveError('OtherMove', 'another move has taken this one over', {
    remedy: 'run one move of these at a time; look how the other ended, and move again if it did not',
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
