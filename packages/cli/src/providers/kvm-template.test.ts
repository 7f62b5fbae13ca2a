import { clusterApiKinds } from '@slipway/cluster-api';
import { kvmTemplates, MissingVariablesError, processTemplate, templateVariables } from '@slipway/clusterctl';
import {
  findUnknownFields,
  type Kind,
  type KubeObject,
  type MutableJson,
  parseYamlDocuments,
  schemaOfKind,
  validate,
} from '@slipway/kube';
import { kubeadmKinds } from '@slipway/kubeadm';
import { kvmKinds } from '@slipway/kvm';
import { describe, expect, it } from 'vitest';
import { componentsText } from './components-text.js';

const kinds: readonly Kind[] = [...clusterApiKinds, ...kubeadmKinds, ...kvmKinds];
const required: Readonly<Record<string, string>> = {
  CLUSTER_NAME: 'abc',
  NAMESPACE: 'abc',
  KUBERNETES_VERSION: 'v1.35.0',
  KVM_IMAGE_URL: 'https://images.example.com/node.qcow2',
  KVM_IMAGE_CHECKSUM: 'a'.repeat(64),
  SSH_AUTHORIZED_KEY: 'ssh-ed25519 BBBB',
};
const templateOf = (name: string): string => kvmTemplates[name]?.() ?? '';
const render = (name: string, more: Readonly<Record<string, string>> = {}): KubeObject[] => {
  const values = { ...required, ...more };
  const text = processTemplate(templateOf(name), (variable) => values[variable]);
  return parseYamlDocuments(text).map(({ value }) => value as unknown as KubeObject);
};
const find = (objects: readonly KubeObject[], kind: string, suffix = ''): KubeObject & Record<string, unknown> =>
  objects.find((object) => object.kind === kind && object.metadata.name?.endsWith(suffix)) as never;

