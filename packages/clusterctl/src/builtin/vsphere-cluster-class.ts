import { kubeVipPod, kubeVipSupport, vcenterVip } from './kube-vip.js';
import { indent, templateOf } from './template-lines.js';
import { type DriverManifests, driverResources } from './vsphere-drivers.js';
import {
  bootCommands,
  clusterObject,
  machineFields,
  nodeRegistration,
  supervisorMachine,
  supervisorNetwork,
  vcenterAccount,
} from './vsphere-parts.js';

/** What differs between the classes of the two modes. */
interface ClassParts {
  readonly className: string;
  readonly group: string;
  /** Fields of both machine templates. */
  readonly machine: readonly string[];
  /** Fields of every VSphereCluster. A template without any has no spec at all. */
  readonly clusterTemplate: readonly string[];
  readonly variables: readonly string[];
  readonly patches: readonly string[];
  /** Files of the control plane that no variable changes. */
  readonly files: readonly string[];
  readonly kubeVip: boolean;
}

const vcenterGroup = 'infrastructure.cluster.x-k8s.io';
const supervisorGroup = 'vmware.infrastructure.cluster.x-k8s.io';
/** `clusterclass-<name>.yaml` is the file that brings a class which is not there yet. */
const vcenterClass = '${CLUSTER_CLASS_NAME:=template}';
const supervisorClass = '${CLUSTER_CLASS_NAME:=template-supervisor}';

const variable = (name: string, schema: string, description: string, required = true): string[] => [
  `- name: ${name}`,
  `  required: ${required}`,
  '  schema:',
  '    openAPIV3Schema:',
  `      description: ${description}`,
  ...schema.split('\n').map((line) => `      ${line}`),
];

const sshKey = variable('sshKey', 'type: string', 'A public key that may log in to the machines.', false);

const vcenterVariables = [
  ...sshKey,
  ...variable('controlPlaneIpAddr', 'type: string', 'The address of the control plane, held by kube-vip.'),
  ...variable('controlPlanePort', 'type: integer', 'The port of the control plane.'),
  ...variable('kubeVipPodManifest', 'type: string', 'The static pod that holds the address.'),
  ...variable(
    'infraServer',
    'type: object\nproperties:\n  url: {type: string}\n  thumbprint: {type: string}',
    'The vCenter.',
  ),
  ...variable('credsSecretName', 'type: string', 'The Secret with the account of the vCenter.'),
];

function patch(name: string, definitions: readonly string[], enabledIf?: string): string[] {
  return [
    `- name: ${name}`,
    ...(enabledIf === undefined ? [] : [`  enabledIf: '${enabledIf}'`]),
    '  definitions:',
    ...definitions.map((line) => `  ${line}`),
  ];
}

function definition(apiVersion: string, kind: string, matches: string, changes: readonly string[]): string[] {
  return [
    '- selector:',
    `    apiVersion: ${apiVersion}`,
    `    kind: ${kind}`,
    `    matchResources: {${matches}}`,
    '  jsonPatches:',
    ...changes.map((line) => `  ${line}`),
  ];
}

const controlPlaneApi = 'controlplane.cluster.x-k8s.io/v1beta2';
const bootstrapApi = 'bootstrap.cluster.x-k8s.io/v1beta2';

const userOf = (path: string): string[] => [
  '- op: add',
  `  path: ${path}`,
  '  valueFrom:',
  '    template: |',
  '      - name: capv',
  '        sshAuthorizedKeys:',
  "        - '{{ .sshKey }}'",
  '        sudo: ALL=(ALL) NOPASSWD:ALL',
];

const sshPatch = (className: string): string[] =>
  patch(
    'enableSSHIntoNodes',
    [
      ...definition(
        controlPlaneApi,
        'KubeadmControlPlaneTemplate',
        'controlPlane: true',
        userOf('/spec/template/spec/kubeadmConfigSpec/users'),
      ),
      ...definition(
        bootstrapApi,
        'KubeadmConfigTemplate',
        `machineDeploymentClass: {names: ["${className}-worker"]}`,
        userOf('/spec/template/spec/users'),
      ),
    ],
    '{{ if .sshKey }}true{{ end }}',
  );

