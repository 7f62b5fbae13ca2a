import { expect, it } from 'vitest';
import { ownershipDiagram, referenceDiagram } from './diagrams.js';
import { ownerships } from './ownership.js';
import { referenceFields } from './references.js';

// `npx vitest run --project unit packages/insight/src/objects -u` writes the page; the test keeps it equal to the code.
it('docs/concepts/objects.md shows the ways between objects as the code knows them', async () => {
  const owners = ownerships.map(({ child, owner, controller }) => `| ${child} | ${owner} | ${controller} |`);
  const fields = referenceFields.map(({ from, path, to }) => `| ${from} | \`${path}\` | ${to} |`);
  const page = `# How objects hang together

Drawn from the code. *ClusterInfrastructure*, *ControlPlane*, *MachineInfrastructure* and *BootstrapConfig* stand for the kinds
of whichever provider is used: DevCluster, KubeadmControlPlane, DevMachine and KubeadmConfig in the quick start.

\`slipway describe cluster\` draws these ways for one cluster, \`slipway why\` walks along them.

## Who owns what

An owner that goes takes along what it owns. A solid line leads from the one owner that makes and deletes the object (its
controller), a dotted line from one that only keeps it.

\`\`\`mermaid
${ownershipDiagram()}
\`\`\`

| object | owner | is its controller |
| --- | --- | --- |
${owners.join('\n')}

## What refers to what

References name a group, a kind and a name. The version that is read comes from the labels of the definition, the namespace
is that of the object itself. Machines, MachineSets, MachineDeployments, MachinePools, MachineHealthChecks and
ClusterResourceSetBindings also name their Cluster in \`spec.clusterName\`.

\`\`\`mermaid
${referenceDiagram()}
\`\`\`

| from | field | to |
| --- | --- | --- |
${fields.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../../../docs/concepts/objects.md');
});
