import {
  type AdmissionContext,
  defineAdmission,
  type KindAdmission,
  labels,
  topologyAnnotations,
  validateImmutable,
  validateTemplateMetadata,
  validateTemplateUnchanged,
} from '@slipway/cluster-api';
import { type FieldError, forbiddenField, invalidField, requiredField, tooLong } from '@slipway/kube';
import * as api from '../api/index.js';
import { validateAddresses, validatePciDevices, validatePowerOff } from './clone-spec.js';
import { validateNaming } from './naming.js';
import { validateUnchangedBut } from './unchanged.js';

const changeableOfMachine = ['providerID', 'powerOffMode', 'guestSoftPowerOffTimeoutSeconds', 'network.devices'];

function validateMachine({ spec }: api.VSphereMachine, old: api.VSphereMachine | undefined): FieldError[] {
  return [
    ...validateAddresses('spec.network', spec.network),
    ...validatePowerOff('spec', spec),
    ...(old === undefined
      ? validatePciDevices('spec.pciDevices', spec.pciDevices)
      : validateUnchangedBut('spec', spec, old.spec, changeableOfMachine)),
  ];
}

const hardwareVersion = /^vmx-[1-9][0-9]?$/;

function validateMachineTemplate(
  object: api.VSphereMachineTemplate,
  old: api.VSphereMachineTemplate | undefined,
  context: AdmissionContext,
): FieldError[] {
  const { metadata, spec } = object.spec?.template ?? {};
  return [
    ...validateTemplateMetadata('spec.template.metadata', metadata),
    ...(old === undefined && spec !== undefined ? validateNewTemplate('spec.template.spec', spec) : []),
    ...validateTemplateUnchanged(object, old, context),
  ];
}

function validateNewTemplate(path: string, spec: api.VSphereMachine['spec']): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.providerID !== undefined) errors.push(forbiddenField(`${path}.providerID`, 'cannot be set in templates'));
  for (const [index, { ipAddrs = [] }] of spec.network.devices.entries()) {
    if (ipAddrs.length > 0)
      errors.push(forbiddenField(`${path}.network.devices[${index}].ipAddrs`, 'cannot be set in templates'));
  }
  if (spec.hardwareVersion !== undefined && !hardwareVersion.test(spec.hardwareVersion))
    errors.push(
      invalidField(`${path}.hardwareVersion`, spec.hardwareVersion, 'must be a hardware version such as vmx-19'),
    );
  return [
    ...errors,
    ...validatePowerOff(path, spec),
    ...validatePciDevices(`${path}.pciDevices`, spec.pciDevices),
    ...validateNaming(`${path}.naming`, spec.naming),
  ];
}

/**
 * Adds the former default of powerOffMode in dry runs of the topology controller, so that it sees no difference to templates that
 * were stored with it.
 */
function defaultMachineTemplate(
  { metadata, spec }: api.VSphereMachineTemplate,
  _old: unknown,
  { dryRun }: AdmissionContext,
): void {
  const machine = spec?.template.spec;
  if (!dryRun || !Object.hasOwn(metadata.annotations ?? {}, topologyAnnotations.dryRun)) return;
  if (machine !== undefined) machine.powerOffMode ??= 'hard';
}

const windowsNameLengthMax = 15;

function validateVm({ metadata, spec }: api.VSphereVm, old: api.VSphereVm | undefined): FieldError[] {
  const { name = '' } = metadata;
  const nameErrors =
    spec.os === 'Windows' && name.length > windowsNameLengthMax ? [tooLong('metadata.name', windowsNameLengthMax)] : [];
  return [
    ...validateAddresses('spec.network', spec.network),
    ...validatePowerOff('spec', spec),
    ...(old === undefined ? nameErrors : validateUnchangedBut('spec', spec, old.spec, changeableOfVm(old))),
  ];
}

function changeableOfVm({ spec }: api.VSphereVm): string[] {
  return [
    'bootstrapRef',
    'thumbprint',
    'powerOffMode',
    'guestSoftPowerOffTimeoutSeconds',
    'network.devices',
    // The controller sets these fields after creation, so they may change once.
    ...(spec.os === undefined ? ['os'] : []),
    ...(spec.biosUUID === undefined ? ['biosUUID'] : []),
  ];
}

