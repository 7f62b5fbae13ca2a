import { type Setting, SettingError } from '@slipway/runtime';
import { type VmOperatorVersion, vmOperatorVersions } from '../api/index.js';

export const networkProviderSetting: Setting<string> = {
  flag: 'network-provider',
  placeholder: 'name',
  description:
    'Network provider of the Supervisor. One of: vsphere-network, NSX, NSX-VPC. Any other value disables network management.',
  default: '',
  parse: (text) => text,
};

export const vmOperatorVersionSetting: Setting<VmOperatorVersion> = {
  flag: 'vm-operator-api-version',
  placeholder: 'version',
  description: `Version of the VM Operator API. One of: ${vmOperatorVersions.join(', ')}.`,
  default: 'v1alpha5',
  parse: (text) => {
    const found = vmOperatorVersions.find((version) => version === text);
    if (found === undefined)
      throw new SettingError(`invalid version "${text}", must be one of ${vmOperatorVersions.join(', ')}`);
    return found;
  },
};
