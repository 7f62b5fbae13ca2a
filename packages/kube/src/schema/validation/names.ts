const label = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const labelLengthMax = 63;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const subdomainLengthMax = 253;

/** Validates a DNS-1035 label. Returns upstream's messages. */
export function dns1035LabelProblems(text: string): string[] {
  const problems: string[] = [];
  if (text.length > labelLengthMax) problems.push(`must be no more than ${labelLengthMax} bytes`);
  // Longer strings were rejected above: matching them could take quadratic time.
  else if (label.test(text)) return problems;
  problems.push(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
      "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
      "'[a-z]([-a-z0-9]*[a-z0-9])?')",
  );
  return text.length > labelLengthMax && text.length <= 4096 && label.test(text) ? problems.slice(0, 1) : problems;
}

/** Validates a DNS-1123 subdomain. Returns upstream's messages. */
export function dns1123SubdomainProblems(text: string): string[] {
  const problems: string[] = [];
  if (text.length > subdomainLengthMax) problems.push(`must be no more than ${subdomainLengthMax} bytes`);
  else if (subdomain.test(text)) return problems;
  problems.push(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
      "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  );
  return text.length > subdomainLengthMax && text.length <= 4096 && subdomain.test(text)
    ? problems.slice(0, 1)
    : problems;
}
