import type { Client, HttpClient, RequestOptions, Resource } from '@slipway/runtime';

/** A client with discovery. */
export type DiscoveringClient = Client & Pick<HttpClient, 'getRaw'>;

interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs?: readonly string[];
}

interface ServedGroups {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
}

/** Returns every resource that supports list and delete, in the version that the server prefers. */
export async function listResourceTypes(client: DiscoveringClient, options: RequestOptions = {}): Promise<Resource[]> {
  const { groups } = JSON.parse(await client.getRaw('/apis', options)) as ServedGroups;
  const places = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const found = await Promise.all(places.map((place) => typesAt(client, place, options)));
  return found.flat();
}

async function typesAt(client: DiscoveringClient, place: string, options: RequestOptions): Promise<Resource[]> {
  const [version = '', group = ''] = place.split('/').slice(2).reverse();
  const { resources } = JSON.parse(await client.getRaw(place, options)) as {
    readonly resources: readonly ServedResource[];
  };
  return resources
    .filter(({ name, verbs = [] }) => !name.includes('/') && verbs.includes('list') && verbs.includes('delete'))
    .map(({ name, kind, namespaced }) => ({ group, version, kind, plural: name, namespaced }));
}
