import { resolveKind } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  type Index,
  keyOf,
  ownerReference,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { type KubeadmControlPlane, kubeadmControlPlanes } from '../api/index.js';
import type { ControlPlaneScope } from './control-plane-scope.js';

export interface InfrastructureTemplate {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

function templateText(namespace: string, group: string, kind: string, name: string): string {
  return `${namespace}/${group}/${kind}/${name}`;
}

/** Indexes control planes by the infrastructure template of their machines. */
const templateIndex: Index<KubeadmControlPlane> = {
  name: 'infrastructure template',
  valuesOf: ({ metadata, spec }) => {
    const { apiGroup, kind, name } = spec.machineTemplate.spec.infrastructureRef;
    return [templateText(metadata.namespace ?? '', apiGroup, kind, name)];
  },
};

/** Returns the infrastructure template of the machines. If it is missing, its creation triggers a reconcile. */
async function findInfrastructureTemplate(scope: ControlPlaneScope): Promise<InfrastructureTemplate | undefined> {
  const { context, controlPlane } = scope;
  const reference = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  const { resource } = resolveKind(context.sources, reference);
  const users = context.sources.sourceFor(kubeadmControlPlanes);
  const source = await context.follow({
    resource,
    map: (template) => {
      const { namespace = '', name = '' } = template.metadata;
      const { group } = parseApiVersion(template.apiVersion);
      const found = users.byIndex(templateIndex, templateText(namespace, group, template.kind, name));
      return found.map((user) => keyOf(user));
    },
  });
  const object = source.get({ namespace: controlPlane.metadata.namespace ?? '', name: reference.name });
  return object === undefined ? undefined : { resource, object };
}

/**
 * Sets the Cluster as an owner of the template, so that they are moved and deleted together. A missing template is returned as an
 * error: existing machines do not need it, and deletions must not wait for it.
 */
export async function ownInfrastructureTemplate(scope: ControlPlaneScope): Promise<Error | undefined> {
  try {
    await ownTemplate(scope);
    return undefined;
  } catch (error) {
    if (!(error instanceof ReconcileError)) throw error;
    scope.isIncomplete = true;
    return error;
  }
}

async function ownTemplate(scope: ControlPlaneScope): Promise<void> {
  const { context, cluster } = scope;
  const { object, resource } = await requireInfrastructureTemplate(scope);
  const owned = edit(object, ({ metadata }) => ensureOwnerReference(metadata, ownerReference(ownerOf(cluster))));
  await context.change({
    verb: 'patch',
    resource,
    before: object,
    after: owned,
    reason: 'TemplateInUse',
    message: `Set Cluster ${cluster.metadata.name ?? ''} as owner of ${object.kind} ${object.metadata.name ?? ''}`,
  });
}

/** Returns the template. Throws if it does not exist, so that the conditions report it. */
export async function requireInfrastructureTemplate(scope: ControlPlaneScope): Promise<InfrastructureTemplate> {
  try {
    const template = await findInfrastructureTemplate(scope);
    if (template !== undefined) return template;
  } catch (error) {
    if (error instanceof ReconcileError) scope.creationProblem = error.message;
    throw error;
  }
  const { kind, name } = scope.controlPlane.spec.machineTemplate.spec.infrastructureRef;
  scope.creationProblem = `${kind} does not exist`;
  throw new ReconcileError('InfrastructureTemplateMissing', `${kind} ${name} does not exist`, {
    retry: 'onChange',
    remedy: 'create it, or correct spec.machineTemplate.spec.infrastructureRef',
  });
}

function ownerOf({ apiVersion, kind, metadata }: ControlPlaneScope['cluster']): Parameters<typeof ownerReference>[0] {
  const { name, uid } = metadata;
  return { apiVersion, kind, metadata: { ...(name && { name }), ...(uid && { uid }) } };
}
