import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringifyYamlInOrder } from '@slipway/kube';
import { parse } from 'yaml';
import { CliError, onFile, systemCode } from '../errors/index.js';
import { makeDirectory } from '../instance/index.js';

interface Named {
  readonly name?: unknown;
}

interface Kubeconfig {
  readonly kind?: unknown;
  readonly clusters?: readonly Named[] | null;
  readonly contexts?: readonly Named[] | null;
  readonly users?: readonly Named[] | null;
  readonly 'current-context'?: unknown;
}

/**
 * Writes a kubeconfig with mode 0600. Keeps other clusters, users and contexts of an existing file: the path can be
 * `~/.kube/config`.
 */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  await onFile('write the kubeconfig', path, async () => {
    const present = await readPresent(path);
    const merged = present === undefined ? text : mergeKubeconfig(path, present, text);
    await makeDirectory(dirname(path));
    const partial = `${path}.${process.pid}.partial`;
    try {
      await writeFile(partial, merged, { mode: 0o600 });
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  });
}

async function readPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Merges two kubeconfigs. Entries of the same name are replaced, and the new context becomes current. */
export function mergeKubeconfig(path: string, present: string, added: string): string {
  if (present.trim() === '') return added;
  const old = readKubeconfig(path, present);
  const own = parse(added) as Kubeconfig;
  const merged = {
    ...old,
    clusters: mergeNamed(old.clusters, own.clusters),
    contexts: mergeNamed(old.contexts, own.contexts),
    'current-context': own['current-context'],
    users: mergeNamed(old.users, own.users),
  };
  return stringifyYamlInOrder(merged);
}

function readKubeconfig(path: string, text: string): Kubeconfig {
  const value: unknown = parseOrUndefined(text);
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Config') return value;
  throw new CliError(`${path} exists and is not a kubeconfig: the file was not changed`, {
    remedy: 'choose another file with --kubeconfig, or move this one away',
  });
}

function parseOrUndefined(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function mergeNamed(
  old: readonly Named[] | null | undefined,
  added: readonly Named[] | null | undefined,
): readonly Named[] {
  const names = new Set(added?.map(({ name }) => name));
  return [...(old ?? []).filter(({ name }) => !names.has(name)), ...(added ?? [])];
}
