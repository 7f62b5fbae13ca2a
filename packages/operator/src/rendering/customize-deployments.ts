import { cloneJson, type Frozen, type KubeObject } from '@slipway/kube';
import type { Container, Deployment } from '@slipway/runtime';
import type { ContainerSpec, DeploymentSpec, ManagerSpec, ProviderSpec } from '../api/index.js';
import { byName, CustomizationError, withArgument, withManagerArguments } from './manager-arguments.js';

interface Customization {
  readonly deployment?: Frozen<DeploymentSpec>;
  readonly manager?: Frozen<ManagerSpec>;
}

/** Applies spec.deployment and spec.manager to the Deployments of a provider. */
export function customizeDeployments(
  objects: readonly KubeObject[],
  spec: Frozen<ProviderSpec>,
): readonly KubeObject[] {
  const count = objects.filter(isDeployment).length;
  return objects.map((object) => {
    if (!isDeployment(object)) return object;
    const desired = customizationFor(object.metadata.name ?? '', count === 1, spec);
    return desired === undefined ? object : customize(object, desired);
  });
}

function isDeployment(object: KubeObject): object is Deployment {
  return object.kind === 'Deployment';
}

/**
 * Returns the customization of one Deployment. If there are several, the spec applies to the one with upstream's manager name,
 * and additionalDeployments to the others.
 */
function customizationFor(name: string, isOnly: boolean, spec: Frozen<ProviderSpec>): Customization | undefined {
  if (isOnly || /^ca.*-controller-manager$/.test(name)) return spec;
  const more = spec.additionalDeployments ?? {};
  return Object.hasOwn(more, name) ? more[name] : undefined;
}

/** Applies spec.deployment first, then spec.manager, whose settings take precedence. */
function customize(object: Deployment, { deployment, manager }: Customization): KubeObject {
  const changed = cloneJson(object) as Deployment;
  const { spec } = changed;
  if (spec?.template.spec === undefined) return object;
  if (deployment !== undefined) customizeDeployment(changed, deployment);
  if (manager !== undefined) customizeManager(changed, manager);
  return changed;
}

function customizeDeployment(object: Deployment, desired: Frozen<DeploymentSpec>): void {
  const spec = object.spec as NonNullable<Deployment['spec']>;
  const pod = spec.template.spec as NonNullable<typeof spec.template.spec>;
  if (desired.replicas !== undefined) spec.replicas = desired.replicas;
  for (const field of ['affinity', 'nodeSelector', 'tolerations', 'imagePullSecrets'] as const)
    if (desired[field] !== undefined) pod[field] = cloneJson(desired[field]) as never;
  if ((desired.serviceAccountName ?? '') !== '') pod.serviceAccountName = desired.serviceAccountName as string;
  for (const container of desired.containers ?? []) customizeContainer(object, pod.containers, container);
}

function customizeContainer(object: Deployment, containers: Container[], desired: Frozen<ContainerSpec>): void {
  const container = containers.find(({ name }) => name === desired.name);
  if (container === undefined)
    throw new CustomizationError(
      `cannot find container ${desired.name} in deployment ${object.metadata.name ?? ''}; its containers are ${containers.map(({ name }) => name).join(', ')}`,
    );
  for (const [flag, value] of Object.entries(desired.args ?? {}).sort(byName))
    container.args = withArgument(container.args ?? [], flag, value);
  for (const variable of desired.env ?? []) {
    const others = (container.env ?? []).filter(({ name }) => name !== variable.name);
    container.env = [...others, cloneJson(variable) as { name: string }];
  }
  if (desired.resources !== undefined) container.resources = cloneJson(desired.resources) as never;
  if ((desired.imageUrl ?? '') !== '') container.image = desired.imageUrl as string;
  if (desired.command !== undefined) container.command = [...desired.command];
}

function customizeManager(object: Deployment, manager: Frozen<ManagerSpec>): void {
  const containers = object.spec?.template.spec?.containers ?? [];
  const container = containers.find(({ name }) => name === 'manager') ?? containers[0];
  if (container === undefined)
    throw new CustomizationError(`deployment ${object.metadata.name ?? ''} has no manager container`);
  const args = withManagerArguments(container.args ?? [], manager);
  if (args.length > 0) container.args = args;
  const { livenessEndpointName, readinessEndpointName } = manager.health ?? {};
  pointProbe(container.livenessProbe, livenessEndpointName);
  pointProbe(container.readinessProbe, readinessEndpointName);
}

function pointProbe(probe: Container['livenessProbe'], endpoint: string | undefined): void {
  if (probe?.httpGet !== undefined && endpoint !== undefined && endpoint !== '') probe.httpGet.path = `/${endpoint}`;
}
