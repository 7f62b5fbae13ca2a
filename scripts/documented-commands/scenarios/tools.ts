import type { Scenario } from '../scenario.js';

const programs = '"$DOCUMENTATION"/../.peers/bin';

/** Scenario of simulators and images. */
export const tools: Scenario = {
  title: 'simulators and images',
  steps: [
    { command: 'slipway image prune' },
    { command: 'slipway image list' },
    { command: 'slipway image list -o json' },
    {
      command: 'slipway image prepare --kubernetes-version v1.36.3 --from ./node-programs',
      before: `ln -s ${programs} node-programs`,
    },
    {
      command: 'slipway image prepare --kubernetes-version v1.36.3 --from .peers/bin',
      before: `mkdir .peers; ln -s ${programs} .peers/bin`,
    },
    {
      command: 'slipway dev vcenter > vsphere.env',
      names: { '> vsphere.env': '> >(tee vsphere.env)' },
      until: /VSPHERE_SERVER/,
    },
    {
      command: 'slipway dev vcenter --vcsim ./vcsim --listen 127.0.0.1:0',
      before: 'ln -s $(command -v vcsim) vcsim',
      until: /VSPHERE_SERVER/,
    },
    { command: 'slipway dev openshift --platform aws', until: /Stop +Ctrl-C|Ctrl-C/ },
    {
      command: 'slipway dev openshift --platform vsphere --feature-set Default --port 7443',
      // The data of the previous cluster is removed, because a cluster has one platform.
      before: 'rm -r ~/.local/share/slipway*',
      until: /Ctrl-C/,
    },
    { command: 'slipway up --simulate vcenter,supervisor', until: /Stop +Ctrl-C/ },
    { command: 'slipway drivers matrix show > matrix.yaml' },
    { command: 'slipway drivers matrix validate matrix.yaml' },
    { command: 'slipway drivers matrix explain --kubernetes 1.36 --vsphere 8.0.3' },
    { command: 'slipway drivers bundle create --file vdo-bundle.tar' },
    { command: 'slipway drivers bundle create -f vdo-bundle.tar', before: 'rm vdo-bundle.tar' },
    { command: 'slipway drivers bundle images --file vdo-bundle.tar' },
    { command: 'slipway drivers bundle create --csi 3.5.1 --file vdo-bundle.tar', before: 'rm vdo-bundle.tar' },
    { command: 'slipway drivers bundle olm ./olm-bundle' },
  ],
};
