import { readFile, writeFile } from 'node:fs/promises';
import { type Plan, type PlannedObject } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { CliError, exitCodes, onFile } from '../errors/index.js';

/** A plan with everything that is needed to apply it later. */
export interface PlanFile {
  readonly apiVersion: 'plan.slipway.dev/v1';
  readonly kind: 'Plan';
  readonly namespace: string;
  readonly delete: boolean;
  readonly forceConflicts: boolean;
  readonly manifest: readonly KubeObject[];
  /** The objects that the plan is based on, with their generations. */
  readonly basedOn: readonly PlannedObject[];
  readonly plan: Plan;
}

const apiVersion = 'plan.slipway.dev/v1';

/** Writes a plan file that only the user can read, because a manifest can contain Secrets. */
export async function writePlanFile(path: string, content: Omit<PlanFile, 'apiVersion' | 'kind'>): Promise<void> {
  const text = `${JSON.stringify({ apiVersion, kind: 'Plan', ...content }, undefined, 2)}\n`;
  await onFile('write', path, () => writeFile(path, text, { mode: 0o600 }));
}

export async function readPlanFile(path: string): Promise<PlanFile> {
  const text = await onFile('read', path, () => readFile(path, 'utf8'));
  const parsed = parse(text);
  if (parsed?.apiVersion !== apiVersion || parsed.kind !== 'Plan')
    throw new CliError(`${path} is not a plan`, {
      remedy: 'create a plan with `slipway plan -f MANIFEST --out FILE`, or apply a manifest with -f',
      exitCode: exitCodes.usage,
    });
  return parsed;
}

function parse(text: string): PlanFile | undefined {
  try {
    return JSON.parse(text) as PlanFile;
  } catch {
    return undefined;
  }
}
