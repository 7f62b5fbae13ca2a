import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type ControllerContext,
  type Index,
  type Informer,
  InformerFactory,
  keyOf,
  keyText,
  type ObjectKey,
  type Reader,
  type RequestOptions,
  secrets,
  type Sources,
} from '@slipway/runtime';
import {
  type VSphereCluster,
  type VSphereClusterIdentity,
  vsphereClusterIdentities,
  vsphereClusters,
} from '../../api/index.js';
import { type CredentialsRead, readCredentials, type VCenterCredentials } from './read-secret.js';

/**
 * Reports creation, change and deletion of Secrets. The watch is metadata-only. Only Secrets with credentials are read, once for
 * each resourceVersion.
 */
export class CredentialsWatch implements Disposable {
  readonly #factory: InformerFactory;
  readonly #namespace: string;
  readonly #read = new Map<string, CredentialsRead>();

  constructor(context: Pick<ControllerContext, 'client' | 'clock' | 'random' | 'logger' | 'namespace'>) {
    // The members are listed one by one: they are on the prototype of the context, which a spread does not copy.
    const { client, clock, random, logger, namespace } = context;
    this.#factory = new InformerFactory({ client, clock, random, logger });
    this.#namespace = namespace;
  }

  subscribe(notify: (secret: ObjectKey) => void): Disposable {
    const changed = (secret: Frozen<KubeObject>): void => notify(keyOf(secret));
    const deleted = (secret: Frozen<KubeObject>): void => {
      this.#read.delete(keyText(keyOf(secret)));
      changed(secret);
    };
    return this.#informer().addHandler({ added: changed, updated: changed, deleted });
  }

  /**
   * Returns the content of a Secret, which is cached until the watch reports another version. If the read returns a newer version
   * than the watch has seen, the watch reports that change later.
   */
  async read(reader: Reader, key: ObjectKey, options: RequestOptions): Promise<VCenterCredentials> {
    const text = keyText(key);
    const version = this.#informer().get(key)?.metadata.resourceVersion;
    const existing = this.#read.get(text);
    if (existing !== undefined && existing.version === version) return existing.credentials;
    const read = await readCredentials(reader, key, options);
    this.#read.set(text, read);
    return read.credentials;
  }

  async dispose(): Promise<void> {
    this.#read.clear();
    await this.#factory.dispose();
  }

  #informer(): Informer {
    return this.#factory.metadataInformer(secrets, this.#namespace === '' ? {} : { namespace: this.#namespace });
  }
}

const nameOf = (kind: string, namespace: string, name: string): string => `${kind} ${namespace}/${name}`;

/** Indexes VSphereClusters by the source of their credentials. */
const identityIndex: Index<VSphereCluster> = {
  name: 'vsphere identity',
  valuesOf({ metadata, spec }) {
    if (spec.identityRef === undefined) return [];
    const { kind, name } = spec.identityRef;
    return [nameOf(kind, kind === 'Secret' ? (metadata.namespace ?? '') : '', name)];
  },
};

/** Indexes identities by their Secret in the namespace of the manager. */
const secretNameIndex: Index<VSphereClusterIdentity> = {
  name: 'vsphere identity secret',
  valuesOf: ({ spec }) => [spec.secretName],
};

export function clustersOfIdentity(sources: Sources, name: string): ObjectKey[] {
  return sources
    .sourceFor(vsphereClusters)
    .byIndex(identityIndex, nameOf('VSphereClusterIdentity', '', name))
    .map((one) => keyOf(one as Frozen<VSphereCluster>));
}

export function identitiesOfSecret(sources: Sources, controllerNamespace: string, secret: ObjectKey): ObjectKey[] {
  if (secret.namespace !== controllerNamespace) return [];
  return sources
    .sourceFor(vsphereClusterIdentities)
    .byIndex(secretNameIndex, secret.name)
    .map((one) => keyOf(one as Frozen<VSphereClusterIdentity>));
}

/** The VSphereClusters that log in with a Secret, directly or through an identity. */
export function clustersOfSecret(sources: Sources, controllerNamespace: string, secret: ObjectKey): ObjectKey[] {
  const own = sources
    .sourceFor(vsphereClusters)
    .byIndex(identityIndex, nameOf('Secret', secret.namespace, secret.name))
    .map((one) => keyOf(one as Frozen<VSphereCluster>));
  const identities = identitiesOfSecret(sources, controllerNamespace, secret);
  return [...own, ...identities.flatMap(({ name }) => clustersOfIdentity(sources, name))];
}