describe('KVM cluster templates', () => {
  it.each<{ file: string; more: Record<string, string> }>([
    { file: 'cluster-template.yaml', more: {} },
    { file: 'cluster-template-local.yaml', more: {} },
    { file: 'cluster-template-flatcar.yaml', more: {} },
    { file: 'cluster-template-kube-vip.yaml', more: { CONTROL_PLANE_ENDPOINT_HOST: '10.0.0.5' } },
    { file: 'cluster-template-clusterclass.yaml', more: {} },
    { file: 'clusterclass-kvm.yaml', more: {} },
  ])('$file is valid against the CRD schemas', ({ file, more }) => {
    const documents = render(file, more);
    expect(documents.length).toBeGreaterThan(0);
    for (const { metadata: _metadata, ...body } of documents) {
      const [group = '', version = ''] = body.apiVersion.split('/');
      const kind = kinds.find((each) => each.group === group && each.kind === body.kind) as Kind;
      const schema = schemaOfKind(kind, version);
      expect(findUnknownFields(schema, body as MutableJson)).toEqual([]);
      expect(validate(schema, { ...body, metadata: { name: 'x' } } as MutableJson)).toEqual([]);
    }
  });

  it('require only necessary variables, and have the documented defaults', () => {
    const variables = templateVariables(templateOf('cluster-template.yaml'));
    const defaults = Object.fromEntries(variables.map((variable) => [variable.name, variable.default]));
    expect(variables.filter((variable) => variable.default === undefined).map(({ name }) => name)).toEqual(
      Object.keys(required).sort(),
    );
    expect(defaults).toMatchObject({
      CONTROL_PLANE_MACHINE_COUNT: '3',
      WORKER_MACHINE_COUNT: '3',
      CONTROL_PLANE_MACHINE_CPUS: '4',
      WORKER_MACHINE_CPUS: '4',
      CONTROL_PLANE_MACHINE_MEMORY: '8Gi',
      WORKER_MACHINE_MEMORY: '8Gi',
      CONTROL_PLANE_DOCKER_VOLUME_SIZE_GB: '40',
      CONTROL_PLANE_VOLUME_SIZE_GB: '40',
      CONTROL_PLANE_KUBELET_VOLUME_SIZE_GB: '10',
      DOCKER_VOLUME_SIZE_GB: '40',
      VOLUME_SIZE_GB: '40',
      KUBELET_VOLUME_SIZE_GB: '20',
      POD_IP_RANGE: '172.24.0.0/16',
      SERVICE_IP_RANGE: '172.31.0.0/16',
      KVM_BACKEND: 'pod',
    });
  });

  it('set DNS servers, NTP servers, networks and sizes from variables', () => {
    const objects = render('cluster-template.yaml', {
      DNS_SERVERS: '[10.0.0.53, 10.0.0.54]',
      NTP_SERVERS: '[ntp.example.com]',
      DOCKER_NETWORK_CIDR: '172.20.0.0/16',
      POD_IP_RANGE: '10.1.0.0/16',
      SERVICE_IP_RANGE: '10.2.0.0/16',
      WORKER_MACHINE_CPUS: '3',
      WORKER_MACHINE_MEMORY: '5Gi',
      VOLUME_SIZE_GB: '30',
      DOCKER_VOLUME_SIZE_GB: '6',
      KUBELET_VOLUME_SIZE_GB: '7',
      CONTROL_PLANE_MACHINE_CPUS: '2',
      CONTROL_PLANE_DOCKER_VOLUME_SIZE_GB: '8',
      CONTROL_PLANE_KUBELET_VOLUME_SIZE_GB: '9',
      SSH_AUTHORIZED_KEY: 'ssh-ed25519 AAAA someone@example.com',
    });
    expect(find(objects, 'KVMCluster')['spec']).toMatchObject({
      backend: 'pod',
      network: { dnsServers: ['10.0.0.53', '10.0.0.54'] },
      ntpServers: ['ntp.example.com'],
      dockerNetwork: { cidr: '172.20.0.0/16' },
    });
    expect(find(objects, 'Cluster')['spec']).toMatchObject({
      clusterNetwork: { pods: { cidrBlocks: ['10.1.0.0/16'] }, services: { cidrBlocks: ['10.2.0.0/16'] } },
    });
    const worker = { cpu: '3', memory: '5Gi', disk: '30Gi', dockerVolumeSize: '6Gi', kubeletVolumeSize: '7Gi' };
    const image = { url: 'https://images.example.com/node.qcow2', checksum: 'a'.repeat(64) };
    expect(find(objects, 'KVMMachineTemplate', 'worker')['spec']).toEqual({
      template: { spec: { resources: worker, image } },
    });
    expect(find(objects, 'KVMMachineTemplate', 'control-plane')['spec']).toMatchObject({
      template: { spec: { resources: { cpu: '2', dockerVolumeSize: '8Gi', kubeletVolumeSize: '9Gi' }, image } },
    });
    expect(find(objects, 'KubeadmControlPlane')['spec']).toMatchObject({ version: 'v1.35.0' });
    expect(JSON.stringify(find(objects, 'KubeadmControlPlane')['spec'])).toContain(
      'ssh-ed25519 AAAA someone@example.com',
    );
  });

  it('boot the image that was built on the host, in the local flavor', () => {
    const named = (objects: readonly KubeObject[]) =>
      find(objects, 'KVMMachineTemplate', 'worker')['spec'] as { template: { spec: { image: object } } };
    expect(named(render('cluster-template-local.yaml')).template.spec.image).toEqual({ name: 'debian' });
    const tiny = render('cluster-template-local.yaml', { KVM_IMAGE_NAME: 'tiny' });
    expect(named(tiny).template.spec.image).toEqual({ name: 'tiny' });
  });

  it('set node-ip in the local flavor, whose machines have two addresses [kvm 10]', () => {
    const objects = render('cluster-template-local.yaml');
    const { kubeadmConfigSpec } = find(objects, 'KubeadmControlPlane')['spec'] as {
      kubeadmConfigSpec: Record<'initConfiguration' | 'joinConfiguration', Record<string, unknown>>;
    };
    const own = '{{ ds.meta_data.local_ipv4 }}';
    const registration = { kubeletExtraArgs: expect.arrayContaining([{ name: 'node-ip', value: own }]) as unknown };
    const localAPIEndpoint = { advertiseAddress: own };
    expect(kubeadmConfigSpec).toMatchObject({
      initConfiguration: { localAPIEndpoint, nodeRegistration: registration },
      joinConfiguration: { controlPlane: { localAPIEndpoint }, nodeRegistration: registration },
    });
    expect(JSON.stringify(find(objects, 'KubeadmConfigTemplate'))).toContain(`"value":"${own}"`);
    expect(JSON.stringify(render('cluster-template.yaml'))).not.toContain('node-ip');
  });

  it('keep variables that the machine substitutes at boot [kvm 40]', () => {
    const text = JSON.stringify(find(render('cluster-template-flatcar.yaml'), 'KubeadmControlPlane'));
    expect(text).toContain('"name":"${NODE_NAME}"');
    expect(text).toContain('kvm://${MACHINE_UUID}');
  });

  it('require the endpoint in the kube-vip flavor and use it as the VIP', () => {
    const file = 'cluster-template-kube-vip.yaml';
    expect(() => render(file)).toThrow(MissingVariablesError);
    const objects = render(file, { CONTROL_PLANE_ENDPOINT_HOST: '10.0.0.5' });
    expect(find(objects, 'KVMCluster')['spec']).toMatchObject({
      controlPlaneEndpoint: { host: '10.0.0.5', port: 6443 },
      controlPlaneExposure: { type: 'KubeVip', vip: '10.0.0.5' },
    });
    const manifest = JSON.stringify(find(objects, 'KubeadmControlPlane'));
    for (const part of ['vip_arp', 'cp_enable', 'vip_leaderelection', 'NET_ADMIN', 'super-admin.conf', '10.0.0.5'])
      expect(manifest).toContain(part);
  });

  it('install Calico as an App that does not need a pod network', () => {
    const objects = render('cluster-template-apps.yaml', { CALICO_VERSION: '0.2.0' });
    expect(find(objects, 'App')).toMatchObject({
      metadata: { namespace: 'abc', labels: { 'giantswarm.io/cluster': 'abc', 'app.kubernetes.io/name': 'calico' } },
      spec: { name: 'calico', version: '0.2.0', kubeConfig: { inCluster: false, secret: { name: 'abc-kubeconfig' } } },
    });
    const { data } = find(objects, 'ConfigMap') as unknown as { data: { values: string } };
    expect(parseYamlDocuments(data.values)[0]?.value).toMatchObject({
      chartOperator: { cni: { install: true } },
      cluster: { calico: { CIDR: '172.24.0.0/16' } },
    });
  });

  it('have components without required variables, and label every CRD with the provider', async () => {
    const text = await componentsText('infrastructure-kvm');
    // The variables that all managers share have defaults.
    expect(templateVariables(text).filter((variable) => variable.default === undefined)).toEqual([]);
    const definitions = parseYamlDocuments(text)
      .map(({ value }) => value as unknown as KubeObject)
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(definitions.map(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/provider'])).toEqual(
      kvmKinds.map(() => 'infrastructure-kvm'),
    );
  });

  it('include the VerticalPodAutoscaler of the manager and a Release', () => {
    const [autoscaler] = render('vertical-pod-autoscaler.yaml');
    expect(autoscaler).toMatchObject({
      spec: {
        targetRef: { name: 'capk-controller-manager' },
        updatePolicy: { updateMode: 'Auto' },
        resourcePolicy: {
          containerPolicies: [{ controlledValues: 'RequestsAndLimits', maxAllowed: { cpu: '500m', memory: '500Mi' } }],
        },
      },
    });
    const values = { RELEASE_VERSION: '20.0.0', RELEASE_DATE: '2026-01-01T00:00:00Z', CALICO_VERSION: '0.2.0' };
    const [release] = render('release.yaml', values);
    const { components } = (release as unknown as { spec: { components: { name: string }[] } }).spec;
    expect(components.map(({ name }) => name)).toContain('cluster-api-kvm');
  });
});
