import { ClusterctlError } from '../clusterctl-error.js';
import { findInstalled, listInstalled, onlyProvider } from '../inventory/index.js';
import { type ProviderConfig, parseProviderReference } from '../provider/index.js';
import { openRepository, type ProviderRepository, type RepositoryDependencies } from '../repository/index.js';
import { withMissingClasses } from './cluster-classes.js';
import { type ClusterTemplate, renderTemplate } from './cluster-template.js';
import { type ConfigMapReference, readTemplateConfigMap, readTemplateFrom } from './read-template.js';
import { type ClusterValues, setClusterValues } from './template-values.js';

/** The source of a template. */
export type TemplateSource =
  | { readonly from: 'provider'; readonly infrastructure?: string; readonly flavor?: string }
  | { readonly from: 'url'; readonly url: string }
  | { readonly from: 'text'; readonly text: string }
  | { readonly from: 'config-map'; readonly reference: ConfigMapReference };

export interface GenerateClusterOptions extends Omit<ClusterValues, 'namespace'> {
  readonly source: TemplateSource;
  /** Defaults to the namespace of the kubeconfig context. */
  readonly targetNamespace?: string;
  readonly variablesOnly?: boolean;
}

export interface GeneratedCluster extends ClusterTemplate {
  readonly namespace: string;
}

const defaultNamespace = 'default';

/** Generates the objects of a new cluster from a template. */
export async function generateCluster(
  options: GenerateClusterOptions,
  dependencies: RepositoryDependencies,
): Promise<GeneratedCluster> {
  const { source } = options;
  const namespace = options.targetNamespace ?? (await dependencies.management())?.namespace ?? defaultNamespace;
  setClusterValues(dependencies.config, { ...options, namespace });
  const rendering = {
    lookup: dependencies.config.lookup,
    targetNamespace: namespace,
    variablesOnly: options.variablesOnly ?? false,
  };
  if (source.from !== 'provider')
    return { ...renderTemplate(await readText(source, dependencies), rendering), namespace };
  const { repository, version } = await chooseRelease(source.infrastructure, dependencies);
  const text = await readFlavor(repository, version, source.flavor ?? '');
  const template = renderTemplate(text, rendering);
  return { ...(await withMissingClasses(template, repository, version, rendering, dependencies)), namespace };
}

function readText(
  source: Exclude<TemplateSource, { readonly from: 'provider' }>,
  dependencies: RepositoryDependencies,
): Promise<string> {
  if (source.from === 'text') return Promise.resolve(source.text);
  return source.from === 'url'
    ? readTemplateFrom(source.url, dependencies)
    : readTemplateConfigMap(source.reference, dependencies);
}

interface ChosenRelease {
  readonly repository: ProviderRepository;
  readonly version: string;
}

/** Returns the requested provider and version, or the installed ones. */
async function chooseRelease(
  infrastructure: string | undefined,
  dependencies: RepositoryDependencies,
): Promise<ChosenRelease> {
  const type = 'InfrastructureProvider';
  const reference = infrastructure === undefined ? undefined : parseProviderReference(infrastructure);
  const management = reference?.version === undefined ? await dependencies.management() : undefined;
  const installed = management === undefined ? [] : await listInstalled(management.client);
  const name = reference?.name ?? onlyProvider(installed, type);
  if (name === undefined) throw noProvider(management === undefined, dependencies.config.providers);
  const provider = dependencies.config.provider(name, type);
  const repository = await openRepository(provider, dependencies);
  // Use the templates of the installed version, or of the latest if the provider is not installed.
  const version = reference?.version ?? findInstalled(installed, provider)?.version ?? repository.defaultVersion;
  return { repository, version };
}

function noProvider(unreachable: boolean, known: readonly ProviderConfig[]): ClusterctlError {
  const names = known.filter(({ type }) => type === 'InfrastructureProvider').map(({ name }) => name);
  const problem = unreachable
    ? 'management cluster not available. Cannot auto-discover default infrastructure provider'
    : 'failed to identify the default infrastructure provider';
  return new ClusterctlError(`${problem}. Please specify an infrastructure provider`, {
    remedy: `set --infrastructure to one of: ${names.join(', ')}`,
  });
}

async function readFlavor(repository: ProviderRepository, version: string, flavor: string): Promise<string> {
  const file = flavor === '' ? 'cluster-template.yaml' : `cluster-template-${flavor}.yaml`;
  return repository.read(version, file);
}
