import { parseSigningRequest, type SigningRequest } from '@slipway/base';
import type { Frozen } from '@slipway/kube';
import type { CertificateSigningRequest } from '@slipway/runtime';
import type { ApproverMachine } from './approver-machine.js';
import { decideClient, isClientRequest } from './client-rule.js';
import { isDecided, isOurs } from './event-filter.js';
import { signers } from './names.js';
import { decideServing, type EgressAddresses, type ServedCertificate } from './serving-rule.js';
import { ignore, type Verdict } from './verdict.js';

/** All that a decision rests on. */
export interface ApprovalFacts {
  readonly machines: readonly ApproverMachine[];
  readonly nodeNames: ReadonlySet<string>;
  /** The configuration switches the client flow off. */
  readonly clientFlowDisabled?: boolean;
  /** What the kubelet of the node serves now, if it was asked and its authority vouches for it. */
  readonly served?: ServedCertificate | undefined;
  /** Only on clusters whose network gives nodes further addresses. */
  readonly egress?: EgressAddresses | undefined;
}

/** Whether a kubelet gets its certificate. Pure: the same request and facts give the same verdict. */
export function decide(request: Frozen<CertificateSigningRequest>, facts: ApprovalFacts): Verdict {
  if (!isOurs(request)) return ignore('NotOurs', 'it is no request of a kubelet of this cluster');
  if (isDecided(request)) return ignore('AlreadyDecided', 'it is approved, denied or has failed');
  const parsed = parse(request.spec.request);
  if (parsed === undefined) return ignore('Malformed', 'spec.request is no PEM-encoded certificate request');
  if (!parsed.signatureValid) return ignore('BadSignature', 'the request is not signed by the key that it carries');
  // Each rule is bound to its signer: a request for one kind of certificate must not pass by the rule of the other.
  if (request.spec.signerName === signers.kubeletServing) return decideServing(request, parsed, facts);
  if (!isClientRequest(request, parsed))
    return ignore(
      'WrongContent',
      'subject, names or usages are not those of a kubelet that asks for a client certificate',
    );
  return decideClient(request, parsed, facts);
}

function parse(encoded: string): SigningRequest | undefined {
  try {
    return parseSigningRequest(Buffer.from(encoded, 'base64').toString('latin1'));
  } catch {
    // Whatever it is, it is not for us to say more about what a stranger wrote.
    return undefined;
  }
}
