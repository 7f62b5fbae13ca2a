import type { Frozen, KubeObject } from '@slipway/kube';
import type { Store, StoreEvent, UserInfo } from '../../contract/index.js';
import { type Binding, groupKey, readBinding, type RoleRef, type Subject, subjectKey, userKey } from './binding.js';
import { type PolicyRule, rulesOf } from './policy-rule.js';
import { RoleTable } from './role-table.js';

export const rbacGroup = 'rbac.authorization.k8s.io';
export const rbacStorage = {
  roles: `${rbacGroup}/roles`,
  clusterRoles: `${rbacGroup}/clusterroles`,
  roleBindings: `${rbacGroup}/rolebindings`,
  clusterRoleBindings: `${rbacGroup}/clusterrolebindings`,
} as const;

/** A binding of one subject. */
export interface Grant {
  readonly binding: Binding;
  readonly subject: Subject;
}

type GrantsBySubject = Map<string, Grant[]>;

const noGrants: readonly Grant[] = [];

/**
 * Indexes roles by name and bindings by subject, and follows store watches. Reads are synchronous. The index is built on first
 * use, because a server that has only in-process callers never authorizes requests.
 */
export class RbacIndex {
  readonly #roles = new Map<string, RoleTable>();
  readonly #clusterRoles = new Map<string, RoleTable>();
  /** Grants by namespace; '' for ClusterRoleBindings. */
  readonly #grants = new Map<string, GrantsBySubject>();
  readonly #bindings = new Map<string, Binding>();
  readonly #watches: { dispose(): void }[] = [];
  /** The store to read on first use. Undefined afterwards. */
  #unread: Store | undefined;

  private constructor(store: Store) {
    this.#unread = store;
  }

  /** Creates an index that reads all roles and bindings on first use and watches the store afterwards. */
  static follow(store: Store): RbacIndex {
    return new RbacIndex(store);
  }

  dispose(): void {
    this.#unread = undefined;
    for (const watch of this.#watches.splice(0)) watch.dispose();
  }

  /** Returns the role that a roleRef refers to in a namespace, if it exists. */
  role(ref: RoleRef, namespace: string): RoleTable | undefined {
    this.#read();
    if (ref.kind === 'ClusterRole') return this.#clusterRoles.get(ref.name);
    return ref.kind === 'Role' && namespace !== '' ? this.#roles.get(`${namespace}/${ref.name}`) : undefined;
  }

  /**
   * Calls `visit` for each grant of the user, cluster-wide ones first, until `visit` returns true. Looks grants up by user name
   * and groups, so that bindings of other subjects cost nothing.
   */
  visitGrants(user: UserInfo, namespace: string, visit: (grant: Grant) => boolean): void {
    this.#read();
    const clusterWide = this.#grants.get('');
    if (clusterWide !== undefined && visitSubjects(clusterWide, user, visit)) return;
    const local = namespace === '' ? undefined : this.#grants.get(namespace);
    if (local !== undefined) visitSubjects(local, user, visit);
  }

  /** Returns all rules that apply to the user in a namespace, and errors for roleRefs that do not resolve. */
  rulesFor(user: UserInfo, namespace: string): { rules: PolicyRule[]; errors: string[] } {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    const seen = new Set<Binding>();
    this.visitGrants(user, namespace, ({ binding }) => {
      if (seen.has(binding)) return false;
      seen.add(binding);
      const role = this.role(binding.roleRef, binding.namespace);
      if (role === undefined) errors.push(missingRole(binding.roleRef));
      else rules.push(...role.rules);
      return false;
    });
    return { rules, errors };
  }

  #read(): void {
    const store = this.#unread;
    if (store === undefined) return;
    this.#unread = undefined;
    this.#follow(store, rbacStorage.roles, (object, deleted) => this.#setRole(object, deleted));
    this.#follow(store, rbacStorage.clusterRoles, (object, deleted) => this.#setRole(object, deleted));
    this.#follow(store, rbacStorage.roleBindings, (object, deleted) => this.#setBinding(object, deleted));
    this.#follow(store, rbacStorage.clusterRoleBindings, (object, deleted) => this.#setBinding(object, deleted));
  }

  #follow(store: Store, resource: string, apply: (object: Frozen<KubeObject>, deleted: boolean) => void): void {
    const from = store.revision;
    for (const stored of store.list({ resource })) apply(stored.object, false);
    const onEvent = (event: StoreEvent): void => apply(event.current.object, event.type === 'DELETED');
    this.#watches.push(store.watch({ resource }, from, onEvent));
  }

  #setRole(object: Frozen<KubeObject>, deleted: boolean): void {
    const { name = '', namespace } = object.metadata;
    const [roles, key] =
      namespace === undefined || namespace === '' ? [this.#clusterRoles, name] : [this.#roles, `${namespace}/${name}`];
    if (deleted) roles.delete(key);
    else roles.set(key, new RoleTable(rulesOf(object)));
  }

  #setBinding(object: Frozen<KubeObject>, deleted: boolean): void {
    const binding = readBinding(object);
    const key = `${binding.namespace}/${binding.name}`;
    const bySubject: GrantsBySubject = this.#grants.get(binding.namespace) ?? new Map<string, Grant[]>();
    const previous = this.#bindings.get(key);
    if (previous !== undefined) removeGrants(bySubject, previous);
    if (deleted) {
      this.#bindings.delete(key);
    } else {
      this.#bindings.set(key, binding);
      addGrants(bySubject, binding);
    }
    if (bySubject.size === 0) this.#grants.delete(binding.namespace);
    else this.#grants.set(binding.namespace, bySubject);
  }
}

/** Returns the error for a roleRef that does not resolve, with the resource name in the singular like upstream. */
export function missingRole(ref: RoleRef): string {
  if (ref.kind !== 'Role' && ref.kind !== 'ClusterRole') return `unsupported role reference kind: "${ref.kind}"`;
  return `${ref.kind.toLowerCase()}.${rbacGroup} "${ref.name}" not found`;
}

function addGrants(bySubject: GrantsBySubject, binding: Binding): void {
  const seen = new Set<string>();
  for (const subject of binding.subjects) {
    const key = subjectKey(subject, binding.namespace);
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    // Sort by binding name, so that the reported reason of a decision does not depend on the order of writes.
    const grants = [...(bySubject.get(key) ?? noGrants), { binding, subject }];
    grants.sort((left, right) => (left.binding.name < right.binding.name ? -1 : 1));
    bySubject.set(key, grants);
  }
}

function removeGrants(bySubject: GrantsBySubject, binding: Binding): void {
  for (const subject of binding.subjects) {
    const key = subjectKey(subject, binding.namespace);
    if (key === undefined) continue;
    const left = (bySubject.get(key) ?? noGrants).filter((grant) => grant.binding !== binding);
    if (left.length === 0) bySubject.delete(key);
    else bySubject.set(key, left);
  }
}

function visitSubjects(grants: GrantsBySubject, user: UserInfo, visit: (grant: Grant) => boolean): boolean {
  for (const grant of grants.get(userKey(user.username)) ?? noGrants) if (visit(grant)) return true;
  for (const group of user.groups)
    for (const grant of grants.get(groupKey(group)) ?? noGrants) if (visit(grant)) return true;
  return false;
}
