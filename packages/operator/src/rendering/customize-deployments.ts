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
    const wanted = customizationFor(object.metadata.name ?? '', count === 1, spec);
    return wanted === undefined ? object : customize(object, wanted);
  });
}

function isDeployment(object: KubeObject): object is Deployment {
  return object.kind === 'Deployment';
}

/** With several Deployments, the spec applies to the one with upstream's manager name, and additionalDeployments to others. */
function customizationFor(name: string, isOnly: boolean, spec: Frozen<ProviderSpec>): Customization | undefined {
  if (isOnly || /^ca.*-controller-manager$/.test(name)) return spec;
  const more = spec.additionalDeployments ?? {};
  return Object.hasOwn(more, name) ? more[name] : undefined;
}

/** Applies spec.deployment first, then spec.manager, which takes precedence. */
function customize(object: Deployment, { deployment, manager }: Customization): KubeObject {
  const changed = cloneJson(object) as Deployment;
  const { spec } = changed;
  if (spec?.template.spec === undefined) return object;
  if (deployment !== undefined) customizeDeployment(changed, deployment);
  if (manager !== undefined) customizeManager(changed, manager);
  return changed;
}

function customizeDeployment(object: Deployment, wanted: Frozen<DeploymentSpec>): void {
  const spec = object.spec as NonNullable<Deployment['spec']>;
  const pod = spec.template.spec as NonNullable<typeof spec.template.spec>;
  if (wanted.replicas !== undefined) spec.replicas = wanted.replicas;
  for (const field of ['affinity', 'nodeSelector', 'tolerations', 'imagePullSecrets'] as const)
    if (wanted[field] !== undefined) pod[field] = cloneJson(wanted[field]) as never;
  if ((wanted.serviceAccountName ?? '') !== '') pod.serviceAccountName = wanted.serviceAccountName as string;
  for (const container of wanted.containers ?? []) customizeContainer(object, pod.containers, container);
}

function customizeContainer(object: Deployment, containers: Container[], wanted: Frozen<ContainerSpec>): void {
  const container = containers.find(({ name }) => name === wanted.name);
  if (container === undefined)
    throw new CustomizationError(
      `cannot find container ${wanted.name} in deployment ${object.metadata.name ?? ''}; its containers are ${containers.map(({ name }) => name).join(', ')}`,
    );
  for (const [flag, value] of Object.entries(wanted.args ?? {}).sort(byName))
    container.args = withArgument(container.args ?? [], flag, value);
  for (const variable of wanted.env ?? []) {
    const others = (container.env ?? []).filter(({ name }) => name !== variable.name);
    container.env = [...others, cloneJson(variable) as { name: string }];
  }
  if (wanted.resources !== undefined) container.resources = cloneJson(wanted.resources) as never;
  if ((wanted.imageUrl ?? '') !== '') container.image = wanted.imageUrl as string;
  if (wanted.command !== undefined) container.command = [...wanted.command];
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
