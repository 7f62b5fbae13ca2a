import {
  clusterReasons,
  machineReasons,
  otherReasons,
  reasons,
  remediationReasons,
  topologyReasons,
} from '@slipway/cluster-api';
import { devReasons } from '@slipway/dev';
import { kubeadmReasons } from '@slipway/kubeadm';
import { describe, expect, it } from 'vitest';
import { causes } from './causes.js';
import { reasonMeanings } from './reason-meanings.js';

const groups = [
  { title: 'Of all kinds', reasons },
  { title: 'Of Clusters', reasons: clusterReasons },
  { title: 'Of topologies', reasons: topologyReasons },
  { title: 'Of Machines', reasons: machineReasons },
  { title: 'Of health checks and remediation', reasons: remediationReasons },
  { title: 'Of classes, add-ons, extensions and addresses', reasons: otherReasons },
  { title: 'Of kubeadm control planes', reasons: kubeadmReasons },
  { title: 'Of machines in memory', reasons: devReasons },
] as const;

// `npx vitest run --project unit packages/insight/src/why -u` writes the pages; the test keeps them equal to the code.
describe('the reference', () => {
  it('has a page of causes', async () => {
    const rows = Object.entries(causes).map(([name, { urgency, means, remedy }]) =>
      [`### ${name}`, '', means, '', `${urgency === 'act' ? 'Do' : 'Wait'}: ${remedy}`, ''].join('\n'),
    );
    const page = `# Why something waits

Written from the code. \`slipway why <kind>/<name>\` walks from an object along all that it waits for, and names one of these
causes with the object to blame, what was seen, and the next command to type. It ends with 0 when all is well, with 1 when
somebody has to do something, and with 6 when it only takes time. What stands first hinders what stands below it.

${rows.join('\n')}`;
    await expect(page).toMatchFileSnapshot('../../../../docs/reference/why.md');
  });

  it('has a page of condition reasons', async () => {
    const sections = groups.map(({ title, reasons: own }) => {
      const rows = Object.values(own)
        .toSorted()
        .map((reason) => `| \`${reason}\` | ${reasonMeanings[reason] ?? ''} |`);
      return `## ${title}\n\n| reason | meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
    });
    const page = `# Condition reasons

Written from the code. Every wait and every failure is a condition with one of these reasons and a message that says more;
\`slipway why\` finds the one that matters.

${sections.join('\n')}`;
    await expect(page).toMatchFileSnapshot('../../../../docs/reference/condition-reasons.md');
  });

  it('explains every reason that the code knows, and no other', () => {
    const known = new Set(groups.flatMap(({ reasons: own }) => Object.values<string>(own)));
    expect(Object.keys(reasonMeanings).toSorted()).toEqual([...known].toSorted());
  });
});
