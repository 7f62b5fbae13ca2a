import type { Frozen } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  createController,
  done,
  edit,
  type Index,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  watch,
} from '@slipway/runtime';
import {
  type ClusterVirtualMachineImage,
  type SupervisorMachineTemplate,
  supervisorMachineTemplates,
} from '../../api/index.js';
import type { SupervisorDependencies } from '../dependencies.js';

type NodeInfo = NonNullable<NonNullable<SupervisorMachineTemplate['status']>['nodeInfo']>;

const byClass: Index<SupervisorMachineTemplate> = {
  name: 'templates by class',
  valuesOf: ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec?.template.spec?.className ?? ''}`],
};

const byImage: Index<SupervisorMachineTemplate> = {
  name: 'templates by image',
  valuesOf: ({ spec }) => [spec?.template.spec?.imageName ?? ''],
};

/** Reports the capacity of a template's machines in its status, so that an autoscaler can scale up from zero. */
export function createMachineTemplateController(
  context: ControllerContext,
  dependencies: SupervisorDependencies,
): Controller {
  const { sources, concurrency, watchFilter } = context;
  const { virtualMachineClasses, clusterVirtualMachineImages } = dependencies.platform;
  const templates = (): ReturnType<typeof sources.sourceFor<SupervisorMachineTemplate>> =>
    sources.sourceFor(supervisorMachineTemplates);
  return createController({
    name: 'supervisor-vspheremachinetemplate',
    for: supervisorMachineTemplates,
    concurrency,
    filter: watchFilter,
    watches: [
      watch(virtualMachineClasses, {
        map: ({ metadata }) =>
          templates()
            .byIndex(byClass, `${metadata.namespace ?? ''}/${metadata.name ?? ''}`)
            .map(keyOf),
      }),
      watch(clusterVirtualMachineImages, {
        map: ({ metadata }) =>
          templates()
            .byIndex(byImage, metadata.name ?? '')
            .map(keyOf),
      }),
    ],
    reconcile: (key, reconcileContext) => reconcileTemplate(key, reconcileContext, dependencies),
  });
}

async function reconcileTemplate(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: SupervisorDependencies,
): Promise<Outcome> {
  const { sources } = context;
  const template = sources.sourceFor(supervisorMachineTemplates).get(key);
  const spec = template?.spec?.template.spec;
  if (template === undefined || spec === undefined) return done();
  const { virtualMachineClasses, clusterVirtualMachineImages } = dependencies.platform;
  const name = spec.className;
  const found = sources.sourceFor(virtualMachineClasses).get({ namespace: key.namespace, name });
  if (found === undefined)
    throw new ReconcileError('ClassNotFound', `VirtualMachineClass ${key.namespace}/${name} not found`, {
      retry: 'onChange',
      remedy: 'assign the class to the namespace, or use another class in a new template',
    });
  const image = sources.sourceFor(clusterVirtualMachineImages).get({ namespace: '', name: spec.imageName });
  const { cpus, memory } = found.spec?.hardware ?? {};
  const info = nodeInfoOf(image);
  const after = edit(template, (draft) => {
    draft.status = {
      ...draft.status,
      capacity: { ...(cpus !== undefined && { cpu: String(cpus) }), ...(memory !== undefined && { memory }) },
      ...(info !== undefined && { nodeInfo: info }),
    };
  });
  await context.change({
    verb: 'status',
    resource: supervisorMachineTemplates,
    before: template,
    after,
    reason: 'CapacityKnown',
    message: `Reported the capacity of machines of VirtualMachineClass ${name}`,
  });
  return done();
}

const architectures = ['amd64', 'arm64', 's390x', 'ppc64le'] as const;
const systems = ['linux', 'windows'] as const;

/** Returns the operating system and architecture of the image, or undefined if the image has no known values. */
function nodeInfoOf(image: Frozen<ClusterVirtualMachineImage> | undefined): NodeInfo | undefined {
  const properties = new Map(image?.status?.vmwareSystemProperties?.map(({ key, value }) => [key, value]));
  const architecture = architectures.find((each) => each === properties.get('vmware-system.tkr.os-arch'));
  const operatingSystem = systems.find((each) => each === properties.get('vmware-system.tkr.os-type')?.toLowerCase());
  if (architecture === undefined && operatingSystem === undefined) return undefined;
  return { ...(architecture && { architecture }), ...(operatingSystem && { operatingSystem }) };
}
