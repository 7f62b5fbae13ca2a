import { vsphereTemplates } from '@slipway/clusterctl';

/** The templates of clusters on vSphere, with the drivers that this program knows: they are loaded by who wants a template. */
export const vsphereFlavors: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(vsphereTemplates).map(([file, render]) => [
    file,
    async () => {
      const { templateDrivers } = await import('@slipway/drivers');
      return render(templateDrivers());
    },
  ]),
);
