import type { DriverName } from '../api/index.js';
import { privilegesFor } from '../connection/index.js';

export interface RoleSpec {
  readonly name: string;
  readonly privileges: readonly string[];
}

/** The built-in role of every vCenter. */
export const readOnlyRole = 'ReadOnly';

const roles = {
  search: { name: 'CNS-SEARCH-AND-SPBM', privileges: privilegesFor.search },
  datastore: { name: 'CNS-DATASTORE', privileges: privilegesFor.datastore },
  machine: { name: 'CNS-VM', privileges: privilegesFor.machine },
  fileService: { name: 'CNS-HOST-CONFIG-STORAGE', privileges: privilegesFor.fileService },
} as const satisfies Readonly<Record<string, RoleSpec>>;

/** The purpose of an account. */
export interface AccountPurpose {
  readonly driver: DriverName;
  readonly fileVolumes: boolean;
  /** Suffix that separates the roles of several clusters. */
  readonly roleSuffix: string;
}

type PlaceKind = 'root' | 'datacenter' | 'datastore' | 'cluster' | 'host' | 'folder';

export interface Place {
  readonly kind: PlaceKind;
  readonly name: string;
}

export interface Grant {
  readonly place: Place;
  readonly role: string;
  readonly propagate: boolean;
}

export interface AccountPlan {
  /** Roles to create, without the built-in one. */
  readonly roles: readonly RoleSpec[];
  readonly grants: readonly Grant[];
}

/**
 * Returns the least privileges of an account. An account has one role per object: if two apply, the greater one is used, because
 * all roles include read access.
 */
export function planAccount(purpose: AccountPurpose, places: readonly Place[]): AccountPlan {
  const { driver, fileVolumes, roleSuffix } = purpose;
  const named = (role: RoleSpec): RoleSpec => ({
    ...role,
    name: `${role.name}${roleSuffix === '' ? '' : `-${roleSuffix}`}`,
  });
  if (driver === 'cpi') {
    const grants = places
      .filter(({ kind }) => kind === 'datacenter')
      .map((place) => ({ place, role: readOnlyRole, propagate: true }));
    return { roles: [], grants };
  }
  const roleFor: Partial<Record<PlaceKind, RoleSpec>> = {
    root: named(roles.search),
    datastore: named(roles.datastore),
    folder: named(roles.machine),
    ...(fileVolumes && { cluster: named(roles.fileService) }),
  };
  const grants = places.map((place) => ({
    place,
    role: roleFor[place.kind]?.name ?? readOnlyRole,
    // Permissions on a folder propagate, because the VMs in it change.
    propagate: place.kind === 'folder',
  }));
  const used = new Set(grants.map(({ role }) => role));
  return { roles: Object.values(roleFor).filter(({ name }) => used.has(name)), grants };
}
