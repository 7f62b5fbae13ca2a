import { isReason } from '@slipway/kube';
import {
  type ChangeExecutor,
  type ChosenControllers,
  configMaps,
  deployments,
  ifPresent,
  type Reader,
  type RequestOptions,
} from '@slipway/runtime';

/** The feature gates and settings with which controllers run, in the form of their flags. */
export interface ControllerConfiguration {
  /** The value of `--feature-gates`. */
  readonly featureGates: string;
  /** Values by flag name, without dashes. */
  readonly settings: Readonly<Record<string, string>>;
}

const key = { namespace: 'kube-public', name: 'slipway-controllers' };
const providerLabel = 'cluster.x-k8s.io/provider';
const fieldManager = 'slipway';

/** Writes the configuration of the embedded controllers to a ConfigMap, so that plans run with the same configuration. */
export async function publishConfiguration(
  writer: Pick<ChangeExecutor, 'change'>,
  chosen: Pick<ChosenControllers, 'featureGates'>,
  settings: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const featureGates = chosen.featureGates.entries().map(([name, open]) => `${name}=${open}`);
  const data = { featureGates: featureGates.join(','), settings: JSON.stringify(Object.fromEntries(settings)) };
  await writer.change({
    verb: 'apply',
    resource: configMaps,
    key,
    configuration: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key }, data },
    fieldManager,
    reason: 'ConfigurationPublished',
    message: 'Published the feature gates and settings of the controllers',
  });
}

/**
 * Reads the configuration of a management cluster from the ConfigMap of an embedded management plane or, without it, from the
 * arguments of the provider Deployments. Undefined if neither exists or is readable.
 */
export async function readConfiguration(
  reader: Pick<Reader, 'get' | 'list'>,
  request: RequestOptions = {},
): Promise<ControllerConfiguration | undefined> {
  return (await fromConfigMap(reader, request)) ?? (await fromDeployments(reader, request));
}

async function fromConfigMap(
  reader: Pick<Reader, 'get'>,
  request: RequestOptions,
): Promise<ControllerConfiguration | undefined> {
  const found = await ifReadable(ifPresent(reader.get(configMaps, key, request)));
  const { data } = (found ?? {}) as { readonly data?: Readonly<Record<string, string>> };
  if (data?.['featureGates'] === undefined) return undefined;
  return { featureGates: data['featureGates'], settings: settingsIn(data['settings'] ?? '{}') };
}

function settingsIn(text: string): Readonly<Record<string, string>> {
  try {
    const parsed = JSON.parse(text) as unknown;
    const entries = Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

interface PodTemplate {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly containers?: readonly { readonly args?: readonly string[] }[] } };
  };
}

async function fromDeployments(
  reader: Pick<Reader, 'list'>,
  request: RequestOptions,
): Promise<ControllerConfiguration | undefined> {
  const found = await ifReadable(reader.list(deployments, { ...request, labelSelector: providerLabel }));
  if (found === undefined || found.items.length === 0) return undefined;
  const args = found.items.flatMap((one) =>
    ((one as PodTemplate).spec?.template?.spec?.containers ?? []).flatMap((container) => container.args ?? []),
  );
  const flags = new Map<string, string[]>();
  for (const arg of args) {
    const [, name = '', value = 'true'] = /^--?([a-z0-9-]+)(?:=(.*))?$/.exec(arg) ?? [];
    if (name !== '') flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  const featureGates = (flags.get('feature-gates') ?? []).join(',');
  const settings = [...flags].flatMap(([name, [first = '']]): [string, string][] =>
    name === 'feature-gates' ? [] : [[name, first]],
  );
  return { featureGates, settings: Object.fromEntries(settings) };
}

/** Returns undefined if the caller may not read the object, or the server does not serve Deployments. */
async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isReason(error, 'Forbidden') || isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
