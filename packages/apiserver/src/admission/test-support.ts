import { type Clock, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { type Frozen, type KubeObject, type MutableJsonObject, type StatusError, isReason } from '@slipway/kube';
import { KeyPool } from '@slipway/pki';
import { ensureServerIdentity, type ServerIdentity } from '../auth/index.js';
import type { Caller, DeleteOptions, ResourceEndpoint, Store, UserInfo, WriteOptions } from '../contract/index.js';
import { KubernetesServer } from '../server/index.js';
import { openMemoryStore } from '../storage/index.js';
import type { ServiceResolver } from '../http/index.js';

let identity: Promise<ServerIdentity> | undefined;

/** Generates a server identity once for all tests, because generating keys is slow and not under test. */
function sharedIdentity(): Promise<ServerIdentity> {
  const files = new Map<string, string>();
  identity ??= ensureServerIdentity(
    {
      clock: systemClock,
      random: systemRandom,
      keys: new KeyPool({ size: 0 }),
      files: memoryFiles(files),
    },
    { keyAlgorithm: 'ECDSA' },
  );
  return identity;
}

function memoryFiles(files: Map<string, string>): Parameters<typeof ensureServerIdentity>[0]['files'] {
  return {
    read: (name: string) => Promise.resolve(files.get(name)),
    write: (name: string, text: string) => {
      files.set(name, text);
      return Promise.resolve();
    },
  };
}

const testUser: UserInfo = { username: 'alice', uid: 'u1', groups: ['system:masters', 'system:authenticated'] };

export interface TestServerOptions {
  readonly clock?: Clock;
  readonly resolveService?: ServiceResolver;
}

/** A complete in-memory server. Tests call it in process, without HTTP. */
export class TestServer {
  readonly warnings: string[] = [];
  readonly #caller: Caller;

  private constructor(
    readonly server: KubernetesServer,
    readonly store: Store,
  ) {
    this.#caller = {
      user: testUser,
      userAgent: 'test',
      signal: new AbortController().signal,
      warn: (text) => void this.warnings.push(text),
    };
  }

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const clock = options.clock ?? systemClock;
    const store = await openMemoryStore({ clock });
    const server = await KubernetesServer.start({
      store,
      clock,
      random: systemRandom,
      logger: silentLogger,
      identity: await sharedIdentity(),
      ...(options.resolveService === undefined ? {} : { resolveService: options.resolveService }),
    });
    return new TestServer(server, store);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.store.close();
  }

  async create(object: object, options: WriteOptions = {}): Promise<Frozen<KubeObject>> {
    const body = structuredClone(object) as KubeObject;
    const { namespace = '' } = body.metadata;
    const { answer } = await this.#endpoint(body).create(this.#caller, namespace, decoded(body), options);
    return answer.object;
  }

  async update(object: object, subresource = ''): Promise<Frozen<KubeObject>> {
    const body = structuredClone(object) as KubeObject;
    const { namespace = '', name = '' } = body.metadata;
    const { answer } = await this.#endpoint(body).update(this.#caller, namespace, name, decoded(body), {}, subresource);
    return answer.object;
  }

  async get(object: object): Promise<Frozen<KubeObject>> {
    const target = object as KubeObject;
    const { namespace = '', name = '' } = target.metadata;
    return (await this.#endpoint(target).get(this.#caller, namespace, name)).object;
  }

  async list(object: object): Promise<readonly Frozen<KubeObject>[]> {
    const target = object as KubeObject;
    const { items } = await this.#endpoint(target).list(this.#caller, target.metadata.namespace ?? '', {});
    return items.map((item) => item.object);
  }

  async delete(object: object, options: DeleteOptions = {}): Promise<void> {
    const target = object as KubeObject;
    const { namespace = '', name = '' } = target.metadata;
    await this.#endpoint(target).delete(this.#caller, namespace, name, options);
  }

  /** Deletes an object that an earlier test may have left. */
  async remove(object: object): Promise<void> {
    try {
      await this.delete(object);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  /** Creates an object that a controller may have created already. */
  async ensure(object: object): Promise<void> {
    try {
      await this.create(object);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  #endpoint(object: KubeObject): ResourceEndpoint {
    const [version = '', group = ''] = object.apiVersion.split('/').reverse();
    const endpoint = this.server.registry.endpointForKind(group, version, object.kind);
    if (endpoint === undefined) throw new Error(`${object.apiVersion} ${object.kind} is not served`);
    return endpoint;
  }
}

function decoded(object: KubeObject): { value: MutableJsonObject; duplicateKeys: readonly string[] } {
  return { value: object as unknown as MutableJsonObject, duplicateKeys: [] };
}

/** Returns the error of a rejected write without parts that differ between runs, or undefined if the write succeeds. */
export async function refusalOf(
  write: Promise<unknown>,
): Promise<{ code: number; reason: string; message: string } | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    const { code, reason, message } = error as StatusError;
    return { code, reason, message };
  }
}

export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels: Record<string, string> = {},
): KubeObject {
  const metadata = { name, namespace: 'default', labels: { ...testLabel, ...labels } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

/** Label that distinguishes objects of tests from objects that controllers create. */
const testLabel = { test: 'yes' };
export const testSelector = { matchLabels: testLabel };

/** Whether a test created the object. A controller keeps creating the ConfigMap `kube-root-ca.crt` in every namespace. */
export function isOfTest(object: Frozen<KubeObject>): boolean {
  return object.metadata.name !== 'kube-root-ca.crt';
}
