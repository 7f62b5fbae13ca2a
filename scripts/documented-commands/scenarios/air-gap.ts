import type { Scenario } from '../scenario.js';

const metadata = (major: number, minor: number): string =>
  `{ apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3, kind: Metadata, releaseSeries: [{ major: ${major}, minor: ${minor}, contract: v1beta2 }] }`;
const components = 'repository/infrastructure-dev/v*/infrastructure-components.yaml';
const release = (folder: string, major: number, minor: number): string =>
  `mkdir -p ${folder} && cp ${components} ${folder} && echo '${metadata(major, minor)}' > ${folder}/metadata.yaml`;
/** Writes the reader's configuration, which names a mirror of a release that is on the internet. */
const mirrored = `mkdir -p ~/.config/cluster-api && cat > ~/.config/cluster-api/clusterctl.yaml <<END
providers:
- name: aws
  type: InfrastructureProvider
  url: https://example.com/infrastructure-aws/v2.9.0/infrastructure-components.yaml
END`;

/** Scenario with releases and templates in files and in an OCI registry. */
export const airGap: Scenario = {
  title: 'air gap',
  servers: { 'registry.local': 'registry', 'example.com': 'files' },
  steps: [
    { command: 'slipway release --out ./repository' },
    {
      command: 'slipway operator preload --infrastructure aws:capa-system:v2.9.0',
      before: `${release('served/infrastructure-aws/v2.9.0', 2, 9)} && ${mirrored}`,
    },
    {
      command: 'slipway operator publish -u registry.local/edge:v1.0.0 -d ./v1.0.0',
      before: release('v1.0.0', 1, 0),
    },
    {
      command:
        'slipway operator publish -u registry.local/edge:v1.0.0 -f metadata.yaml -f infrastructure-components.yaml',
      before: 'cp v1.0.0/* .',
    },
    { command: 'slipway operator preload -i edge::v1.0.0 -u registry.local/edge:v1.0.0' },
    {
      command: 'slipway generate cluster demo --from oci://registry.local/edge:v1#edge.yaml',
      before: `slipway generate cluster edge -i dev > v1.0.0/edge.yaml &&
        slipway operator publish -u registry.local/edge:v1 -d ./v1.0.0`,
    },
    { command: 'slipway config cluster demo --from oci://registry.local/edge:v1#edge.yaml' },
    { command: 'slipway up', until: /Stop +Ctrl-C/, keepsRunning: true },
    {
      command: 'slipway operator preload --existing --kubeconfig company.conf',
      before: 'cp ~/.local/share/slipway/admin.conf company.conf',
    },
  ],
};
