/** Returns the output of `slipway console` once it serves. */
export function welcome(link: string, server: string, name: string): string {
  return `
The console of ${server}, for you as ${name}:

  ${link}

The link signs in once, within five minutes. It works on this host only. Ctrl-C ends the console.

`;
}
