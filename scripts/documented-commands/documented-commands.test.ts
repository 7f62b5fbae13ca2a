import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { moveGlobalFlags } from '../../packages/cli/src/options/global-flags.js';
import { createProgram } from '../../packages/cli/src/program.js';
import { backup } from './scenarios/backup.js';
import { everyday } from './scenarios/everyday.js';
import { firstCluster } from './scenarios/first-cluster.js';
import { providers } from './scenarios/providers.js';
import { tools } from './scenarios/tools.js';
import { twoPlanes } from './scenarios/two-planes.js';
import { type DocumentedCommand, documentedCommands } from './documented-commands.js';

const scenarios = [firstCluster, everyday, backup, providers, twoPlanes, tools];
const performed = new Set(scenarios.flatMap(({ steps }) => steps.map(({ command }) => command)));

/** Pages whose commands are run by other tests: the first three read the page, the last one uses its manifest. */
const pagesWithTests: Readonly<Record<string, string>> = {
  'docs/tasks/cluster-on-vsphere.md': 'test/vsphere/guide.test.ts',
  'docs/tasks/kvm-clusters.md': 'test/kvm/guide.test.ts',
  'docs/tasks/keep-providers-current.md': 'test/operator/keep-providers-current.test.ts',
  'docs/tasks/real-local-cluster.md': 'test/host/real-nodes.test.ts',
};

/** Commands that need resources that no scenario has, and the tests that run them with other values. */
const commandsWithTests: readonly (readonly [RegExp, string])[] = [
  [/^slipway drivers |vdo\.vmware\.com/, 'test/drivers/command.test.ts'],
  [/^slipway (?:kvm|image build) /, 'test/kvm/guide.test.ts'],
  [/^slipway operator (?:preload|publish) /, 'test/operator/keep-providers-current.test.ts'],
  [/ --from oci:/, 'packages/operator/test/fetch-release.test.ts'],
  [/--openshift-releases |^slipway machine-approver /, 'test/operator/openshift-manager.test.ts'],
  [/^clusterctl upgrade apply |^slipway (?:upgrade apply|init) .*:v/, 'test/clusterctl/migration.test.ts'],
  // Prompts for input.
  [/^slipway create cluster(?: demo)?$/, 'test/clusterctl/terminal.test.ts'],
  [/^slipway unblock /, 'packages/cli/test/insight-commands.test.ts'],
];

/** Commands in a checkout of the repository, where developers run them. */
const developerCommand = /^(?:git clone|npm (?:ci|start|run)|sudo npx) ?/;
/** Run before all tests by scripts/install-for-tests.mjs. */
const installation = /^npm install --global \.\/slipway-[\d.]+\.tgz$/;
/** Placeholders for values of the reader. */
const placeholder = /\/home\/you\//;

const isCovered = ({ page, command }: DocumentedCommand): boolean =>
  performed.has(command) ||
  page in pagesWithTests ||
  developerCommand.test(command) ||
  installation.test(command) ||
  placeholder.test(command) ||
  commandsWithTests.some(([pattern]) => pattern.test(command));

/** The arguments of each `slipway` command in a line of shell. */
function slipwayArguments(line: string): string[][] {
  const args = [...line.matchAll(/"[^"]*"|'[^']*'|\d?[<>]|[|&<>]|[^\s|<>&]+/g)].map(([argument]) =>
    argument.replaceAll(/^["']|["']$/g, ''),
  );
  const found: string[][] = [];
  let current: string[] | undefined;
  for (const argument of args) {
    if (argument === 'slipway') found.push((current = []));
    else if (/^\d?[|<>&]$/.test(argument)) current = undefined;
    else current?.push(argument);
  }
  return found;
}

/** Makes every command accept its arguments without an effect. */
function doNothing(command: Command): void {
  for (const child of command.commands) doNothing(child);
  command.action(() => undefined);
  command.exitOverride();
}

describe('documented commands', () => {
  const documented = documentedCommands();

  it('runs every documented command in a test', () => {
    expect(documented.length).toBeGreaterThan(300);
    expect(documented.filter((each) => !isCovered(each))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const tests = [...Object.values(pagesWithTests), ...commandsWithTests.map(([, test]) => test)];
    expect(tests.filter((test) => !existsSync(test))).toEqual([]);
  });

  it('runs only documented commands in scenarios', () => {
    const all = new Set(documented.map(({ command }) => command));
    expect([...performed].filter((command) => !all.has(command))).toEqual([]);
  });

  it.each(
    documented.flatMap(({ page, command }) => slipwayArguments(command).map((args) => [command, page, args] as const)),
  )('accepts the flags and arguments of %s (%s)', async (_command, _page, args) => {
    const program = createProgram(() => undefined);
    doNothing(program);
    const parsed = program.parseAsync(moveGlobalFlags(program, args), { from: 'user' });
    await expect(parsed).resolves.toBe(program);
  });
});
