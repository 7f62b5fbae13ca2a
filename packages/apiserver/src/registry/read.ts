import { badRequest, notFound } from '@slipway/kube';
import { Compacted } from '../storage/index.js';
import type {
  Answer,
  Caller,
  ListAnswer,
  ListOptions,
  ListRange,
  ResourceDefinition,
  ResourceVersionDefinition,
  Revision,
  StoredObject,
} from '../contract/index.js';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.js';
import type { RegistryDependencies } from './dependencies.js';
import { convertToServed, convertAllToServed } from './served-version.js';
import {
  checkVersionMatch,
  parseResourceVersion,
  tooOldResourceVersion,
  waitUntilVisible,
} from './resource-version.js';
import { parseSelection, type Selection } from './selection.js';

export interface ServedResource {
  readonly dependencies: RegistryDependencies;
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
  /** Open watches. They are ended cleanly when the definition is replaced. */
  readonly watches: Set<{ dispose(): void }>;
}

export function resourceName(definition: ResourceDefinition): { readonly group: string; readonly resource: string } {
  return { group: definition.group, resource: definition.plural };
}

export async function getObject(
  served: ServedResource,
  caller: Caller,
  namespace: string,
  name: string,
  resourceVersion: string | undefined,
): Promise<Answer> {
  const { dependencies, definition, version } = served;
  const atLeast = parseResourceVersion(resourceVersion, 'get');
  if (atLeast !== undefined && atLeast > dependencies.store.revision) {
    await waitUntilVisible(dependencies, atLeast, caller.signal);
  }
  const stored = dependencies.store.get({ resource: definition.storageResource, namespace, name });
  if (stored === undefined) throw notFound(resourceName(definition), name);
  return convertToServed(definition, version, stored);
}

export async function listObjects(
  served: ServedResource,
  caller: Caller,
  namespace: string,
  options: ListOptions,
): Promise<ListAnswer> {
  checkVersionMatch(options, false);
  const selection = parseSelection(served.definition, served.version, options);
  const page = await choosePage(served, caller, options);
  const range: ListRange = {
    resource: served.definition.storageResource,
    ...(namespaceOf(namespace, selection) === '' ? {} : { namespace: namespaceOf(namespace, selection) }),
    ...(page.after === undefined ? {} : { after: page.after }),
  };
  const candidates = readRange(served, range, page, selection);
  return selectPage(served, candidates, selection, page);
}

interface Page {
  /** Revision to read from history; undefined for the latest state. */
  readonly exact: Revision | undefined;
  readonly revision: Revision;
  readonly limit: number;
  readonly after?: ContinueToken['after'];
}

async function choosePage(served: ServedResource, caller: Caller, options: ListOptions): Promise<Page> {
  const { store } = served.dependencies;
  const limit = Math.max(options.limit ?? 0, 0);
  const requested = parseResourceVersion(options.resourceVersion, 'list');
  if (options.continue !== undefined && options.continue !== '') {
    const token = decodeContinue(options.continue);
    if (requested !== undefined && requested !== 0)
      throw badRequest('specifying resource version is not allowed when using continue');
    return nextPage(token, store.revision, limit);
  }
  if (requested !== undefined && requested > store.revision)
    await waitUntilVisible(served.dependencies, requested, caller.signal);
  const exact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === undefined && limit > 0 && (requested ?? 0) > 0);
  if (exact && requested !== undefined) return { exact: requested, revision: requested, limit };
  // Like upstream's watch cache, a list at resourceVersion "0" ignores the limit.
  return { exact: undefined, revision: store.revision, limit: requested === 0 ? 0 : limit };
}

function nextPage({ revision, after }: ContinueToken, latest: Revision, limit: number): Page {
  if (revision < 0) return { exact: undefined, revision: latest, limit, after };
  return { exact: revision, revision, limit, after };
}

function readRange(
  served: ServedResource,
  range: ListRange,
  page: Page,
  selection: Selection,
): readonly StoredObject[] {
  const { store } = served.dependencies;
  if (page.exact === undefined || page.exact === store.revision) {
    if (selection.name === undefined || (range.namespace === undefined && served.definition.namespaced))
      return store.list(range);
    const one = store.get({ resource: range.resource, namespace: range.namespace ?? '', name: selection.name });
    return one === undefined ? [] : [one];
  }
  try {
    return store.listAt(range, page.exact);
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    throw tooOldResourceVersion(
      error,
      range.after === undefined ? undefined : encodeContinue({ revision: -1, after: range.after }),
    );
  }
}

async function selectPage(
  served: ServedResource,
  candidates: readonly StoredObject[],
  selection: Selection,
  page: Page,
): Promise<ListAnswer> {
  const { definition, version } = served;
  const resourceVersion = String(page.revision);
  if (selection.everything) {
    const chosen = page.limit > 0 && candidates.length > page.limit ? candidates.slice(0, page.limit) : candidates;
    const items = await convertAllToServed(definition, version, chosen);
    const remaining = candidates.length - chosen.length;
    if (remaining === 0) return { items, resourceVersion, continue: '' };
    return { items, resourceVersion, continue: tokenAfter(chosen, page), remainingItemCount: remaining };
  }
  const items: Answer[] = [];
  const all = await convertAllToServed(definition, version, candidates);
  for (const [index, answer] of all.entries()) {
    if (!selection.matches(answer)) continue;
    if (page.limit > 0 && items.length === page.limit) {
      return { items, resourceVersion, continue: tokenAfter(candidates.slice(0, index), page) };
    }
    items.push(answer);
  }
  return { items, resourceVersion, continue: '' };
}

function tokenAfter(consumed: readonly StoredObject[], page: Page): string {
  const last = consumed.at(-1);
  if (last === undefined) throw new Error('a truncated page contains at least one object');
  return encodeContinue({ revision: page.revision, after: { namespace: last.key.namespace, name: last.key.name } });
}

function namespaceOf(namespace: string, selection: Selection): string {
  return namespace === '' ? (selection.namespace ?? '') : namespace;
}
