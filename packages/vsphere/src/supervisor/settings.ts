import { type Setting, SettingError } from '@slipway/runtime';
import { type VmOperatorVersion, vmOperatorVersions } from '../api/index.js';

export const networkProviderSetting: Setting<string> = {
  flag: 'network-provider',
  placeholder: 'name',
  description:
    'who connects machines of a Supervisor: vsphere-network, NSX, NSX-VPC, or anything else for nobody of these',
  default: '',
  parse: (text) => text,
};

export const vmOperatorVersionSetting: Setting<VmOperatorVersion> = {
  flag: 'vm-operator-api-version',
  placeholder: 'version',
  description: `in which version VM Operator is spoken to: ${vmOperatorVersions.join(', ')}`,
  default: 'v1alpha5',
  parse: (text) => {
    const found = vmOperatorVersions.find((version) => version === text);
    if (found === undefined) throw new SettingError(`"${text}" is none of ${vmOperatorVersions.join(', ')}`);
    return found;
  },
};
