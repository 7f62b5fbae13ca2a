import { type Data, retrieveAll, retrieveOne, type VimSession } from '@slipway/vsphere';
import { DriverError } from '../api/index.js';
import { readOnlyRole } from './plan-roles.js';

/** One role that an account has on one object. */
export interface GivenRole {
  readonly principal: string;
  readonly role: string;
  readonly entity: string;
  readonly propagate: boolean;
}

/** Returns the permissions of an account, and all permissions with roles that this program created. */
export async function listGrants({ soap }: VimSession, name: string, signal: AbortSignal): Promise<GivenRole[]> {
  const { authorizationManager: manager } = await soap.content({ signal });
  if (manager === undefined)
    throw new DriverError('NotVCenter', 'the server does not support roles; set --vcenter to a vCenter');
  const { roleList = [] } = await retrieveOne(soap, manager, ['roleList'], { signal });
  const isOurs = (principal: string, role: string): boolean =>
    role.startsWith('CNS-') || principal.toLowerCase().includes(`\\${name.toLowerCase()}-`);
  const ours: { readonly role: string; readonly given: Data<'Permission'> }[] = [];
  for (const { roleId, name: role } of roleList) {
    if (!role.startsWith('CNS-') && role !== readOnlyRole) continue;
    for (const given of await soap.call('RetrieveRolePermissions', manager, { roleId }, { signal }))
      if (isOurs(given.principal, role)) ours.push({ role, given });
  }
  const refs = ours.flatMap(({ given: { entity } }) => (entity === undefined ? [] : [entity]));
  const named = await retrieveAll(soap, [...new Map(refs.map((ref) => [ref.value, ref])).values()], ['name'], {
    signal,
  });
  const nameOf = new Map(named.map(({ ref, values }) => [ref.value, values.name ?? ref.value]));
  return ours
    .map(({ role, given: { principal, entity, propagate } }) => ({
      principal,
      role,
      entity: `${entity?.type ?? ''} ${nameOf.get(entity?.value ?? '') ?? ''}`,
      propagate,
    }))
    .sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1));
}

const textOf = ({ principal, entity, role }: GivenRole): string => `${principal} ${entity} ${role}`;
