import { expect, it } from 'vitest';
import { ownershipDiagram, referenceDiagram } from './diagrams.js';
import { ownerships } from './ownership.js';
import { referenceFields } from './references.js';

// `npx vitest run --project unit packages/insight/src/objects -u` regenerates the page.
it('docs/concepts/objects.md shows the ownerships and references that the code defines', async () => {
  const owners = ownerships.map(({ child, owner, controller }) => `| ${child} | ${owner} | ${controller} |`);
  const fields = referenceFields.map(({ from, path, to }) => `| ${from} | \`${path}\` | ${to} |`);
  const page = `# Ownership and references between objects

Generated from the code. *ClusterInfrastructure*, *ControlPlane*, *MachineInfrastructure* and *BootstrapConfig* represent the kinds
of the selected provider: DevCluster, KubeadmControlPlane, DevMachine and KubeadmConfig in the quick start.

\`slipway describe cluster\` shows these relations for one cluster, and \`slipway why\` follows them.

## Ownership

Deleting an owner deletes the objects that it owns. A solid line starts at the controller owner, which creates and deletes the
object. A dotted line starts at an owner that is not its controller.

\`\`\`mermaid
${ownershipDiagram()}
\`\`\`

| object | owner | controller |
| --- | --- | --- |
${owners.join('\n')}

## References

A reference has a group, a kind and a name. The version comes from the contract labels of the CRD; the namespace is that of the
referring object. Machines, MachineSets, MachineDeployments, MachinePools, MachineHealthChecks and ClusterResourceSetBindings also
name their Cluster in \`spec.clusterName\`.

\`\`\`mermaid
${referenceDiagram()}
\`\`\`

| from | field | to |
| --- | --- | --- |
${fields.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../../../docs/concepts/objects.md');
});
