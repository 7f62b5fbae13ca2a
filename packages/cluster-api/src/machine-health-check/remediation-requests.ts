import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { keyOf, ownerReference, ReconcileError } from '@slipway/runtime';
import { machineHealthChecks, machines, remediationReasons } from '../api/index.js';
import { cloneTemplate } from '../contract/index.js';
import type { ObservedMachine } from '../machines/index.js';
import { nameOf } from '../machines/index.js';
import { clusterIndex, type HealthCheckPass, type RemediationRequests, requestKindOf } from './health-check-pass.js';
import { isTarget } from './health-check-planner.js';

type RequestReason = 'RemediationTemplateNotFound' | 'RemediationRequestCreationFailed';

/** Undefined when the owners of machines remediate them. */
export async function observeRequests(pass: HealthCheckPass): Promise<RemediationRequests | undefined> {
  const { context, healthCheck } = pass;
  const templateRef = healthCheck.spec.remediation?.templateRef;
  if (templateRef === undefined) return undefined;
  const request = requestKindOf(templateRef);
  const { client, sources } = context;
  const [resource, template] = await Promise.all([
    client.resourceFor(request),
    client.resourceFor({ ...request, kind: templateRef.kind }),
  ]);
  if (resource === undefined || template === undefined)
    throw new ReconcileError(
      'DefinitionMissing',
      `the kind ${resource === undefined ? request.kind : templateRef.kind} of ${templateRef.apiVersion}, which spec.remediation.templateRef asks for, is not installed`,
      { retry: 'later', remedy: 'install the provider that brings it, or correct the reference' },
    );
  const source = await context.follow({
    resource,
    map: ({ metadata }) => {
      const namespace = metadata.namespace ?? '';
      const machine = sources.sourceFor(machines).get({ namespace, name: metadata.name ?? '' });
      if (machine === undefined) return [];
      return sources
        .sourceFor(machineHealthChecks)
        .byIndex(clusterIndex, `${namespace}/${machine.spec.clusterName}`)
        .filter((check) => isTarget(check, machine))
        .map(keyOf);
    },
  });
  const namespace = healthCheck.metadata.namespace ?? '';
  return { resource, source, template: { resource: template, key: { namespace, name: templateRef.name } } };
}

/** Asks for the remediation of a machine: an object of its name, made from the template. */
export async function createRequest(
  { context, healthCheck }: HealthCheckPass,
  { resource, template }: RemediationRequests,
  machine: ObservedMachine,
): Promise<void> {
  const { client, signal } = context;
  const found = await findTemplate(context, template);
  const {
    apiVersion: _version,
    kind: _kind,
    ...clone
  } = cloneTemplate(found, {
    name: nameOf(machine),
    namespace: machine.metadata.namespace ?? '',
    clusterName: healthCheck.spec.clusterName,
    owner: ownerReference(machine),
  });
  const object = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind, ...clone };
  try {
    await client.create(resource, object as KubeObject, { signal });
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return;
    const text = error instanceof Error ? error.message : String(error);
    const message = `Failed to create ${resource.kind} ${nameOf(machine)} for remediation: ${text}`;
    throw new ReconcileError<RequestReason>('RemediationRequestCreationFailed', message, { retry: 'later' });
  }
}

async function findTemplate(
  { client, signal }: HealthCheckPass['context'],
  { resource, key }: RemediationRequests['template'],
): Promise<Frozen<KubeObject>> {
  try {
    return await client.get(resource, key, { signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    throw new ReconcileError<RequestReason>(
      remediationReasons.remediationTemplateNotFound,
      `${resource.kind} ${key.namespace}/${key.name}, which spec.remediation.templateRef names, does not exist`,
      { retry: 'later', remedy: 'create it or correct the reference' },
    );
  }
}

export async function deleteRequest(
  { context }: HealthCheckPass,
  { resource, source }: RemediationRequests,
  machine: ObservedMachine,
): Promise<void> {
  const key = keyOf(machine);
  if (source.get(key) === undefined) return;
  try {
    await context.client.delete(resource, key, { signal: context.signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
}
