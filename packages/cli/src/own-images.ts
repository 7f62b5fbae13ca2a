import names from './own-images.json' with { type: 'json' };
import { slipwayVersion } from './version.js';

/**
 * Default references of the images that a release contains. `own-images.json` is the only place that names them; the release
 * scripts read it too.
 */
export const ownImages: Readonly<Record<keyof typeof names, string>> = {
  manager: `${names.manager}:v${slipwayVersion}`,
  vmm: `${names.vmm}:v${slipwayVersion}`,
};

/** Environment variables of managers that name the images which they deploy. The prefix is the convention of OLM. */
export const relatedImages = { vmm: 'RELATED_IMAGE_VMM' } as const;

/** Returns the default image of managers and operators in another registry. */
export function managerImageIn(registry: string): string {
  return `${registry}${ownImages.manager.slice(ownImages.manager.indexOf('/'))}`;
}
