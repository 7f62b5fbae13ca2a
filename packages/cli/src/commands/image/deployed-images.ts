import { processTemplate, templateVariables } from '@slipway/clusterctl';
import { makeBundle } from '@slipway/drivers';
import { ownImages } from '../../own-images.js';
import { listedProviders } from '../../providers/provider-list.js';

/** Returns every image that this program can deploy, sorted: its own, those of the drivers, and those of cluster templates. */
export async function deployedImages(): Promise<readonly string[]> {
  const driverImages =
    makeBundle({})
      .find(({ name }) => name === 'images.txt')
      ?.text.split('\n') ?? [];
  const images = [...Object.values(ownImages), ...driverImages, ...(await templateImages())];
  return [...new Set(images.filter((image) => image !== ''))].toSorted();
}

/**
 * Returns the images of the cluster templates with the defaults of their variables. They are read as text, because templates
 * contain the manifests of static pods and of drivers as strings. Images of a version that the user chooses are those of the drivers.
 */
async function templateImages(): Promise<string[]> {
  const texts = await Promise.all(
    listedProviders().flatMap(({ templates = {} }) => Object.values(templates).map(async (read) => read())),
  );
  return texts.flatMap((text) => withDefaults(text).match(/(?<=\bimage: )[\w./:@-]+$/gm) ?? []);
}

/** Replaces variables with their defaults, and those without a default with a character that no image reference can contain. */
function withDefaults(text: string): string {
  const required = new Set(templateVariables(text).flatMap((each) => (each.default === undefined ? [each.name] : [])));
  return processTemplate(text, (name) => (required.has(name) ? '?' : undefined));
}
