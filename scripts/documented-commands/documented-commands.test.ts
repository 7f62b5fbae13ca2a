import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { moveGlobalFlags } from '../../packages/cli/src/options/global-flags.js';
import { createProgram } from '../../packages/cli/src/program.js';
import { airGap } from './scenes/air-gap.js';
import { backup } from './scenes/backup.js';
import { drivers } from './scenes/drivers.js';
import { everyday } from './scenes/everyday.js';
import { firstCluster } from './scenes/first-cluster.js';
import { kvm } from './scenes/kvm.js';
import { openShift } from './scenes/openshift.js';
import { providers } from './scenes/providers.js';
import { questions } from './scenes/questions.js';
import { tools } from './scenes/tools.js';
import { twoPlanes } from './scenes/two-planes.js';
import { type DocumentedCommand, documentedCommands } from './documented-commands.js';

const scenes = [
  firstCluster,
  everyday,
  questions,
  backup,
  providers,
  airGap,
  twoPlanes,
  tools,
  drivers,
  kvm,
  openShift,
];
const performed = new Set(scenes.flatMap(({ steps }) => steps.map(({ command }) => command)));

/** Pages whose commands are run by a test of their own: the first three read the page, the last one uses its manifest. */
const pagesWithTests: Readonly<Record<string, string>> = {
  'docs/tasks/cluster-on-vsphere.md': 'test/vsphere/guide.test.ts',
  'docs/tasks/kvm-clusters.md': 'test/kvm/guide.test.ts',
  'docs/tasks/keep-providers-current.md': 'test/operator/keep-providers-current.test.ts',
  'docs/tasks/real-local-cluster.md': 'test/host/real-nodes.test.ts',
};

/** Commands that need what a scene does not have: the test that runs them with values of its own. */
const commandsWithTests: readonly (readonly [RegExp, string])[] = [
  [/^slipway drivers |vdo\.vmware\.com/, 'test/drivers/command.test.ts'],
  [/^slipway (?:kvm|image build) /, 'test/kvm/guide.test.ts'],
  [/^slipway operator (?:preload|publish) /, 'test/operator/keep-providers-current.test.ts'],
  [/ --from oci:/, 'packages/operator/test/fetch-release.test.ts'],
  [/--openshift-releases |^slipway machine-approver /, 'test/operator/openshift-manager.test.ts'],
  [/^clusterctl upgrade apply |^slipway (?:upgrade apply|init) .*:v/, 'test/clusterctl/migration.test.ts'],
  // Asks questions.
  [/^slipway create cluster(?: demo)?$/, 'test/clusterctl/terminal.test.ts'],
  [/^slipway unblock /, 'packages/cli/test/insight-commands.test.ts'],
];

/** Commands in a checkout of the repository, where developers run them. */
const developerCommand = /^(?:git clone|npm (?:ci|start|run)|sudo npx) ?/;
/** Run before any test: scripts/install-for-tests.mjs. */
const installation = /^npm install --global \.\/slipway-[\d.]+\.tgz$/;
/** Values that stand for those of the reader. */
const placeholder = /\/home\/you\//;

const isCovered = ({ page, command }: DocumentedCommand): boolean =>
  performed.has(command) ||
  page in pagesWithTests ||
  developerCommand.test(command) ||
  installation.test(command) ||
  placeholder.test(command) ||
  commandsWithTests.some(([pattern]) => pattern.test(command));

/** The words of each `slipway` command in a line of shell. */
function slipwayWords(line: string): string[][] {
  const words = [...line.matchAll(/"[^"]*"|'[^']*'|\d?[<>]|[|&<>]|[^\s|<>&]+/g)].map(([word]) =>
    word.replaceAll(/^["']|["']$/g, ''),
  );
  const found: string[][] = [];
  let current: string[] | undefined;
  for (const word of words) {
    if (word === 'slipway') found.push((current = []));
    else if (/^\d?[|<>&]$/.test(word)) current = undefined;
    else current?.push(word);
  }
  return found;
}

/** Lets every command accept its arguments and do nothing. */
function doNothing(command: Command): void {
  for (const child of command.commands) doNothing(child);
  command.action(() => undefined);
  command.exitOverride();
}

describe('commands of the documentation', () => {
  const documented = documentedCommands();

  it('are run by a test', () => {
    expect(documented.length).toBeGreaterThan(300);
    expect(documented.filter((each) => !isCovered(each))).toEqual([]);
  });

  it('are run by tests that exist', () => {
    const tests = [...Object.values(pagesWithTests), ...commandsWithTests.map(([, test]) => test)];
    expect(tests.filter((test) => !existsSync(test))).toEqual([]);
  });

  it('are what the scenes run', () => {
    const all = new Set(documented.map(({ command }) => command));
    expect([...performed].filter((command) => !all.has(command))).toEqual([]);
  });

  it.each(
    documented.flatMap(({ page, command }) => slipwayWords(command).map((words) => [command, page, words] as const)),
  )('%s (%s) has flags and arguments that exist', async (_command, _page, words) => {
    const program = createProgram(() => undefined);
    doNothing(program);
    const parsed = program.parseAsync(moveGlobalFlags(program, words), { from: 'user' });
    await expect(parsed).resolves.toBe(program);
  });
});
