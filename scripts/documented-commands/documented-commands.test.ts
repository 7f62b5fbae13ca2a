import { existsSync, readFileSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { moveGlobalFlags } from '../../packages/cli/src/options/global-flags.js';
import { createProgram } from '../../packages/cli/src/program.js';
import { podClusters, realNodes, realNodesLong } from './real-nodes.js';
import { airGap } from './scenarios/air-gap.js';
import { backup } from './scenarios/backup.js';
import { drivers } from './scenarios/drivers.js';
import { everyday } from './scenarios/everyday.js';
import { firstCluster } from './scenarios/first-cluster.js';
import { kvm } from './scenarios/kvm.js';
import { openShift } from './scenarios/openshift.js';
import { providers } from './scenarios/providers.js';
import { questions } from './scenarios/questions.js';
import { security } from './scenarios/security.js';
import { tools } from './scenarios/tools.js';
import { twoPlanes } from './scenarios/two-planes.js';
import { type DocumentedCommand, documentedCommands, mentionedCommands } from './documented-commands.js';

const scenarios = [
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
  security,
];
const performed = new Set<string>([
  ...scenarios.flatMap(({ steps }) => steps.map(({ command }) => command)),
  ...Object.values(realNodes),
  ...Object.values(realNodesLong),
  ...Object.values(podClusters),
]);

/** Pages whose tests read the commands from the page. */
const pagesWithTests: Readonly<Record<string, string>> = {
  'docs/tasks/cluster-on-vsphere.md': 'test/vsphere/guide.test.ts',
  'docs/tasks/kvm-clusters.md': 'test/kvm/guide.test.ts',
  'docs/tasks/keep-providers-current.md': 'test/operator/keep-providers-current.test.ts',
};

/** Commands that other tests read from the page, because they need releases, or minutes and Debian's archive. */
const commandsWithTests: readonly (readonly [RegExp, string])[] = [
  [/^clusterctl upgrade apply /, 'test/clusterctl/migration.test.ts'],
  [/^(?:export |clusterctl --config \$)SLIPWAY_RELEASE\b/, 'test/release/provider-folders.test.ts'],
  [/^slipway provider scaffold /, 'packages/cli/test/outside-provider.test.ts'],
  [/^slipway (?:plan|apply) -f demo\.yaml$/, 'packages/cli/test/outside-provider.test.ts'],
  [
    /^slipway (?:up|manager|generate cluster demo) .*(?:--plugin|--infrastructure pond)/,
    'packages/cli/test/outside-provider.test.ts',
  ],
  [/^slipway image build --name /, 'test/kvm/documented-images.long.ts'],
];

/** Commands that no test reads from the page, and the reason. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  // Commands in README.md are run by scripts/fresh-machine.mjs.
  [/^(?:git clone|npm (?:ci|start|run)) ?/, 'commands of developers in a checkout, which has no installed slipway'],
  [/^npm install --global \.\/slipway-[\d.]+\.tgz$/, 'run before all tests, by scripts/install-for-tests.mjs'],
  [/\/home\/you\//, 'not a command of the page, but of the output that the page shows'],
];

const isCovered = ({ page, command }: DocumentedCommand): boolean =>
  performed.has(command) ||
  page in pagesWithTests ||
  [...commandsWithTests, ...exceptions].some(([pattern]) => pattern.test(command));

/** Returns the arguments of each `slipway` command in a line of shell. */
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

/** Codes of Commander errors that are allowed for commands in running text, which may leave out arguments or ask for help. */
const isIncomplete = /^commander\.(?:missing|optionMissing|help)/;

/** Returns Commander's error for these arguments, if any. */
async function problemOf(args: readonly string[]): Promise<string | undefined> {
  const program = createProgram(() => undefined);
  doNothing(program);
  try {
    await program.parseAsync(moveGlobalFlags(program, [...args]), { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** Makes every command accept its arguments without an effect. */
function doNothing(command: Command): void {
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
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

  it('have no exception that is not needed', () => {
    const others = documented.filter(({ page, command }) => !performed.has(command) && !(page in pagesWithTests));
    const isNeeded = ([pattern]: readonly [RegExp, string]): boolean =>
      others.some(({ command }) => pattern.test(command));
    expect([...commandsWithTests, ...exceptions].filter((each) => !isNeeded(each))).toEqual([]);
  });

  it('name scripts of package.json that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = documented.flatMap(({ command }) =>
      [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('include everything that scenarios run', () => {
    const all = new Set(documented.map(({ command }) => command));
    expect([...performed].filter((command) => !all.has(command))).toEqual([]);
  });

  it.each(
    documented.flatMap(({ page, command }) => slipwayArguments(command).map((args) => [command, page, args] as const)),
  )('%s (%s) has flags and arguments that exist', async (_command, _page, args) => {
    expect(await problemOf(args)).toBeUndefined();
  });

  it('that the text only mentions have flags that exist', async () => {
    const wrong: string[] = [];
    for (const { page, command } of mentionedCommands())
      for (const args of slipwayArguments(command)) {
        const problem = await problemOf(args);
        if (problem !== undefined && !isIncomplete.test(problem)) wrong.push(`${page}: ${command}: ${problem}`);
      }
    expect(wrong).toEqual([]);
  });
});
