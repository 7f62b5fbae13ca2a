import type { Scenario } from '../scenario.js';

const image = 'KVM_IMAGE_URL=https://images.example.com/node.qcow2 KVM_IMAGE_CHECKSUM=$(printf %064d 0)';

/** Scenario of migrations to and from the KVM provider. Virtual machines boot in test/kvm/guide.test.ts. */
export const kvm: Scenario = {
  title: 'KVM',
  steps: [
    { command: 'slipway up', until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    {
      command:
        'slipway kvm migrate al9qy -n default --kubernetes-version v1.35.0 --image-url https://images.example.com/node.qcow2',
      before: `$SIMULATE kvm-operator &&
        kubectl apply -f definition.yaml &&
        kubectl wait crd/kvmconfigs.provider.giantswarm.io --for condition=Established --timeout 2m &&
        kubectl apply -f legacy.yaml`,
    },
    {
      command:
        'slipway kvm migrate -f al9qy.yaml --kubernetes-version v1.35.0 --image-url https://images.example.com/node.qcow2 --apply',
      before: 'kubectl get kvmconfig al9qy -o yaml > al9qy.yaml',
    },
    {
      command: 'slipway kvm export abc-worker --to vsphere > abc-worker-vsphere.yaml',
      before: `${image} SSH_AUTHORIZED_KEY=ssh-ed25519 \
        slipway generate cluster abc --infrastructure kvm --kubernetes-version v1.35.0 | kubectl apply -f -`,
    },
  ],
};
