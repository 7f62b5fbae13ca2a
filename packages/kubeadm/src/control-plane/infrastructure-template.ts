import { resolveKind } from '@slipway/cluster-api';
import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  edit,
  ensureOwnerReference,
  type Index,
  keyOf,
  ownerReference,
  patchObject,
  ReconcileError,
  type Resource,
} from '@slipway/runtime';
import { type KubeadmControlPlane, kubeadmControlPlanes } from '../api/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';

export interface InfrastructureTemplate {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

function templateText(namespace: string, group: string, kind: string, name: string): string {
  return `${namespace}/${group}/${kind}/${name}`;
}

/** Finds control planes by the template that their machines are made from. */
const templateIndex: Index<KubeadmControlPlane> = {
  name: 'infrastructure template',
  valuesOf: ({ metadata, spec }) => {
    const { apiGroup, kind, name } = spec.machineTemplate.spec.infrastructureRef;
    return [templateText(metadata.namespace ?? '', apiGroup, kind, name)];
  },
};

/** The template that machines are made from. A control plane is looked at again as soon as a missing one appears. */
async function findInfrastructureTemplate(pass: ControlPlanePass): Promise<InfrastructureTemplate | undefined> {
  const { context, controlPlane } = pass;
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
 * Templates in use belong to the Cluster: they move with it and go with it. One that is missing is only remembered: machines
 * that exist do not need it, and those that go must not wait for it.
 */
export async function ownInfrastructureTemplate(pass: ControlPlanePass): Promise<Error | undefined> {
  try {
    await ownTemplate(pass);
    return undefined;
  } catch (error) {
    if (!(error instanceof ReconcileError)) throw error;
    pass.isIncomplete = true;
    return error;
  }
}

async function ownTemplate(pass: ControlPlanePass): Promise<void> {
  const { context, cluster } = pass;
  const { object, resource } = await requireInfrastructureTemplate(pass);
  const owned = edit(object, ({ metadata }) => ensureOwnerReference(metadata, ownerReference(ownerOf(cluster))));
  await patchObject(context.client, resource, object, owned, { signal: context.signal });
}

/** Throws where there is none, and has the conditions say so. */
export async function requireInfrastructureTemplate(pass: ControlPlanePass): Promise<InfrastructureTemplate> {
  try {
    const template = await findInfrastructureTemplate(pass);
    if (template !== undefined) return template;
  } catch (error) {
    if (error instanceof ReconcileError) pass.creationProblem = error.message;
    throw error;
  }
  const { kind, name } = pass.controlPlane.spec.machineTemplate.spec.infrastructureRef;
  pass.creationProblem = `${kind} does not exist`;
  throw new ReconcileError('InfrastructureTemplateMissing', `${kind} ${name} does not exist`, {
    retry: 'onChange',
    remedy: 'create it, or correct spec.machineTemplate.spec.infrastructureRef',
  });
}

function ownerOf({ apiVersion, kind, metadata }: ControlPlanePass['cluster']): Parameters<typeof ownerReference>[0] {
  const { name, uid } = metadata;
  return { apiVersion, kind, metadata: { ...(name && { name }), ...(uid && { uid }) } };
}
