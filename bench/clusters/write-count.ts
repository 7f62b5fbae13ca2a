import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeCounts, changesPath, type HttpClient, type Resource } from '@slipway/runtime';
import { launchFleet, objectsOfCluster } from './fleet.js';

/** Writes of one launch: as the API server stored them, and as the change feed reports them. */
export interface WriteCount {
  readonly clusters: number;
  /** Stored writes, counted by watches on every resource, without those of the benchmark itself. */
  readonly stored: number;
  /** Records of the change feed that report a write that changed an object. */
  readonly recorded: number;
  /** Records of the change feed without a reason or a message. */
  readonly unexplained: number;
}

const quietMs = 2_000;

/**
 * Launches clusters with a watch on every resource, and counts writes. Not part of the measured rounds, because the watches take
 * time.
 */
export async function countWrites(client: HttpClient, clusters: number, limitMs: number): Promise<WriteCount> {
  const before = await settledCounts(client);
  const stopping = new AbortController();
  const watches = await watchAll(client, stopping.signal);
  try {
    await launchFleet(client, 0, clusters, limitMs);
    const after = await settledCounts(client, () => watches.stored());
    return {
      clusters,
      stored: watches.stored() - clusters * objectsOfCluster,
      recorded: after.written - before.written,
      unexplained: after.unexplained - before.unexplained,
    };
  } finally {
    stopping.abort();
  }
}

/** Returns the counts once no write and no watch event has occurred for a while. */
async function settledCounts(client: HttpClient, stored: () => number = () => 0): Promise<ChangeCounts> {
  for (let known = ''; ; ) {
    const { published, counts } = JSON.parse(await client.getRaw(changesPath)) as {
      readonly published: number;
      readonly counts: ChangeCounts;
    };
    const seen = `${published} ${stored()}`;
    if (seen === known) return counts;
    known = seen;
    await pause(quietMs);
  }
}

async function watchAll(client: HttpClient, signal: AbortSignal): Promise<{ stored(): number }> {
  let stored = 0;
  const follow = async (resource: Resource): Promise<void> => {
    const { resourceVersion } = await client.list(resource);
    await new Promise<void>((resolve, reject) => {
      const read = async (): Promise<void> => {
        for await (const events of client.watch(resource, { resourceVersion, signal, onOpen: resolve }))
          for (const { type } of events) if (type !== 'BOOKMARK') stored += 1;
      };
      read().catch((error: unknown) => (signal.aborted ? resolve() : reject(error as Error)));
    });
  };
  await Promise.all((await watchedResources(client)).map(follow));
  return { stored: () => stored };
}

interface Group {
  readonly name: string;
  readonly preferredVersion: { readonly version: string };
}

interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * Returns every stored resource once, in its preferred version. The Event kinds of both groups are the same objects, so one is
 * left out.
 */
async function watchedResources(client: HttpClient): Promise<readonly Resource[]> {
  const { groups } = JSON.parse(await client.getRaw('/apis')) as { readonly groups: readonly Group[] };
  const paths = groups.filter(({ name }) => name !== 'events.k8s.io');
  const served = [
    { group: '', version: 'v1', path: '/api/v1' },
    ...paths.map(({ name, preferredVersion: { version } }) => ({
      group: name,
      version,
      path: `/apis/${name}/${version}`,
    })),
  ];
  const lists = await Promise.all(
    served.map(async ({ group, version, path }) => {
      const { resources } = JSON.parse(await client.getRaw(path)) as { readonly resources: readonly ServedResource[] };
      return resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('watch'))
        .map(({ name, kind, namespaced }) => ({ group, version, kind, plural: name, namespaced }));
    }),
  );
  return lists.flat();
}