const clusterChange = (...changes: readonly string[]): string[] =>
  definition(`${vcenterGroup}/v1beta2`, 'VSphereClusterTemplate', 'infrastructureCluster: true', changes);

const vcenterPatches = [
  ...sshPatch(vcenterClass),
  ...patch(
    'infraClusterSubstitutions',
    clusterChange(
      '- op: add',
      '  path: /spec/template/spec/controlPlaneEndpoint',
      '  valueFrom:',
      '    template: |',
      "      host: '{{ .controlPlaneIpAddr }}'",
      '      port: {{ .controlPlanePort }}',
      '- op: add',
      '  path: /spec/template/spec/identityRef',
      '  valueFrom:',
      '    template: |',
      '      kind: Secret',
      "      name: '{{ .credsSecretName }}'",
      '- op: add',
      '  path: /spec/template/spec/server',
      '  valueFrom: {variable: infraServer.url}',
    ),
  ),
  // An empty thumbprint is none.
  ...patch(
    'infraClusterThumbprint',
    clusterChange(
      '- op: add',
      '  path: /spec/template/spec/thumbprint',
      '  valueFrom: {variable: infraServer.thumbprint}',
    ),
    '{{ if .infraServer.thumbprint }}true{{ end }}',
  ),
  // The address in the pod follows the variable: a cluster whose address was changed needs no new pod by hand.
  ...patch(
    'kubeVipPodManifest',
    definition(controlPlaneApi, 'KubeadmControlPlaneTemplate', 'controlPlane: true', [
      '- op: add',
      '  path: /spec/template/spec/kubeadmConfigSpec/files/-',
      '  valueFrom:',
      '    template: |',
      '      owner: root:root',
      '      path: /etc/kubernetes/manifests/kube-vip.yaml',
      '      permissions: "0644"',
      '      content: {{ regexReplaceAll "(name: address\\n +value:).*" .kubeVipPodManifest (printf "$1 %s" .controlPlaneIpAddr) | toJson }}',
    ]),
  ),
];

function clusterClass(parts: ClassParts): string {
  const { className, group } = parts;
  const machines = (suffix: string): string => `
apiVersion: ${group}/v1beta2
kind: VSphereMachineTemplate
metadata:
  name: "${className}-${suffix}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
${indent(6, parts.machine)}
`;
  const clusterSpec =
    parts.clusterTemplate.length === 0
      ? ''
      : `spec:
  template:
    spec:
${indent(6, parts.clusterTemplate)}
`;
  return templateOf(
    classObject(parts),
    `
apiVersion: ${group}/v1beta2
kind: VSphereClusterTemplate
metadata:
  name: "${className}"
  namespace: "\${NAMESPACE}"
${clusterSpec}`,
    machines('template'),
    machines('worker-machinetemplate'),
    controlPlaneTemplate(parts),
    workerTemplate(className),
  );
}

function classObject({ className, group, variables, patches }: ClassParts): string {
  const reference = (apiVersion: string, kind: string, name: string): string =>
    `templateRef: {apiVersion: ${apiVersion}, kind: ${kind}, name: "${name}"}`;
  return `
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata:
  name: "${className}"
  namespace: "\${NAMESPACE}"
spec:
  infrastructure:
    ${reference(`${group}/v1beta2`, 'VSphereClusterTemplate', className)}
  controlPlane:
    ${reference(controlPlaneApi, 'KubeadmControlPlaneTemplate', `${className}-controlplane`)}
    machineInfrastructure:
      ${reference(`${group}/v1beta2`, 'VSphereMachineTemplate', `${className}-template`)}
  workers:
    machineDeployments:
    - class: "${className}-worker"
      bootstrap:
        ${reference(bootstrapApi, 'KubeadmConfigTemplate', `${className}-worker-bootstrap-template`)}
      infrastructure:
        ${reference(`${group}/v1beta2`, 'VSphereMachineTemplate', `${className}-worker-machinetemplate`)}
  variables:
${indent(2, variables)}
  patches:
${indent(2, patches)}
`;
}

