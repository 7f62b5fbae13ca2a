/** Returns the text that `slipway console` prints when the console is ready. */
export function welcome(link: string, server: string, name: string): string {
  return `
Console of ${server}, signed in as ${name}:

  ${link}

The link works once, within five minutes, and only on this host. Ctrl-C stops the console.

`;
}
