import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configMaps, ifPresent } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { fetchText } from '../fetch/index.js';
import { openRegistry, type RepositoryDependencies } from '../repository/index.js';

export interface ConfigMapReference {
  readonly name: string;
  /** Defaults to the namespace of the kubeconfig context. */
  readonly namespace?: string;
  /** Defaults to `template`. */
  readonly key?: string;
}

/** Reads a file, an https URL, a file on GitHub, or an OCI artifact: `oci://host/repository:tag#file`. */
export async function readTemplateFrom(url: string, dependencies: RepositoryDependencies): Promise<string> {
  const [, scheme = ''] = /^([a-z]+):\/\//.exec(url) ?? [];
  if (scheme === '') return readLocal(url);
  if (scheme === 'file') return readLocal(fileURLToPath(url));
  if (scheme === 'oci') return readArtifact(url, dependencies);
  if (scheme !== 'https')
    throw new ClusterctlError(`unable to read content from "${url}"`, {
      remedy: 'supported sources: files, https:// and oci:// URLs, ConfigMaps and standard input (-)',
    });
  const text = await fetchText(rawAddress(url), dependencies);
  if (text === undefined) throw new ClusterctlError(`template ${url} not found`);
  return text;
}

async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'EISDIR'
        ? `invalid path: file "${path}" is actually a directory`
        : `failed to read file "${path}": ${code ?? ''}`;
    throw new ClusterctlError(problem, { cause: error });
  }
}

/** Converts the URL of a GitHub page to that of the raw file. */
function rawAddress(url: string): string {
  const [, owner, repository, path] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(url) ?? [];
  return owner === undefined ? url : `https://raw.githubusercontent.com/${owner}/${repository}/${path}`;
}

const artifactFile = 'cluster-template.yaml';

async function readArtifact(url: string, dependencies: RepositoryDependencies): Promise<string> {
  const [, host = '', repository = '', tag = '', file = artifactFile] =
    /^oci:\/\/([^/]+)\/([^:#]+):([^#]+)(?:#(.+))?$/.exec(url) ?? [];
  if (repository === '')
    throw new ClusterctlError(`invalid template URL "${url}": it must be in the form oci://host/repository:tag#file`);
  const text = await openRegistry(host, dependencies).readFile(repository, tag, file);
  if (text === undefined) throw new ClusterctlError(`file ${file} not found in ${host}/${repository}:${tag}`);
  return text;
}

export async function readTemplateConfigMap(
  reference: ConfigMapReference,
  dependencies: RepositoryDependencies,
): Promise<string> {
  const management = await dependencies.management();
  if (management === undefined)
    throw new ClusterctlError('management cluster not available: cannot read the template from a ConfigMap');
  const { name, namespace = management.namespace, key = 'template' } = reference;
  const found = await ifPresent(management.client.get(configMaps, { namespace, name }));
  if (found === undefined) throw new ClusterctlError(`error reading ConfigMap ${namespace}/${name}: not found`);
  const text = found.data?.[key];
  if (text !== undefined) return text;
  throw new ClusterctlError(`the ConfigMap ${namespace}/${name} does not have the "${key}" data key`, {
    remedy: `existing keys: ${Object.keys(found.data ?? {}).join(', ') || 'none'}; select one with --from-config-map-key`,
  });
}
