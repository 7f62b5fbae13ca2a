import { isFault, type ObjectRef, type VimSession } from '@slipway/vsphere';
import type { ConnectionTarget } from './vcenters.js';

/** Privileges beyond read access, by purpose. The roles that the CLI creates have exactly these. */
export const privilegesFor = {
  read: ['System.Anonymous', 'System.Read', 'System.View'],
  search: ['Cns.Searchable', 'StorageProfile.View'],
  datastore: ['Datastore.FileManagement'],
  machine: ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'],
  fileService: ['Host.Config.Storage'],
} as const;

export interface NamedEntity {
  readonly ref: ObjectRef;
  readonly name: string;
}

export interface NamedEntities {
  readonly root: NamedEntity;
  readonly datacenters: readonly NamedEntity[];
  readonly datastores: readonly NamedEntity[];
  readonly clusters: readonly NamedEntity[];
  readonly folders: readonly NamedEntity[];
}

export interface PrivilegeNeed {
  readonly entity: NamedEntity;
  readonly privileges: readonly string[];
}

/** Returns the privileges that the account requires on the named objects. */
export function privilegeNeeds(
  { root, datacenters, datastores, clusters, folders }: NamedEntities,
  usedBy: ConnectionTarget['usedBy'],
): PrivilegeNeed[] {
  const on = (entities: readonly NamedEntity[], privileges: readonly string[]): PrivilegeNeed[] =>
    entities.map((entity) => ({ entity, privileges }));
  const read = ['System.Read'];
  return [
    ...on(datacenters, read),
    ...on(usedBy.csi ? [root] : [], privilegesFor.search),
    ...on(datastores, usedBy.csi ? privilegesFor.datastore : read),
    ...on(folders, usedBy.csi ? privilegesFor.machine : read),
    ...on(clusters, usedBy.csi && usedBy.fileVolumes ? privilegesFor.fileService : read),
  ];
}

/** Returns the name of a user in permissions: `VSPHERE.LOCAL\user` for `user@vsphere.local`. Undefined without a domain. */
export function principalOf(user: string): string | undefined {
  const [, name, domain] = /^([^@\\]+)@([^@\\]+)$/.exec(user) ?? [];
  if (name !== undefined && domain !== undefined) return `${domain.toUpperCase()}\\${name}`;
  return /^[^@\\]+\\[^@\\]+$/.test(user) ? user : undefined;
}

export interface PrivilegeAnswer {
  readonly isKnown: boolean;
  readonly missing: readonly { readonly entity: string; readonly privilege: string }[];
}

/**
 * Queries the account's privileges. An empty result, such as for an unknown user, means that they are unknown, not that they are
 * missing.
 */
export async function askPrivileges(
  { soap }: VimSession,
  user: string,
  needs: readonly PrivilegeNeed[],
  signal: AbortSignal,
): Promise<PrivilegeAnswer> {
  const userName = principalOf(user);
  const { authorizationManager } = await soap.content({ signal });
  if (userName === undefined || authorizationManager === undefined) return { isKnown: false, missing: [] };
  const missing: { entity: string; privilege: string }[] = [];
  for (const [privileges, entities] of byPrivileges(needs)) {
    const parameters = { entities: entities.map(({ ref }) => ref), userName, privId: privileges.split(' ') };
    let answer: Awaited<ReturnType<typeof soap.call<'HasUserPrivilegeOnEntities'>>>;
    try {
      answer = await soap.call('HasUserPrivilegeOnEntities', authorizationManager, parameters, { signal });
    } catch (error) {
      // Some vCenter releases require a privilege for this query.
      if (isFault(error, 'NoPermission', 'NotFound', 'InvalidArgument')) return { isKnown: false, missing };
      throw error;
    }
    if (answer.length === 0) return { isKnown: false, missing };
    for (const { entity, privAvailability = [] } of answer) {
      const name = entities.find(({ ref }) => ref.value === entity.value)?.name ?? entity.value;
      for (const { privId, isGranted } of privAvailability)
        if (!isGranted) missing.push({ entity: name, privilege: privId });
    }
  }
  return { isKnown: true, missing };
}

function byPrivileges(needs: readonly PrivilegeNeed[]): Map<string, NamedEntity[]> {
  const grouped = new Map<string, NamedEntity[]>();
  for (const { entity, privileges } of needs) {
    const key = privileges.join(' ');
    grouped.set(key, [...(grouped.get(key) ?? []), entity]);
  }
  return grouped;
}
