import type { KubeObject } from '@slipway/kube';
import type { Container, EnvVar, PodSpec } from '@slipway/kube/builtin';

/** A workload from a manifest file, in which every field may be missing. */
interface Workload {
  readonly template?: { readonly spec?: Partial<PodSpec> };
}

const workloadKinds = ['Deployment', 'DaemonSet'];

/**
 * Prefix of environment variables that name images which a manager deploys. It is the convention of OLM, whose tools mirror these
 * images too.
 */
const relatedImagePrefix = 'RELATED_IMAGE_';

/** Returns the container images of the objects, and the images that their containers deploy. */
export function imagesOf(objects: readonly KubeObject[]): string[] {
  return objects.flatMap((object) =>
    containersOf(object).flatMap(({ image, env = [] }) => [
      ...(image === undefined ? [] : [image]),
      ...env.flatMap((variable) => (isRelatedImage(variable) ? [variable.value] : [])),
    ]),
  );
}

function isRelatedImage(variable: EnvVar): variable is EnvVar & { readonly value: string } {
  return variable.name.startsWith(relatedImagePrefix) && variable.value !== undefined && variable.value !== '';
}

function containersOf(object: KubeObject): readonly Container[] {
  if (!workloadKinds.includes(object.kind)) return [];
  const { containers = [], initContainers = [] } = (object['spec'] as Workload | undefined)?.template?.spec ?? {};
  return [...containers, ...initContainers];
}

/** Returns a copy of the object with other images. */
export function withImages(object: KubeObject, alter: (image: string) => string): KubeObject {
  if (containersOf(object).length === 0) return object;
  const spec = object['spec'] as Workload;
  const change = (container: Container): Container => ({
    ...container,
    ...(container.image !== undefined && { image: alter(container.image) }),
    ...(container.env !== undefined && {
      env: container.env.map((variable) =>
        isRelatedImage(variable) ? { ...variable, value: alter(variable.value) } : variable,
      ),
    }),
  });
  const { containers, initContainers, ...rest } = spec.template?.spec ?? {};
  const podSpec = {
    ...rest,
    ...(containers !== undefined && { containers: containers.map(change) }),
    ...(initContainers !== undefined && { initContainers: initContainers.map(change) }),
  };
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: podSpec } } };
}

/** Whether the object is the Deployment of a manager, by the container name that the clusterctl contract requires. */
export function isManagerDeployment(object: KubeObject): boolean {
  return object.kind === 'Deployment' && containersOf(object).some(({ name }) => name === 'manager');
}
