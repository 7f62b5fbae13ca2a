import { clusters, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Conditioned, isConditionTrue, isDeleting } from '@slipway/runtime';
import { lt, valid } from 'semver';
import type { InstalledProvider } from '../inventory/index.js';
import type { MoveGraph, MoveNode } from './graph.js';
import { isAtRest, isPausable } from './pause.js';

/** Checks that the user may skip. */
const waivableChecks = ['provisioned', 'paused', 'providers'] as const;
export type WaivableCheck = (typeof waivableChecks)[number];
/** The preflight checks of a move. */
type MoveCheck = WaivableCheck | 'deleting' | 'kinds' | 'clashes';

export interface MoveProblem {
  readonly check: MoveCheck;
  readonly message: string;
}

/** Returns the problems in the source cluster. */
export function checkSource({ levels }: MoveGraph): MoveProblem[] {
  return levels.flat().flatMap((node) => [...provisioningOf(node), ...restOf(node), ...deletionOf(node)]);
}

function problem(check: MoveCheck, { object, namespace, name }: MoveNode, message: string): MoveProblem {
  return { check, message: `${object.kind} ${namespace === '' ? '' : `${namespace}/`}${name}: ${message}` };
}

interface ClusterParts {
  readonly spec?: { readonly controlPlaneRef?: object };
  readonly status?: {
    readonly initialization?: {
      readonly infrastructureProvisioned?: boolean;
      readonly controlPlaneInitialized?: boolean;
    };
  };
}

function provisioningOf(node: MoveNode): MoveProblem[] {
  const { resource, object } = node;
  if (resource.group !== clusters.group) return [];
  if (resource.kind === clusters.kind) {
    const { spec, status } = object as ClusterParts;
    if (status?.initialization?.infrastructureProvisioned !== true)
      return [
        problem(
          'provisioned',
          node,
          'the infrastructure is not provisioned yet: status.initialization.infrastructureProvisioned is not true',
        ),
      ];
    const isInitialized = isConditionTrue(object as Conditioned, 'ControlPlaneInitialized');
    const isReported = spec?.controlPlaneRef === undefined || status.initialization.controlPlaneInitialized === true;
    if (!isInitialized || !isReported)
      return [
        problem(
          'provisioned',
          node,
          'the control plane is not initialized yet: condition ControlPlaneInitialized is not True',
        ),
      ];
  }
  if (resource.kind === machines.kind) {
    const { status } = object as { status?: { nodeRef?: unknown } };
    if (status?.nodeRef === undefined)
      return [problem('provisioned', node, 'the Machine has no Node yet: status.nodeRef is not set')];
  }
  return [];
}

function restOf(node: MoveNode): MoveProblem[] {
  if (!isPausable(node.resource) || !isAtRest(node.object)) return [];
  return [problem('paused', node, 'already paused; the object would stay paused after the move')];
}

function deletionOf(node: MoveNode): MoveProblem[] {
  return isDeleting(node.object)
    ? [problem('deleting', node, 'being deleted; wait until the deletion is complete')]
    : [];
}

/** Provider names that mean the same: upstream names the provider of these kinds after Docker, for which it was created. */
const sameAs: Readonly<Record<string, string>> = { docker: 'dev' };

/** Checks that the target has every provider of the source, in the same or a newer version. */
export function checkProviders(
  source: readonly InstalledProvider[],
  target: readonly InstalledProvider[],
): MoveProblem[] {
  const nameOf = ({ name }: InstalledProvider): string => sameAs[name] ?? name;
  return source.flatMap((provider) => {
    const { name, type, version } = provider;
    const same = target.filter((each) => nameOf(each) === nameOf(provider) && each.type === type);
    if (same.length === 0)
      return [{ check: 'providers' as const, message: `${type} ${name} is not installed in the target` }];
    if (!same.every((each) => isOlderThan(each.version, version))) return [];
    const found = same.map((each) => each.version).join(', ');
    const message = `${type} ${name} has an older version in the target (${found}) than in the source (${version})`;
    return [{ check: 'providers' as const, message }];
  });
}

function isOlderThan(version: string, other: string): boolean {
  return valid(version) !== null && valid(other) !== null && lt(version, other);
}

export function checkClash(
  { object, namespace, name, isGlobal, stays }: MoveNode,
  existing: Frozen<KubeObject> | undefined,
): MoveProblem[] {
  if (existing === undefined || isGlobal || stays) return [];
  const message = `${object.kind} ${namespace}/${name}: already exists in the target`;
  return [{ check: 'clashes', message }];
}
