import { clusters } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import {
  type Conditioned,
  configMaps,
  coreEvents,
  deployments,
  getCondition,
  type Resource,
  validatingWebhookConfigurations,
} from '@slipway/runtime';
import { createSimulatedMachineApi, unavailableImage } from '@slipway/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprover, clusterOperators, findPlatform, mapiMachines, type Platform } from '../src/index.js';
import { mapiMachine, providerSpecs, conditionText, statusOf } from './migration-fixture.js';
import { infraName, OpenShiftPlane, providerSets } from './openshift-plane.js';

const namespace = 'openshift-cluster-api';
const aws = findPlatform('AWS') as Platform;
const imagesKey = { namespace, name: 'cluster-capi-operator-images' };

describe('providers in an OpenShift cluster', () => {
  let plane: OpenShiftPlane;
  let core: Resource;
  let infrastructure: Resource;
  beforeAll(async () => {
    plane = await OpenShiftPlane.start({
      platform: aws,
      sets: ({ clusterAs }) => [
        ...providerSets(),
        createSimulatedMachineApi({ platform: aws, clusterAs }),
        createApprover({ apis: [{ group: 'machine.openshift.io' }] }),
      ],
    });
    core = await plane.resource('operator.cluster.x-k8s.io/v1alpha2', 'CoreProvider');
    infrastructure = await plane.resource('operator.cluster.x-k8s.io/v1alpha2', 'InfrastructureProvider');
  });
  afterAll(() => plane.stop());

  const isReady = (object: Frozen<KubeObject> | undefined): boolean =>
    conditionText(object, 'Ready').startsWith('True');

  async function setImage(name: string, image: string): Promise<void> {
    const existing = await plane.client.get(configMaps, imagesKey);
    const images = JSON.parse(existing.data?.['images.json'] ?? '{}') as JsonObject;
    const data = { 'images.json': JSON.stringify({ ...images, [name]: image }) };
    await plane.client.patch(configMaps, imagesKey, { type: 'merge', patch: { data } });
  }

  it('retries to create the InfraCluster while the provider webhook has no certificate [operators 33]', async () => {
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'not-served-yet' },
      webhooks: [
        {
          name: 'awscluster.infrastructure.cluster.x-k8s.io',
          // No process listens on this port.
          clientConfig: { url: 'https://127.0.0.1:1/validate' },
          rules: [
            {
              apiGroups: ['infrastructure.cluster.x-k8s.io'],
              apiVersions: ['*'],
              operations: ['CREATE'],
              resources: ['awsclusters'],
            },
          ],
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    await plane.client.create(validatingWebhookConfigurations as Resource, configuration);
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    const waiting = await plane.until(clusterOperators, { namespace: '', name: 'cluster-api' }, (one) =>
      conditionText(one, 'InfraClusterControllerProgressing').includes('EphemeralError'),
    );
    expect(getCondition(waiting as Conditioned, 'InfraClusterControllerProgressing')?.message).toContain('webhook');
    await plane.client.delete(validatingWebhookConfigurations, { namespace: '', name: 'not-served-yet' });
    await plane.until(clusters, { namespace, name: infraName }, (one) => one !== undefined);
  });

  it('are installed from ConfigMaps with images of the release and become ready [R23, R24, R25, R32]', async () => {
    await plane.until(core, { namespace, name: 'cluster-api' }, isReady);
    const provider = await plane.until(infrastructure, { namespace, name: 'aws' }, isReady);
    expect(statusOf(provider)).toMatchObject({ installedVersion: 'v2.9.0', contract: 'v1beta1' });
    const manager = await plane.client.get(deployments, { namespace, name: 'aws-controller-manager' });
    expect(manager.spec?.template.spec?.containers.map(({ image }) => image)).toEqual([
      'registry.demo.example.com/release@sha256:aws-cluster-api-controllers',
      'registry.demo.example.com/release@sha256:kube-rbac-proxy',
    ]);
  });

  it('installs a second provider besides that of the platform [R12]', async () => {
    const { metadata: _metadata, ...rest } = await plane.client.get(configMaps, {
      namespace,
      name: 'infrastructure-aws-v2.9.0',
    });
    const labels = {
      'provider.cluster.x-k8s.io/name': 'mine',
      'provider.cluster.x-k8s.io/type': 'infrastructure',
      'provider.cluster.x-k8s.io/version': 'v2.9.0',
    };
    const data = {
      ...rest.data,
      components: (rest.data?.['components'] ?? '').replaceAll('aws-controller', 'mine-controller'),
    };
    await plane.client.create(configMaps, {
      ...structuredClone(rest),
      data,
      metadata: { namespace, name: 'mine', labels },
    } as never);
    await plane.client.create(infrastructure, {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'InfrastructureProvider',
      metadata: { namespace, name: 'mine' },
      spec: {
        version: 'v2.9.0',
        fetchConfig: { selector: { matchLabels: { 'provider.cluster.x-k8s.io/name': 'mine' } } },
      },
    });
    await plane.until(infrastructure, { namespace, name: 'mine' }, isReady);
    expect(isReady(await plane.client.get(infrastructure, { namespace, name: 'aws' }))).toBe(true);
  });

  it('reports an image that cannot be pulled while Machine API creates machines [R39]', async () => {
    await setImage('aws-cluster-api-controllers', `registry.demo.example.com/${unavailableImage}`);
    const broken = await plane.until(infrastructure, { namespace, name: 'aws' }, (one) =>
      conditionText(one, 'Ready').startsWith('False'),
    );
    expect(conditionText(broken, 'Ready')).toBe('False MinimumReplicasUnavailable');
    await plane.client.create(mapiMachines, mapiMachine('meanwhile', providerSpecs['AWS'] ?? {}, 'MachineAPI'));
    await plane.until(
      mapiMachines,
      { namespace: 'openshift-machine-api', name: 'meanwhile' },
      (one) => one?.status?.phase === 'Running',
    );
    await setImage('aws-cluster-api-controllers', 'registry.demo.example.com/release@sha256:again');
    await plane.until(infrastructure, { namespace, name: 'aws' }, isReady);
  });

  it('sets Degraded and records an event for an image that the release does not contain [R40]', async () => {
    await setImage('kube-rbac-proxy', '');
    const operator = await plane.until(clusterOperators, { namespace: '', name: 'cluster-api' }, (one) =>
      (one?.status?.conditions ?? []).some(({ message }) => message?.includes('has no image kube-rbac-proxy') === true),
    );
    expect(conditionText(operator, 'Available')).toBe('True AsExpected');
    await setImage('kube-rbac-proxy', 'registry.demo.example.com/release@sha256:kube-rbac-proxy');
    await plane.until(clusterOperators, { namespace: '', name: 'cluster-api' }, (one) =>
      conditionText(one, 'CapiInstallerControllerProgressing').startsWith('False'),
    );
    const reported = (await plane.client.list(coreEvents)).items.filter(
      ({ involvedObject }) => involvedObject.kind === 'ClusterOperator',
    );
    expect(reported.map(({ reason }) => reason)).toContain('StatusDegraded');
  });
});
