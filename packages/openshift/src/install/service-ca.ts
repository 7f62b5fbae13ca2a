import { type Document, parseAllDocuments } from 'yaml';

const injectFrom = 'cert-manager.io/inject-ca-from';
/** Annotations that request a serving certificate and the CA bundle from OpenShift's service CA. */
const servingSecret = 'service.beta.openshift.io/serving-cert-secret-name';
const injectAuthority = 'service.beta.openshift.io/inject-cabundle';

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly secretName?: string; readonly dnsNames?: readonly string[] };
}

/** Components that the provider operator installs, and components that the release ships. */
export interface SplitComponents {
  readonly carried: string;
  readonly shipped: string;
}

/**
 * Converts the components of a provider for a cluster without cert-manager: OpenShift's service CA issues webhook certificates
 * into the Secrets that the Deployments already mount. The release ships Namespaces, Secrets, CRDs and roles, so that the
 * operator needs no permission to change CRDs or grant roles. Variables and quotes are preserved.
 */
export function splitComponents(components: string): SplitComponents {
  const documents = parseAllDocuments(components).filter((one): one is Document.Parsed => one.contents !== null);
  const manifests = documents.map((document) => ({ document, manifest: document.toJS() as Manifest }));
  const secrets = new Map(manifests.flatMap(({ manifest }) => certifiedServices(manifest)));
  const kept = manifests.filter(({ manifest }) => !isDropped(manifest));
  const shipped = kept.filter(({ manifest }) => isShipped(manifest));
  if (kept.length === manifests.length && shipped.length === 0) return { carried: components, shipped: '' };
  for (const { document, manifest } of kept) rewire(document, manifest, secrets);
  return { carried: textOf(kept.filter((each) => !shipped.includes(each))), shipped: textOf(shipped) };
}

function textOf(manifests: readonly { readonly document: Document.Parsed }[]): string {
  return manifests.map(({ document }) => document.toString({ lineWidth: 0 }).replace(/^---\n/, '')).join('---\n');
}

function isShipped({ apiVersion = '', kind }: Manifest): boolean {
  return kind === 'CustomResourceDefinition' || apiVersion.startsWith('rbac.authorization.k8s.io/');
}

function isCertManagers({ apiVersion = '' }: Manifest): boolean {
  return apiVersion.startsWith('cert-manager.io/');
}

function isDropped(manifest: Manifest): boolean {
  return isCertManagers(manifest) || manifest.kind === 'Namespace' || manifest.kind === 'Secret';
}

/** Returns the Services of the certificates, from the first label of their DNS names, with the Secrets. */
function certifiedServices(manifest: Manifest): readonly (readonly [string, string])[] {
  const { secretName, dnsNames = [] } = manifest.spec ?? {};
  if (!isCertManagers(manifest) || manifest.kind !== 'Certificate' || secretName === undefined) return [];
  return dnsNames.map((name) => [name.split('.')[0] ?? '', secretName] as const);
}

function rewire(document: Document.Parsed, { kind, metadata }: Manifest, secrets: ReadonlyMap<string, string>): void {
  const secret = kind === 'Service' ? secrets.get(metadata?.name ?? '') : undefined;
  if (secret !== undefined) document.setIn(['metadata', 'annotations', servingSecret], secret);
  if (metadata?.annotations?.[injectFrom] === undefined) return;
  document.deleteIn(['metadata', 'annotations', injectFrom]);
  document.setIn(['metadata', 'annotations', injectAuthority], 'true');
}
