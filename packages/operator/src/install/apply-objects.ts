import { applyObject } from '@slipway/clusterctl';
import { isReason, type KubeObject } from '@slipway/kube';
import type { Cause, RequestOptions, Writer } from '@slipway/runtime';
import { fieldManager } from '../api/index.js';

const problemsShownMax = 3;

/**
 * Applies all objects, even after failures: a new CRD may not be served yet, which must not block other objects. Failures are
 * reported together.
 */
export async function applyObjects(
  writer: Pick<Writer, 'read' | 'change'>,
  objects: readonly KubeObject[],
  options: RequestOptions & Pick<Cause, 'reason' | 'message'>,
): Promise<void> {
  const problems: string[] = [];
  let needsCertificates = false;
  for (const object of objects) {
    try {
      await applyObject(writer, object, { fieldManager, ...options });
    } catch (error) {
      options.signal?.throwIfAborted();
      const { kind, metadata, apiVersion } = object;
      needsCertificates ||= apiVersion.startsWith('cert-manager.io/') && !isReason(error, 'Invalid');
      problems.push(`${kind} ${metadata.name ?? ''}: ${(error as Error).message}`);
    }
  }
  if (problems.length === 0) return;
  const reported = problems.slice(0, problemsShownMax).join('; ');
  const more = problems.length > problemsShownMax ? `; and ${problems.length - problemsShownMax} more` : '';
  const remedy = needsCertificates ? '; install cert-manager first: the components get their certificates from it' : '';
  throw new Error(`${problems.length} of ${objects.length} objects failed to apply: ${reported}${more}${remedy}`);
}
