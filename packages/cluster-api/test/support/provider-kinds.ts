import { invalidField, type JsonObject, type Kind, type KubeObject, parseApiVersion } from '@slipway/kube';
import { custom, defineKind, freeObject, type Node, optional, refine } from '@slipway/kube/kit';
import type { KindSet } from '@slipway/plane';
import { type Resource, resourceOf } from '@slipway/runtime';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
  type FindDefinition,
} from '../../src/index.js';

export const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';
const bootstrapGroup = 'bootstrap.cluster.x-k8s.io';
const controlPlaneGroup = 'controlplane.cluster.x-k8s.io';

/** Returns a provider kind of the latest contract that accepts any spec. */
function providerKind<G extends string, K extends string>(group: G, kind: K, spec: Node<JsonObject> = freeObject()) {
  return defineKind({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    labels: { 'cluster.x-k8s.io/v1beta2': 'v1' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { spec: optional(spec), status: optional(freeObject()) },
        subresources: { status: true },
      },
    ],
  });
}

/** Rejects the creation of objects with `refuse: now`. */
const refusing = refine(freeObject(), {
  rules: [{ rule: "!has(self.refuse) || self.refuse != 'now'", message: 'the provider is out of machines' }],
});
const testMachine = providerKind(
  infrastructureGroup,
  'TestMachine',
  custom<JsonObject>({ ...refusing.schema, properties: { refuse: { type: 'string' } } }),
);
const testMachineTemplate = providerKind(infrastructureGroup, 'TestMachineTemplate');
const testMachinePool = providerKind(infrastructureGroup, 'TestMachinePool');
const testRemediation = providerKind(infrastructureGroup, 'TestRemediation');
const testRemediationTemplate = providerKind(infrastructureGroup, 'TestRemediationTemplate');
const testConfig = providerKind(bootstrapGroup, 'TestConfig');
const testConfigTemplate = providerKind(bootstrapGroup, 'TestConfigTemplate');
const testControlPlane = providerKind(controlPlaneGroup, 'TestControlPlane');

const plain = (kind: Kind): Resource => resourceOf(kind as never);

export const testMachines = plain(testMachine);
export const testMachineTemplates = plain(testMachineTemplate);
export const testMachinePools = plain(testMachinePool);
export const testRemediations = plain(testRemediation);
export const testRemediationTemplates = plain(testRemediationTemplate);
export const testConfigs = plain(testConfig);
export const testConfigTemplates = plain(testConfigTemplate);
export const testControlPlanes = plain(testControlPlane);

let refuses: () => boolean = () => false;

/** Sets the function that decides whether the provider rejects a new machine. */
export function setRefusal(decide: () => boolean): void {
  refuses = decide;
}

/** Returns the kinds of this package and those of a provider without controllers. */
export function kindsWithProvider(findDefinition: FindDefinition): KindSet {
  return {
    name: 'test',
    kinds: [
      ...clusterApiKinds,
      testMachine,
      testMachineTemplate,
      testMachinePool,
      testRemediation,
      testRemediationTemplate,
      testConfig,
      testConfigTemplate,
      testControlPlane,
    ],
    converters: createConverters(clusterApiConversions, contractVersionsFrom(findDefinition)),
    rules: [
      ...bindAdmission(clusterApiAdmission, featureGateDefaults),
      {
        kind: testMachine as Kind,
        applyDefaults: () => undefined,
        validate: (object, old) =>
          old === undefined && refuses() ? [invalidField('spec', object.metadata.name ?? '', 'no room for it')] : [],
      },
    ],
  };
}

/** An object of a provider. */
export function providerObject(resource: Resource, name: string, spec: object, status?: object): KubeObject {
  const { group, version, kind } = resource;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace: 'default' },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

/** A reference to an object. */
export function referenceTo(object: KubeObject): { apiGroup: string; kind: string; name: string } {
  const { group } = parseApiVersion(object.apiVersion);
  return { apiGroup: group, kind: object.kind, name: object.metadata.name ?? '' };
}