function validateFailureDomain(
  { spec }: api.VSphereFailureDomain,
  old: api.VSphereFailureDomain | undefined,
): FieldError[] {
  if (old !== undefined) return validateImmutable('spec', spec, old.spec);
  return [...validateDomains(spec), ...validateDomainNetworks(spec.topology)];
}

type FailureDomainSpec = api.VSphereFailureDomain['spec'];

function validateDomains({ region, zone, topology }: FailureDomainSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (region.type === 'HostGroup') errors.push(forbiddenField('spec.region.type', 'a region cannot be a HostGroup'));
  if (zone.type === 'HostGroup' && topology.hosts === undefined)
    errors.push(requiredField('spec.topology.hosts', 'a zone of type HostGroup requires hosts'));
  const needsComputeCluster =
    topology.hosts !== undefined || [region, zone].some(({ type }) => type === 'ComputeCluster');
  if (needsComputeCluster && topology.computeCluster === undefined)
    errors.push(
      requiredField(
        'spec.topology.computeCluster',
        'required by hosts, and by zones and regions of type ComputeCluster',
      ),
    );
  return errors;
}

function validateDomainNetworks({
  networks = [],
  networkConfigurations = [],
}: FailureDomainSpec['topology']): FieldError[] {
  const errors = networkConfigurations.flatMap(({ networkName }, index) =>
    networkName === ''
      ? [requiredField(`spec.topology.networkConfigurations[${index}].networkName`, 'cannot be empty')]
      : [],
  );
  if (networks.length === 0 || networkConfigurations.length === 0) return errors;
  return [forbiddenField('spec.topology.networks', 'cannot be set together with networkConfigurations'), ...errors];
}

/** Rejects changes of the spec and of the cluster name label. */
function validateLoadBalancer(object: api.HaproxyLoadBalancer, old: api.HaproxyLoadBalancer | undefined): FieldError[] {
  const path = 'spec.virtualMachineConfiguration';
  const { virtualMachineConfiguration: machine } = object.spec;
  const label = `metadata.labels[${labels.clusterName}]`;
  const clusterName = object.metadata.labels?.[labels.clusterName] ?? '';
  if (old !== undefined) {
    return [
      ...validateImmutable('spec', object.spec, old.spec),
      ...validateImmutable(label, clusterName, old.metadata.labels?.[labels.clusterName] ?? ''),
    ];
  }
  return [
    ...(clusterName === '' ? [requiredField(label, 'must be the name of the Cluster')] : []),
    ...validateAddresses(`${path}.network`, machine.network),
    ...validatePciDevices(`${path}.pciDevices`, machine.pciDevices),
  ];
}

/** Admission of the kinds of vCenter mode. */
export const vcenterAdmission: readonly KindAdmission[] = [
  defineAdmission(api.haproxyLoadBalancer, { validate: validateLoadBalancer }),
  defineAdmission(api.vsphereMachine, {
    defaults: ({ spec }) => {
      spec.datacenter ??= '*';
    },
    validate: validateMachine,
  }),
  defineAdmission(api.vsphereMachineTemplate, {
    defaults: defaultMachineTemplate,
    validate: validateMachineTemplate,
  }),
  defineAdmission(api.vsphereClusterTemplate, {
    validate: (object, old, context) => [
      ...validateTemplateMetadata('spec.template.metadata', object.spec?.template.metadata),
      ...validateTemplateUnchanged(object, old, context),
    ],
  }),
  defineAdmission(api.vsphereVm, {
    defaults: ({ spec }) => {
      spec.os ??= 'Linux';
    },
    validate: validateVm,
  }),
  defineAdmission(api.vsphereFailureDomain, { validate: validateFailureDomain }),
  defineAdmission(api.vsphereDeploymentZone, {
    defaults: ({ spec }) => {
      spec.controlPlane ??= true;
    },
  }),
];
