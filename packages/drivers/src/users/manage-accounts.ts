import { type ObjectKey, secrets, type Writer } from '@slipway/runtime';
import { Finder, type ObjectRef, retrieveOne, type VimSession } from '@slipway/vsphere';
import { DriverError } from '../api/index.js';
import { principalOf } from '../connection/index.js';
import { type AccountPlan, type Grant, type Place, readOnlyRole, type RoleSpec } from './plan-roles.js';

export interface AccountWishes {
  readonly datacenters: readonly string[];
  readonly datastores: readonly string[];
  readonly clusters: readonly string[];
  readonly folders: readonly string[];
}

/** The inventory objects of a plan by place. */
export class Places {
  readonly #refs = new Map<string, ObjectRef>();
  readonly all: Place[] = [];

  add(place: Place, ref: ObjectRef): void {
    const key = `${place.kind}/${place.name}`;
    if (this.#refs.has(key)) return;
    this.#refs.set(key, ref);
    this.all.push(place);
  }

  refOf({ kind, name }: Place): ObjectRef {
    return this.#refs.get(`${kind}/${name}`) as ObjectRef;
  }
}

/** Finds the named objects and their ancestors, which the account must be able to read. */
export async function findPlaces({ soap }: VimSession, wishes: AccountWishes, signal: AbortSignal): Promise<Places> {
  const places = new Places();
  const { rootFolder } = await soap.content({ signal });
  places.add({ kind: 'root', name: '/' }, rootFolder);
  for (const name of wishes.datacenters) {
    const finder = new Finder(soap, name, { signal });
    places.add({ kind: 'datacenter', name }, await finder.datacenter());
    if (wishes.folders.length === 0)
      places.add({ kind: 'folder', name: `${name}/vm` }, await finder.typedFolder('virtualMachine'));
  }
  const [first = ''] = wishes.datacenters;
  const finder = new Finder(soap, first, { signal });
  for (const name of wishes.datastores) places.add({ kind: 'datastore', name }, await finder.find('datastore', name));
  for (const name of wishes.folders) places.add({ kind: 'folder', name }, await finder.find('folder', name));
  for (const name of wishes.clusters) {
    const cluster = await finder.find('computeCluster', name);
    places.add({ kind: 'cluster', name }, cluster);
    const { host = [] } = await retrieveOne(soap, cluster, ['host'], { signal });
    for (const ref of host) places.add({ kind: 'host', name: ref.value }, ref);
  }
  return places;
}

export interface ApplyAccountOptions {
  /** User name as `user@domain`. */
  readonly user: string;
  /** The Secret of the account. */
  readonly key: ObjectKey;
  /** Whether to update existing roles that differ from the plan. */
  readonly updateRoles: boolean;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** Creates the roles and grants them to the account. Idempotent. */
export async function applyAccount(
  { soap }: VimSession,
  plan: AccountPlan,
  places: Places,
  writer: Pick<Writer, 'change'>,
  options: ApplyAccountOptions,
): Promise<void> {
  const { signal, say, user } = options;
  const { authorizationManager: manager } = await soap.content({ signal });
  const principal = principalOf(user);
  if (manager === undefined)
    throw new DriverError('NotVCenter', 'the server does not support roles; set --vcenter to a vCenter');
  if (principal === undefined) throw new DriverError('UserWithoutDomain', `the user ${user} has no domain`);
  const { privilegeList = [] } = await retrieveOne(soap, manager, ['privilegeList'], { signal });
  const known = new Set(privilegeList.map(({ privId }) => privId));
  for (const role of plan.roles) {
    const privileges = role.privileges.filter((id) => known.size === 0 || known.has(id));
    for (const id of role.privileges)
      if (!privileges.includes(id)) say(`skipped privilege ${id}: this vCenter does not have it`);
    await ensureRole({ soap, manager, writer }, { ...role, privileges }, options);
  }
  // The simulator returns a wrong ID for a new role, so read the list of roles.
  const { roleList = [] } = await retrieveOne(soap, manager, ['roleList'], { signal });
  for (const grant of plan.grants) {
    const role = roleList.find(({ name }) => name === grant.role);
    if (role === undefined) throw new DriverError('ResourceNotFound', `role ${grant.role} not found`);
    const ours = new Set(
      roleList.filter(({ name }) => name === readOnlyRole || name.startsWith('CNS-')).map(({ roleId }) => roleId),
    );
    const permission = { principal, grant, roleId: role.roleId, ours };
    await setPermission({ soap, manager, writer }, places.refOf(grant.place), permission, options);
  }
}

interface Authorization {
  readonly soap: VimSession['soap'];
  readonly manager: ObjectRef;
  readonly writer: Pick<Writer, 'change'>;
}

async function ensureRole(
  { soap, manager, writer }: Authorization,
  role: RoleSpec,
  options: ApplyAccountOptions,
): Promise<void> {
  const { signal, say, key } = options;
  const { name } = role;
  const privIds = [...role.privileges];
  const { roleList = [] } = await retrieveOne(soap, manager, ['roleList'], { signal });
  const found = roleList.find((each) => each.name === name);
  if (found === undefined) {
    await writer.change({
      verb: 'call',
      resource: secrets,
      key,
      action: 'create vSphere role',
      reason: 'RoleMissing',
      message: `Created the vSphere role ${name}`,
      run: (ended) => soap.call('AddAuthorizationRole', manager, { name, privIds }, { signal: ended }),
    });
    say(`created role ${name}`);
    return;
  }
  const has = (found.privilege ?? []).filter((id) => !id.startsWith('System.')).sort();
  if (JSON.stringify(has) === JSON.stringify([...privIds].sort())) return;
  if (!options.updateRoles)
    throw new DriverError(
      'ConfigurationInvalid',
      `the role ${name} already exists with other privileges (${has.join(', ')}): set --update-roles to update it, or --role-suffix to use separate roles`,
    );
  const updated = { roleId: found.roleId, newName: name, privIds };
  await writer.change({
    verb: 'call',
    resource: secrets,
    key,
    action: 'update vSphere role',
    reason: 'PrivilegesChanged',
    message: `Updated the privileges of the vSphere role ${name}`,
    run: (ended) => soap.call('UpdateAuthorizationRole', manager, updated, { signal: ended }),
  });
  say(`updated role ${name}`);
}

interface Permission {
  readonly principal: string;
  readonly grant: Grant;
  readonly roleId: number;
  /** IDs of roles that this program created. They may replace each other. */
  readonly ours: ReadonlySet<number>;
}

async function setPermission(
  { soap, manager, writer }: Authorization,
  entity: ObjectRef,
  { principal, grant, roleId, ours }: Permission,
  { signal, say, updateRoles, key }: ApplyAccountOptions,
): Promise<void> {
  const existing = await soap.call('RetrieveEntityPermissions', manager, { entity, inherited: false }, { signal });
  const isSame = (name: string): boolean => name.toLowerCase() === principal.toLowerCase();
  const old = existing.find((each) => isSame(each.principal) && !each.group);
  if (old?.roleId === roleId && old.propagate === grant.propagate) return;
  const where = `${grant.place.kind} ${grant.place.name}`;
  if (old !== undefined && !ours.has(old.roleId) && !updateRoles)
    throw new DriverError(
      'ConfigurationInvalid',
      `${principal} already has another role on ${where}: set --update-roles to replace it, or choose another account`,
    );
  const others = existing
    .filter((each) => each !== old)
    .map(({ principal: other, group, roleId: id, propagate }) => ({ principal: other, group, roleId: id, propagate }));
  // All permissions of the object are sent, because the simulator replaces the whole list.
  const permission = [...others, { principal, group: false, roleId, propagate: grant.propagate }];
  await writer.change({
    verb: 'call',
    resource: secrets,
    key,
    action: 'set vSphere permissions',
    reason: 'PermissionMissing',
    message: `Granted ${principal} the vSphere role ${grant.role} on ${where}`,
    run: (ended) => soap.call('SetEntityPermissions', manager, { entity, permission }, { signal: ended }),
  });
  say(`granted ${principal} role ${grant.role} on ${where}`);
}
