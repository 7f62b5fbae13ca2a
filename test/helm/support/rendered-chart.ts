import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KubeObject, parseManifest } from '@slipway/kube';
import { peerBinary } from '../../support/peer-process.js';
import { runCommand } from '../../support/run-command.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Stock Helm with the chart of a release, in a separate folder. */
export class ChartUnderTest {
  readonly folder = mkdtempSync(`${tmpdir()}/chart-`);
  readonly chart = join(this.folder, 'slipway.tgz');

  constructor() {
    const script = join(root, 'scripts/release/chart/write-chart.ts');
    execFileSync(process.execPath, ['--import', 'tsx', script, this.chart], { cwd: root });
  }

  /** Runs Helm; `%` is replaced with the path of the chart. Returns its output, and fails the test if Helm does. */
  async helm(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, env);
    if (code !== 0) throw new Error(`helm exited with ${code}: ${stderr}`);
    return stdout;
  }

  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): ReturnType<typeof runCommand> {
    const { folder, chart } = this;
    const home = { HOME: folder, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder };
    return runCommand(
      peerBinary('helm'),
      args.map((argument) => (argument === '%' ? chart : argument)),
      { env: { ...home, ...env } },
    );
  }

  /** Returns the rendered objects by kind, namespace and name. */
  async template(...sets: readonly string[]): Promise<ReadonlyMap<string, KubeObject>> {
    // This build of Helm does not know the version of its Kubernetes libraries.
    const args = ['template', 'slipway', '%', '--include-crds', '--kube-version', '1.36.0', '--namespace', 'releases'];
    return byName(
      parseManifest(await this.helm([...args, ...sets.flatMap((set) => ['--set', set])])).map(withoutPolicy),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const policy = 'helm.sh/resource-policy';

/** Removes the annotation that only Helm needs, on the kinds that it keeps. */
function withoutPolicy(object: KubeObject): KubeObject {
  const { annotations: { [policy]: kept, ...annotations } = {}, ...metadata } = object.metadata;
  if (kept === undefined) return object;
  if (!['CustomResourceDefinition', 'Namespace'].includes(object.kind)) throw new Error(`Helm keeps a ${object.kind}`);
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
}

/** Returns objects by kind, namespace and name. Of several with the same name the last one stays, as when they are applied. */
export function byName(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  return new Map(
    objects
      .map((object): [string, KubeObject] => [nameOf(object), object])
      .sort(([left], [right]) => (left < right ? -1 : Number(left > right))),
  );
}

function nameOf({ kind, metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${kind} ${namespace}/${name}`;
}
