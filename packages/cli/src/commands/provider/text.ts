const namePattern = /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/;

export function isProviderName(name: string): boolean {
  return namePattern.test(name) && !name.includes('--');
}

/** Replaces the name of the example provider, `pond`, in the spelling of each place. */
export function renamed(text: string, name: string): string {
  const words = name.split('-');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return text
    .replaceAll('Pond', pascal)
    .replaceAll(/pond(?=[A-Z])/g, camel)
    .replaceAll(/pond(?=cluster|machine)/g, words.join(''))
    .replaceAll('pond', name);
}

export function nextSteps(name: string, folder: string): string {
  return `Wrote the provider ${name} to ${folder}. Next steps:

  cd ${folder}
  npm install                # needs the @slipway packages of the release of this slipway
  npm test                   # builds the provider and runs the conformance suite
  slipway up --plugin .      # runs a management plane with the provider

Then replace the simulated infrastructure in src/cloud.ts.
`;
}