function controlPlaneTemplate({ className, files, kubeVip }: ClassParts): string {
  const registration = nodeRegistration('cloud-config');
  return `
apiVersion: ${controlPlaneApi}
kind: KubeadmControlPlaneTemplate
metadata:
  name: "${className}-controlplane"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      kubeadmConfigSpec:
        format: cloud-config
        clusterConfiguration:
          controllerManager:
            extraArgs:
            - name: cloud-provider
              value: external
        initConfiguration:
${indent(10, registration)}
        joinConfiguration:
${indent(10, registration)}
${indent(8, [...files, ...bootCommands('cloud-config', kubeVip)])}
`;
}

function workerTemplate(className: string): string {
  return `
apiVersion: ${bootstrapApi}
kind: KubeadmConfigTemplate
metadata:
  name: "${className}-worker-bootstrap-template"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      format: cloud-config
      joinConfiguration:
${indent(8, nodeRegistration('cloud-config'))}
${indent(6, bootCommands('cloud-config', false))}
`;
}

function topologyCluster(className: string, variables: readonly string[], network: readonly string[]): string {
  return clusterObject(network, [
    'topology:',
    '  classRef:',
    `    name: "${className}"`,
    '  version: "${KUBERNETES_VERSION}"',
    '  controlPlane:',
    '    replicas: ${CONTROL_PLANE_MACHINE_COUNT}',
    '  workers:',
    '    machineDeployments:',
    `    - class: "${className}-worker"`,
    '      name: md-0',
    '      replicas: ${WORKER_MACHINE_COUNT}',
    '  variables:',
    ...variables.map((line) => `  ${line}`),
  ]);
}

const sshValue = ['- name: sshKey', '  value: "${VSPHERE_SSH_AUTHORIZED_KEY}"'];

const vcenterValues = [
  ...sshValue,
  '- name: controlPlaneIpAddr',
  '  value: "${CONTROL_PLANE_ENDPOINT_IP}"',
  '- name: controlPlanePort',
  '  value: ${CONTROL_PLANE_ENDPOINT_PORT:=6443}',
  '- name: infraServer',
  '  value:',
  '    url: "${VSPHERE_SERVER}"',
  '    thumbprint: "${VSPHERE_TLS_THUMBPRINT}"',
  '- name: credsSecretName',
  '  value: "${CLUSTER_NAME}"',
  '- name: kubeVipPodManifest',
  '  value: |',
  ...kubeVipPod(vcenterVip).map((line) => `    ${line}`),
];

export const vcenterClusterClass = clusterClass({
  className: vcenterClass,
  group: vcenterGroup,
  machine: machineFields(['dhcp4: true']),
  clusterTemplate: ['server: "${VSPHERE_SERVER}"'],
  variables: vcenterVariables,
  patches: vcenterPatches,
  files: kubeVipSupport(),
  kubeVip: true,
});

/** The load balancer is the Supervisor's own, and so is whoever knows the vCenter: there is nothing to say of either. */
export const supervisorClusterClass = clusterClass({
  className: supervisorClass,
  group: supervisorGroup,
  machine: supervisorMachine,
  clusterTemplate: [],
  variables: sshKey,
  patches: sshPatch(supervisorClass),
  files: [],
  kubeVip: false,
});

export const vcenterTopology = (drivers: DriverManifests): string =>
  templateOf(topologyCluster(vcenterClass, vcenterValues, []), vcenterAccount, ...driverResources(drivers));

export const supervisorTopology = templateOf(topologyCluster(supervisorClass, sshValue, supervisorNetwork));
