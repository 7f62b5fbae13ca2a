import type { JsonObject } from '@slipway/kube';
import type { ExtensionClient } from '../runtime-extensions/index.js';
import type { PatchAnswer, PatchExtensions, PatchRequest } from './patches/apply-patches.js';

/** Creates the functions that call extensions to patch and validate a topology. */
export function createExtensionPatches(extensions: ExtensionClient): PatchExtensions {
  return {
    async generate({ signal }, cluster, { external }, request) {
      const name = external?.generatePatchesExtension ?? '';
      const response = await extensions.call('GeneratePatches', cluster, name, withSettings(request, external), {
        signal,
      });
      const items = Array.isArray(response['items']) ? (response['items'] as readonly JsonObject[]) : [];
      return items.map(({ uid, patchType, patch }): PatchAnswer => {
        return { uid: textOf(uid), patchType: textOf(patchType), patch: textOf(patch) };
      });
    },
    async validate({ signal }, cluster, { external }, request) {
      const name = external?.validateTopologyExtension ?? '';
      // Validate all objects, whichever patches were applied to them.
      const items = request.items.map(({ uid: _uid, ...item }) => item);
      await extensions.call('ValidateTopology', cluster, name, withSettings({ ...request, items }, external), {
        signal,
      });
    },
  };
}

function withSettings(
  request: Omit<PatchRequest, 'items'> & { readonly items: readonly object[] },
  external: { readonly settings?: Readonly<Record<string, string>> } | undefined,
): JsonObject {
  const { settings } = external ?? {};
  return { ...(request as unknown as JsonObject), ...(settings === undefined ? {} : { settings }) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
