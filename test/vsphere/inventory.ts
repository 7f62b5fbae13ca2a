import { ClusterModules, Finder, type ObjectRef, retrieveOne, type VimSession } from '@slipway/vsphere';
import { searchBelow } from '../../packages/vsphere/src/vim25/find/inventory.js';
import { inventoryKinds } from '../../packages/vsphere/src/vim25/find/reference.js';

const tagging = '/rest/com/vmware/cis/tagging';

/** All objects that a manager could leave behind in a vCenter, by name. */
export interface Inventory {
  readonly machines: readonly string[];
  readonly folders: readonly string[];
  readonly resourcePools: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly modules: readonly string[];
}

export async function inventoryOf(session: VimSession): Promise<Inventory> {
  const finder = new Finder(session.soap, 'DC0');
  const below = async (kind: 'virtualMachine' | 'folder' | 'resourcePool'): Promise<string[]> => {
    const folder = await finder.typedFolder(kind);
    const found = await searchBelow(session.soap, folder, inventoryKinds[kind], () => true, {});
    return found.map(({ name }) => name).sort();
  };
  const identifiers = async (what: 'tag' | 'category'): Promise<string[]> =>
    ((await session.rest.call({ method: 'GET', path: `${tagging}/${what}` })) as string[] | null) ?? [];
  return {
    machines: await below('virtualMachine'),
    folders: await below('folder'),
    resourcePools: await below('resourcePool'),
    tags: (await identifiers('tag')).sort(),
    categories: (await identifiers('category')).sort(),
    modules: (await new ClusterModules(session.rest).list()).map(({ module }) => module).sort(),
  };
}

/** Returns the sessions of all users, including the test. */
export async function sessionsOf(session: VimSession): Promise<readonly unknown[]> {
  const { sessionManager } = await session.soap.content();
  const { sessionList = [] } = await retrieveOne(session.soap, sessionManager as ObjectRef, ['sessionList']);
  return sessionList;
}

/** Returns a function that reads the guestinfo of a machine by key. */
export async function guestInfoOf(session: VimSession, name: string): Promise<(key: string) => string> {
  const machine = await new Finder(session.soap, 'DC0').find('virtualMachine', name);
  const { 'config.extraConfig': options = [] } = await retrieveOne(session.soap, machine, ['config.extraConfig']);
  const reported = new Map(options.map(({ key, value }) => [key, String(value)]));
  return (key) => Buffer.from(reported.get(`guestinfo.${key}`) ?? '', 'base64').toString();
}
