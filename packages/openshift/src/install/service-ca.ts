import { type Document, parseAllDocuments } from 'yaml';

const injectFrom = 'cert-manager.io/inject-ca-from';
/** Annotations by which OpenShift's service CA is asked: for a certificate, and for its authority. */
const servingSecret = 'service.beta.openshift.io/serving-cert-secret-name';
const injectAuthority = 'service.beta.openshift.io/inject-cabundle';

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly secretName?: string; readonly dnsNames?: readonly string[] };
}

/** What the provider operator installs, and what comes with the release itself. */
export interface SplitComponents {
  readonly carried: string;
  readonly shipped: string;
}

/**
 * The components of a provider for a cluster without cert-manager: certificates of webhooks come from OpenShift's service CA,
 * into the Secrets that the Deployments mount already. Namespaces and Secrets are the release's to ship, and so are definitions
 * and roles: whoever installs the rest needs no right to change the one or to give the other. Variables and quotes stay as they
 * are written.
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

/** A certificate is for the Service that its names begin with. */
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
