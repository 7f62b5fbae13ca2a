import { cloneJson, type KubeObject } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';
import { isNamespacedKind } from '../template/namespaced.js';

/** Returns the Namespace in the components. Undefined if there is none. */
export function ownNamespace(objects: readonly KubeObject[]): string | undefined {
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
  if (namespaces.length > 1)
    throw new ClusterctlError(
      'Invalid manifest. There should be no more than one resource with Kind Namespace in the provider components yaml',
    );
  return namespaces[0]?.metadata.name;
}

interface ServiceReference {
  namespace?: string;
}

interface ClientConfig {
  service?: ServiceReference;
}

type Referring = KubeObject & {
  subjects?: { namespace?: string }[];
  webhooks?: { clientConfig?: ClientConfig }[];
  spec?: { conversion?: { webhook?: { clientConfig?: ClientConfig } }; dnsNames?: string[] };
};

const injectFrom = 'cert-manager.io/inject-ca-from';

/** Moves an object, including its references to the provider's namespace, to another namespace. */
export function moveToNamespace(object: KubeObject, namespace: string): KubeObject {
  const moved = cloneJson(object) as Referring;
  const before = moved.metadata.namespace ?? '';
  if (moved.kind === 'Namespace') moved.metadata.name = namespace;
  if (isNamespacedKind(moved.kind)) moved.metadata.namespace = namespace;
  if (moved.kind.endsWith('RoleBinding')) moveSubjects(moved, namespace);
  for (const { clientConfig } of moved.webhooks ?? []) point(clientConfig, namespace);
  if (moved.kind === 'CustomResourceDefinition') point(moved.spec?.conversion?.webhook?.clientConfig, namespace);
  moveInjection(moved, namespace);
  if (moved.kind === 'Certificate' && moved.spec?.dnsNames !== undefined) {
    moved.spec.dnsNames = moved.spec.dnsNames.map((name) => name.replace(`.${before}.`, `.${namespace}.`));
  }
  return moved;
}

function moveSubjects({ subjects = [] }: Referring, namespace: string): void {
  for (const subject of subjects) if ((subject.namespace ?? '') !== '') subject.namespace = namespace;
}

function point(clientConfig: ClientConfig | undefined, namespace: string): void {
  if (clientConfig?.service !== undefined) clientConfig.service.namespace = namespace;
}

function moveInjection({ kind, metadata }: KubeObject, namespace: string): void {
  const reference = metadata.annotations?.[injectFrom];
  if (reference === undefined || metadata.annotations === undefined) return;
  const [, name, ...rest] = reference.split('/');
  if (name === undefined || rest.length > 0)
    throw new ClusterctlError(`object ${kind} ${metadata.name ?? ''} does not have a correct value for ${injectFrom}`);
  metadata.annotations[injectFrom] = `${namespace}/${name}`;
}
